package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job with a retention: it drops what is expired when it starts, rejects what belongs there
 * from then on, and an audit says which records it leaves unjudged for that.
 */
class RetentionIT {
  private static final String EXPIRED = "history_2020_02";
  private static final Instant LEAP_DAY = Instant.parse("2020-02-29T12:00:00Z");

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  private static Message sighting(String user, Instant ts, @Nullable String rejectedAs) {
    Fact fact = new Fact(user, 310, 4, 0, 7, null, ts);
    return new Message(
        "json",
        "{\"user\":\"%s\",\"cell\":\"310-4-0-7\",\"ts\":\"%s\"}".formatted(user, ts),
        rejectedAs == null ? List.of(fact) : List.of(),
        rejectedAs);
  }

  @Test
  void whatIsExpiredIsDroppedAtTheStartAndRejectedFromThenOn() throws Exception {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    try (LocationRun run =
        new LocationRun(
            stack, directory, "retention", "profiles.names=json", "job.parallelism=2")) {
      // Without a retention the old record is stored.
      Message stored = sighting("early", LEAP_DAY, null);
      String before = run.submit();
      run.send(List.of(stored, sighting("device", now.minusSeconds(1), null)));
      run.drain(before);
      assertThat(run.database().getCollection(EXPIRED).countDocuments()).isEqualTo(1);
      await("the view shows both partitions")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.database().getCollection("history").countDocuments() == 2);
      run.cancel(before);

      String job = run.submit("history.retention=90 d");
      await("the expired partition is dropped")
          .atMost(LocationRun.LIMIT)
          .until(() -> !run.historyCollections().contains(EXPIRED));
      List<Message> sent =
          List.of(
              sighting("device", now, null),
              sighting("late", LEAP_DAY, "older-than-retention"),
              sighting("late", LEAP_DAY.plusSeconds(1), "older-than-retention"));
      run.send(sent);
      run.drain(job);

      assertThat(run.metrics(job).rejectedByReason()).isEqualTo(Map.of("older-than-retention", 2L));
      run.assertRejected(sent, run.rejected());
      assertThat(run.historyCollections()).doesNotContain(EXPIRED);
      assertThat(run.database().getCollection("history").find())
          .extracting(found -> found.getString("user"))
          .containsExactly("device", "device");
      assertThat(
              run.database()
                  .listCollections()
                  .filter(new Document("name", "history"))
                  .first()
                  .toJson())
          .doesNotContain(EXPIRED);

      JsonNode audit = audit(run);
      assertThat(audit.path("differs").asBoolean()).as(audit.toString()).isFalse();
      assertThat(audit.path("records").asLong()).isEqualTo(5);
      assertThat(audit.path("history").asLong()).isEqualTo(2);
      assertThat(audit.path("rejected").asLong()).isEqualTo(2);
      assertThat(audit.path("expired").asLong()).isEqualTo(1);
      assertThat(audit.path("replayable").asLong()).isZero();
    }
  }

  private static JsonNode audit(LocationRun run) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("audit", "--json"));
    for (String setting : run.settings()) {
      arguments.addAll(List.of("--set", setting));
    }
    arguments.addAll(List.of("--set", "history.retention=90 d"));
    Result result = LastfixInProcess.run(arguments.toArray(String[]::new));
    return result.mustExitWith(0).json();
  }
}
