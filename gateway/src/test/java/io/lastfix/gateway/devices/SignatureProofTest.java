package io.lastfix.gateway.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.devices.RegistrationAnswer.Registered;
import io.lastfix.gateway.devices.SignatureProof.Kind;
import io.lastfix.gateway.devices.SignatureProof.Verdict;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureRefusedException;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.model.UserPatterns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway's record is proved; whatever anybody changes about it later is found. */
class SignatureProofTest {
  private static final byte[] VALUE = "{\"user\":\"u\"}".getBytes(UTF_8);
  private static final UserPatterns USERS = new UserPatterns(List.of("35*"));
  private static final List<String> PROVING =
      List.of(
          "device",
          "method",
          "path",
          "query",
          "signature-input",
          "signature",
          "content-digest",
          "content-type");

  private final Fleet fleet = new Fleet();
  private final DevicesSnapshot snapshot = new DevicesSnapshot();
  private final Registered device = fleet.registered(Fleet.TOKEN_A, Fleet.phone(Fleet.UUID_1));
  private final Map<String, String> headers = new HashMap<>();
  private final SignatureProof proof = new SignatureProof(snapshot, fleet.keys);
  private byte[] key;

  @BeforeEach
  void receive() throws Exception {
    write(new DevicesMessage.OfGroup("fleet-a", Fleet.A.withSpeaksFor(USERS)), Fleet.NOW);
    write(new DevicesMessage.OfGroup("fleet-b", Fleet.B), Fleet.NOW);
    fleet.devices.apply(new DevicesMessage.OfGroup("fleet-a", Fleet.A.withSpeaksFor(USERS)));
    fleet.written.forEach(message -> write(message, Fleet.NOW));
    receive("/v1/records/json?a=b", device);
  }

  /** Puts a record of the device into Kafka, as a gateway does. */
  private void receive(String target, Registered sender) throws SignatureRefusedException {
    List<Map.Entry<String, String>> lines =
        new ArrayList<>(List.of(Map.entry("content-type", "application/json")));
    new RequestSigner(
            "lastfix",
            sender.keyid().toString(),
            Base64.getDecoder().decode(sender.secret()),
            SignaturePolicy.OF_DEVICES)
        .sign(RequestSigner.head("POST", target, lines), VALUE, DigestAlgorithm.SHA_256, Fleet.NOW)
        .forEach((name, value) -> lines.add(Map.entry(name, value)));
    AuthenticatedDevice authenticated =
        new SignedRequestAuthenticator(
                fleet.devices, fleet.keys, new SignatureVerifier(SignaturePolicy.OF_DEVICES))
            .authenticate(RequestSigner.head("POST", target, lines), VALUE, Fleet.NOW);
    headers.clear();
    headers.put("device", sender.device().toString());
    headers.put("via", "records");
    headers.put("auth", "signed");
    headers.put("received", Long.toString(Fleet.NOW.toEpochMilli()));
    headers.putAll(authenticated.headers());
    key = sender.device().toString().getBytes(UTF_8);
  }

  private void write(DevicesMessage message, Instant at) {
    snapshot.add(
        new ConsumerRecord<>(
            "lastfix.devices",
            0,
            0,
            at.toEpochMilli(),
            org.apache.kafka.common.record.TimestampType.CREATE_TIME,
            -1,
            -1,
            message.key().getBytes(UTF_8),
            DevicesCodec.value(message),
            new org.apache.kafka.common.header.internals.RecordHeaders(),
            java.util.Optional.empty()));
  }

  private Verdict judge() {
    return proof.judge("json", key, VALUE, headers);
  }

  private void assertForged(String reason) {
    assertThat(judge().kind()).isEqualTo(Kind.FORGED);
    assertThat(judge().reason()).isEqualTo(reason);
  }

  @Test
  void aGatewaysRecordIsProvedAndNamesWhomItsGroupSpeaksFor() {
    assertThat(judge()).isEqualTo(new Verdict(Kind.PROVED, "", device.keyid(), USERS));
    assertThat(headers).containsEntry("speaks-for", "35*");
  }

  @Test
  void everyMutationOfOneHeaderThatProvesSomethingIsFound() {
    Random random = new Random(17);
    for (String name : PROVING) {
      String whole = headers.get(name);
      for (int at = 0; at <= whole.length(); at++) {
        for (String mutated : Mutations.at(at, whole, random)) {
          // Blanks around a header's value mean nothing in HTTP.
          if (!mutated.strip().equals(whole)) {
            assertFound(name, mutated);
          }
        }
      }
      assertFound(name, null);
      headers.put(name, whole);
      assertThat(judge().kind()).isEqualTo(Kind.PROVED);
    }
  }

  private void assertFound(String name, @Nullable String mutated) {
    headers.compute(name, (header, before) -> mutated);
    assertThat(judge().kind()).as("%s: %s", name, mutated).isEqualTo(Kind.FORGED);
  }

  @Test
  void everyChangedBitOfTheValueAndEveryOtherLengthIsFound() {
    for (int bit = 0; bit < VALUE.length * Byte.SIZE; bit++) {
      byte[] changed = VALUE.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertThat(proof.judge("json", key, changed, headers).reason()).isEqualTo("wrong-digest");
    }
    for (int length = 0; length < VALUE.length; length++) {
      assertThat(proof.judge("json", key, java.util.Arrays.copyOf(VALUE, length), headers).reason())
          .isEqualTo("wrong-digest");
    }
    assertThat(proof.judge("json", key, null, headers).reason()).isEqualTo("wrong-digest");
  }

  @ParameterizedTest
  @ValueSource(longs = {-300, -1, 1, 300, 86_400})
  void anotherTimeOfSigningIsFound(long seconds) {
    headers.computeIfPresent(
        "signature-input",
        (name, value) ->
            value.replace(
                "created=" + Fleet.NOW.getEpochSecond(),
                "created=" + (Fleet.NOW.getEpochSecond() + seconds)));

    assertForged("wrong-signature");
  }

  @ParameterizedTest
  @CsvSource({
    "k1.fleet-a, k2.fleet-a, no-such-key",
    "k1.fleet-a, k1.fleet-c, no-such-key",
    "k1.fleet-a, k1.fleet-b, wrong-signature",
    "k1.fleet-a, K1.fleet-a, no-such-key",
    ".1\", .2\", wrong-signature"
  })
  void anotherKeyidIsFound(String from, String to, String reason) {
    headers.computeIfPresent("signature-input", (name, value) -> value.replace(from, to));

    assertForged(reason);
  }

  @Test
  void aDeviceCannotSignForAnother() throws Exception {
    Registered other = fleet.registered(Fleet.TOKEN_A, "{\"class\":\"x\"}");
    headers.put("device", other.device().toString());
    assertForged("other-device");

    headers.put("device", device.device().toString());
    key = other.device().toString().getBytes(UTF_8);
    assertForged("other-key-of-the-message");

    key = null;
    assertForged("other-key-of-the-message");
  }

  @ParameterizedTest
  @CsvSource({"content-encoding, gzip, missing-component", "received, soon, no-time-of-receipt"})
  void aHeaderThatNoGatewayWroteIsFound(String name, String value, String reason) {
    headers.put(name, value);

    assertForged(reason);
  }

  @Test
  void aRecordMovedToAnotherTopicIsFound() throws Exception {
    assertThat(proof.judge("owntracks", key, VALUE, headers).reason()).isEqualTo("other-profile");

    receive("/v1/records/js%6Fn", device);
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
    receive("/v1/heartbeat", device);
    assertForged("other-profile");
    receive("/v1/records/json%", device);
    assertForged("other-profile");
  }

  @Test
  void aUserOfBasicIsUnprovedSinceOnlyAHeaderSaysSo() {
    Map<String, String> basic = Map.of("auth", "basic", "device", "jane", "via", "owntracks");

    assertThat(proof.judge("json", key, VALUE, basic).kind()).isEqualTo(Kind.UNPROVED);
    assertThat(proof.judge("json", key, VALUE, Map.of("auth", "basic ", "device", "jane")).kind())
        .as("the job does not believe it, either")
        .isEqualTo(Kind.UNSIGNED);
  }

  @Test
  void aSignatureIsJudgedAlsoIfTheHeaderSaysBasic() {
    headers.put("auth", "basic");
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);

    headers.put("device", "jane");
    assertForged("other-device");
  }

  @Test
  void aRecordWithoutASignatureProvesNothing() {
    assertThat(proof.judge("json", null, VALUE, Map.of()).kind()).isEqualTo(Kind.UNSIGNED);
    assertThat(
            proof
                .judge("json", key, VALUE, Map.of("auth", "unsigned", "device", "d", "via", "x"))
                .kind())
        .isEqualTo(Kind.UNSIGNED);
    assertThat(proof.judge("json", key, VALUE, Map.of("auth", "signed")).kind())
        .isEqualTo(Kind.FORGED);
  }

  @Test
  void aForgedRecordIsFoundWhateverItSaysAboutHowItsSenderIsKnown() {
    headers.put("auth", "unsigned");
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);

    headers.put("signature", "lastfix=:" + Fleet.base64(new byte[32]) + ":");
    assertForged("wrong-signature");
  }

  @Test
  void aKeyThatIsNotHereProvesNothingAndOneThatWasReplacedStillDoes() throws Exception {
    write(
        new DevicesMessage.OfGroup(
            "fleet-a", Fleet.A.withNextKey(Fleet.NOW).withCurrentKeyOnly(Fleet.NOW)),
        Fleet.NOW);
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);

    Verdict withoutKeys =
        new SignatureProof(snapshot, new GroupKeys(null, Map.of(), Fleet.CLOCK))
            .judge("json", key, VALUE, headers);
    assertThat(withoutKeys.kind()).isEqualTo(Kind.UNKNOWN_KEY);
    assertThat(withoutKeys.reason()).isEqualTo("group-key-absent");
  }

  @Test
  void aReplacedSecretProvesOnlyWhatCameBefore() {
    DeviceId id = device.device();
    write(new DevicesMessage.OfState(id, DeviceState.INITIAL.rotated()), Fleet.NOW);
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);

    write(
        new DevicesMessage.OfState(id, DeviceState.INITIAL.rotated()),
        Fleet.NOW.minus(Duration.ofMinutes(6)));
    assertForged("revoked-generation");

    write(
        new DevicesMessage.OfState(id, DeviceState.INITIAL.withDisabled(true)),
        Fleet.NOW.minus(Duration.ofMinutes(6)));
    assertForged("device-disabled");

    write(new DevicesMessage.OfState(id, null), Fleet.NOW);
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
  }

  /** As the commands do it. */
  private void decide(DeviceState state, Instant at) {
    write(snapshot.decision(device.device(), state, at), at);
  }

  private static Instant minutes(int later) {
    return Fleet.NOW.plus(Duration.ofMinutes(later));
  }

  @Test
  void aLaterRotationProvesNothingThatWasForgedBefore() {
    decide(DeviceState.INITIAL.rotated(), minutes(-6));
    assertForged("revoked-generation");

    decide(snapshot.state(device.device()).rotated(), minutes(1));
    assertForged("revoked-generation");
    decide(snapshot.state(device.device()).rotated(), minutes(60));
    assertForged("revoked-generation");
  }

  @Test
  void whatCameWhileADeviceWasDisabledStaysForgedOnceItIsEnabled() {
    decide(DeviceState.INITIAL.withDisabled(true), minutes(-6));
    assertForged("device-disabled");

    decide(DeviceState.INITIAL, minutes(6));
    assertForged("device-disabled");
    headers.put("received", Long.toString(minutes(2).toEpochMilli()));
    assertThat(judge().kind()).as("clocks may differ by five minutes").isEqualTo(Kind.PROVED);
  }

  @Test
  void whatCameBeforeARotationStaysProved() {
    decide(DeviceState.INITIAL.rotated(), minutes(6));
    decide(snapshot.state(device.device()).withDisabled(true), minutes(12));

    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
  }

  /** It says neither when it was decided nor what was before. */
  @Test
  void aDecisionWithoutATimeKeepsThatOfItsMessageInTheNextOne() {
    write(new DevicesMessage.OfState(device.device(), DeviceState.INITIAL.rotated()), minutes(-6));
    decide(snapshot.state(device.device()).rotated(), minutes(60));
    assertForged("revoked-generation");

    headers.put("received", Long.toString(minutes(-7).toEpochMilli()));
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
  }

  @Test
  void onlyTheNewestDecisionsAreKept() {
    for (int i = 0; i < 40; i++) {
      decide(snapshot.state(device.device()).rotated(), minutes(-500 + 10 * i));
    }

    DevicesMessage.OfState last =
        snapshot.decision(device.device(), snapshot.state(device.device()), Fleet.NOW);
    assertThat(last.earlier()).hasSize(DeviceHistory.MOST_EARLIER);
    assertForged("revoked-generation");
    headers.put("received", Long.toString(minutes(-400).toEpochMilli()));
    assertThat(judge().kind()).as("nobody knows any more").isEqualTo(Kind.PROVED);
  }

  @Test
  void aGenerationThatWasNeverReturnedIsNoKey() throws Exception {
    fleet.devices.apply(new DevicesMessage.OfState(device.device(), DeviceState.INITIAL.rotated()));
    Registered rotated = fleet.registered(Fleet.TOKEN_A, Fleet.phone(Fleet.UUID_1));
    receive("/v1/records/json", rotated);
    assertForged("no-such-key");

    decide(DeviceState.INITIAL.rotated(), minutes(-1));
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
    decide(snapshot.state(device.device()).withDisabled(true), minutes(60));
    headers.put("received", Long.toString(minutes(-10).toEpochMilli()));
    assertForged("no-such-key");
  }

  @Test
  void aDeviceThatNeverRegisteredHasNoKey() {
    write(new DevicesMessage.OfDevice(device.device(), null), Fleet.NOW);

    assertForged("no-such-key");
  }

  @Test
  void aDroppedGroupKeyProvesOnlyWhatCameBefore() {
    Group rotated = Fleet.A.withNextKey(minutes(-20));
    write(new DevicesMessage.OfGroup("fleet-a", rotated), minutes(-20));
    assertThat(judge().kind()).as("still valid").isEqualTo(Kind.PROVED);

    Group dropped = rotated.withCurrentKeyOnly(minutes(-6));
    write(new DevicesMessage.OfGroup("fleet-a", dropped.withSpeaksFor(USERS)), Fleet.NOW);
    assertForged("unknown-key");
    headers.put("received", Long.toString(minutes(-7).toEpochMilli()));
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
  }

  /** Its message does not say when, but no later than that. */
  @Test
  void aGroupKeyThatIsGoneWithoutATimeProvesNothingAfterThatMessage() {
    Group dropped =
        new Group("fleet-a", List.of("k2"), Fleet.A.tokens(), Fleet.NOW, USERS, Map.of());
    write(new DevicesMessage.OfGroup("fleet-a", dropped), Fleet.NOW);
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);

    write(new DevicesMessage.OfGroup("fleet-a", dropped), minutes(-6));
    assertForged("unknown-key");
  }

  /** A gateway accepts at most the tolerance, which is at most a day. */
  @ParameterizedTest
  @CsvSource({"-1440, PROVED", "-1446, FORGED", "1440000, PROVED"})
  void aSignatureOfTheFutureProvesNothing(int received, Kind kind) {
    headers.put("received", Long.toString(minutes(received).toEpochMilli()));

    assertThat(judge().kind()).isEqualTo(kind);
    assertThat(judge().reason()).isEqualTo(kind == Kind.FORGED ? "ahead" : "");
  }
}
