package io.lastfix.audit.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.AuditedTopics;
import io.lastfix.audit.Messages;
import io.lastfix.audit.signature.MessageProof.Kind;
import io.lastfix.audit.signature.MessageProof.Proof;
import io.lastfix.model.UserPatterns;
import io.lastfix.parse.DefaultLimits;
import io.lastfix.parse.profile.Profile;
import io.lastfix.workload.StepProgress;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What is counted of messages whose proof is known. */
class SignatureAuditTest {
  private static final String TOPIC = "lastfix.location.json";

  /** The key of a message is its proof. */
  private final SignatureAudit audit = auditOf(List.of(Messages.profile("json")), 2);

  private long offset;

  private static SignatureAudit auditOf(List<Profile> profiles, int shown) {
    return new SignatureAudit(
        new AuditedTopics(
            Properties::new,
            () -> {
              throw new UnsupportedOperationException("no Kafka in this test");
            },
            "lastfix-location",
            "lastfix.location.",
            profiles.stream().map(Profile::name).toList(),
            "lastfix.cells",
            "lastfix.rejected"),
        profiles,
        DefaultLimits.DECODER,
        (profile, message) ->
            switch (new String(message.key(), UTF_8)) {
              case "proved" ->
                  new Proof(Kind.PROVED, "", "device", new UserPatterns(List.of("35*")));
              case "unsigned" -> new Proof(Kind.UNSIGNED, "", "", UserPatterns.NONE);
              case "basic" -> new Proof(Kind.UNPROVED, "", "", UserPatterns.NONE);
              case "unknown" ->
                  new Proof(Kind.UNKNOWN_KEY, "group-key-absent", "", UserPatterns.NONE);
              default ->
                  new Proof(Kind.FORGED, new String(message.key(), UTF_8), "", UserPatterns.NONE);
            },
        shown,
        StepProgress.silent());
  }

  private void read(String proof, String... users) {
    StringBuilder value = new StringBuilder();
    for (String user : users) {
      value.append(
          "{\"user\":\"%s\",\"cell\":\"234-10-4021-20911362\",\"ts\":1795176001001}\n"
              .formatted(user));
    }
    audit.accept(
        new ConsumerRecord<>(
            TOPIC, 3, offset++, proof.getBytes(UTF_8), value.toString().getBytes(UTF_8)));
  }

  @Test
  void everyMessageIsCountedOnceAndTheFirstOfAKindAreNamed() {
    read("proved", "device", "350000000007919");
    read("proved", "device", "somebody");
    read("unsigned", "somebody");
    read("unknown", "somebody");
    read("wrong-digest", "device");
    read("wrong-digest", "device");
    read("other-device", "device");

    SignatureReport report = audit.report();

    assertThat(report.toLines())
        .containsExactly(
            "Messages 7 = proved 2 + unproved 0 + unsigned 1 + forged 3 + unknown key 1",
            "3 forged:",
            "  lastfix.location.json, partition 3, offset 4  wrong-digest",
            "  lastfix.location.json, partition 3, offset 5  wrong-digest",
            "  and 1 more",
            "1 unknown key:",
            "  lastfix.location.json, partition 3, offset 3  group-key-absent",
            "1 not its user:",
            "  lastfix.location.json, partition 3, offset 1");
    assertThat(report.forgedByReason()).isEqualTo(Map.of("wrong-digest", 2L, "other-device", 1L));
    assertThat(report.verdict())
        .isEqualTo(
            "3 messages are forged; 1 cannot be judged: put their groups' keys into --group-keys");
    assertThat(report.isClean()).isFalse();
    assertThat(report.exitCode(false)).isEqualTo(1);
  }

  @Test
  void onlyWithStrictAnUnknownKeyIsAFailure() {
    read("proved", "device");
    read("unknown", "somebody");

    assertThat(audit.report().exitCode(false)).isZero();
    assertThat(audit.report().exitCode(true)).isEqualTo(1);
  }

  @Test
  void aUserOfBasicIsCountedApartSinceOnlyTheJobBelievesTheHeader() {
    read("proved", "device");
    read("basic", "somebody");
    read("unsigned", "somebody");

    SignatureReport report = audit.report();

    assertThat(report.toLines())
        .containsExactly(
            "Messages 3 = proved 1 + unproved 1 + unsigned 1 + forged 0 + unknown key 0",
            "1 unproved:",
            "  lastfix.location.json, partition 3, offset 1");
    assertThat(report.verdict())
        .isEqualTo(
            "nothing is forged; 1 messages are proved; 1 name a user of HTTP Basic, and nothing"
                + " proves it: none may be there if no route of a gateway is basic");
    assertThat(report.exitCode(true)).isZero();
  }

  @Test
  void aMessageOfSomebodyElseIsNoForgery() {
    read("proved", "somebody");

    assertThat(audit.report().notItsUser()).isEqualTo(1);
    assertThat(audit.report().exitCode(true)).isZero();
    assertThat(audit.report().verdict()).isEqualTo("nothing is forged; 1 messages are proved");
  }

  @Test
  void aProvedMessageThatCannotBeReadHasNoUser() {
    audit.accept(
        new ConsumerRecord<>(TOPIC, 3, 0, "proved".getBytes(UTF_8), "no JSON".getBytes(UTF_8)));
    audit.accept(new ConsumerRecord<>(TOPIC, 3, 1, "proved".getBytes(UTF_8), null));

    assertThat(audit.report().proved()).isEqualTo(2);
    assertThat(audit.report().notItsUser()).isZero();
  }
}
