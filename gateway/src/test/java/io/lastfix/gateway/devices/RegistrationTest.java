package io.lastfix.gateway.devices;

import static io.lastfix.gateway.devices.Fleet.TOKEN_A;
import static io.lastfix.gateway.devices.Fleet.TOKEN_B;
import static io.lastfix.gateway.devices.Fleet.UUID_1;
import static io.lastfix.gateway.devices.Fleet.phone;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.devices.RegistrationAnswer.Refused;
import io.lastfix.gateway.devices.RegistrationAnswer.Registered;
import io.lastfix.gateway.signature.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistrationTest {
  private final Fleet fleet = new Fleet();

  @Test
  void aNewDeviceGetsItsKeyidAndSecretAndWhatToSign() {
    Registered registered = fleet.registered(TOKEN_A, phone(UUID_1));

    assertThat(registered.status()).isEqualTo(201);
    DeviceId device = DeviceId.derive("fleet-a", UUID_1);
    byte[] secret =
        HmacSha256.of(
            Fleet.KEY_A1, ("lastfix/1|" + device + "|1").getBytes(StandardCharsets.US_ASCII));
    assertThat(new String(registered.json(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"device\":\"%s\",\"keyid\":\"k1.fleet-a.%s.1\",\"secret\":\"%s\",\"sign\":{\"components\":[\"@method\",\"@path\",\"@query\",\"content-digest\",\"content-type\",\"content-encoding\"],\"label\":\"lastfix\"}}"
                .formatted(device, device, Fleet.base64(secret)));
    assertThat(fleet.written)
        .containsExactly(
            new DevicesMessage.OfDevice(
                device, new RegisteredDevice("fleet-a", UUID_1, "phone", null, Fleet.NOW)));
  }

  @Test
  void theSameTokenAndUuidGiveTheSameAnswerAndWriteNothing() {
    Registered first = fleet.registered(TOKEN_A, phone(UUID_1));
    Registered second = fleet.registered(TOKEN_A, phone(UUID_1));

    assertThat(second.json()).isEqualTo(first.json());
    assertThat(fleet.written).hasSize(1);
  }

  @Test
  void aDeviceThatHasANewClassIsWrittenAnewAndKeepsItsSecret() {
    Registered first = fleet.registered(TOKEN_A, phone(UUID_1));
    fleet.devices.apply(fleet.written.get(0));
    Registered second = fleet.registered(TOKEN_A, phone(UUID_1).replace("phone", "tracker"));

    assertThat(second.json()).isEqualTo(first.json());
    assertThat(fleet.written).hasSize(2);
  }

  @Test
  void aDeviceWithoutAUuidGetsANewOne() {
    assertThat(fleet.registered(TOKEN_A, "{\"class\":\"phone\"}").device())
        .isEqualTo(DeviceId.derive("fleet-a", Fleet.NEW_UUID));
  }

  @Test
  void aUuidOfAnotherGroupIsAConflict() {
    fleet.registered(TOKEN_A, phone(UUID_1));

    assertRefused(
        fleet.register(TOKEN_B, phone(UUID_1)),
        409,
        "The uuid is registered in another group: use that group's token, or another uuid");
  }

  @Test
  void aUuidThatIsBeingRegisteredInAnotherGroupIsAConflict() {
    CompletableFuture<Void> acknowledged = new CompletableFuture<>();
    Registration registration =
        new Registration(
            fleet.devices, fleet.keys, message -> acknowledged, Fleet.CLOCK, UUID::randomUUID);
    var first = registration.register("Bearer " + TOKEN_A, bytes(phone(UUID_1)));

    assertThat(first).isNotDone();
    assertThat(registration.register("Bearer " + TOKEN_B, bytes(phone(UUID_1))).join().status())
        .isEqualTo(409);
    acknowledged.complete(null);
    assertThat(first.join().status()).isEqualTo(201);
  }

  @Test
  void aUuidWhoseRegistrationFailedIsFreeAgain() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Registration registration =
        new Registration(
            fleet.devices,
            fleet.keys,
            message ->
                fails.get()
                    ? CompletableFuture.failedFuture(new IllegalStateException("Kafka is away"))
                    : CompletableFuture.completedFuture(null),
            Fleet.CLOCK,
            UUID::randomUUID);

    assertRefused(
        registration.register("Bearer " + TOKEN_A, bytes(phone(UUID_1))).join(),
        503,
        "Kafka did not take the registration: try again");
    fails.set(false);
    assertThat(registration.register("bearer  " + TOKEN_B, bytes(phone(UUID_1))).join().status())
        .isEqualTo(201);
  }

  @Test
  void aDisabledDeviceCannotRegister() {
    Registered registered = fleet.registered(TOKEN_A, phone(UUID_1));
    fleet.devices.apply(new DevicesMessage.OfState(registered.device(), new DeviceState(1, true)));

    assertRefused(
        fleet.register(TOKEN_A, phone(UUID_1)),
        403,
        "The device is disabled: only an administrator can enable it");
  }

  @Test
  void aRotatedDeviceGetsTheSecretOfItsGeneration() {
    Registered first = fleet.registered(TOKEN_A, phone(UUID_1));
    fleet.devices.apply(new DevicesMessage.OfState(first.device(), new DeviceState(2, false)));
    Registered second = fleet.registered(TOKEN_A, phone(UUID_1));

    assertThat(second.keyid().generation()).isEqualTo(2);
    assertThat(second.secret()).isNotEqualTo(first.secret());
  }

  @Test
  void afterARotationOfTheGroupsKeyADeviceGetsTheNewKey() {
    Registered first = fleet.registered(TOKEN_A, phone(UUID_1));
    fleet.devices.apply(new DevicesMessage.OfGroup("fleet-a", Fleet.A.withNextKey(Fleet.NOW)));
    Registered second = fleet.registered(TOKEN_A, phone(UUID_1));

    assertThat(second.device()).isEqualTo(first.device());
    assertThat(second.keyid().groupKey()).isEqualTo("k2");
    assertThat(second.secret()).isNotEqualTo(first.secret());
  }

  @Test
  void aReplacedTokenEnrolsNobody() {
    fleet.devices.apply(
        new DevicesMessage.OfGroup("fleet-a", Fleet.A.withToken(EnrolmentToken.hash("new"))));

    assertThat(fleet.register(TOKEN_A, phone(UUID_1)).status()).isEqualTo(401);
    assertThat(fleet.register("new", phone(UUID_1)).status()).isEqualTo(201);
  }

  @Test
  void aRequestWithoutATokenIsRefused() {
    assertRefused(
        fleet.registration.register(null, bytes(phone(UUID_1))).join(),
        401,
        "The enrolment token is absent or of no group: send Authorization: Bearer with the token of lastfix group create");
    assertThat(fleet.register("lfe1.wrong", phone(UUID_1)).status()).isEqualTo(401);
    assertThat(
            fleet.registration.register("Basic " + TOKEN_A, bytes(phone(UUID_1))).join().status())
        .isEqualTo(401);
  }

  @Test
  void aGroupWhoseKeyIsNotHereCannotRegisterNow() {
    fleet.devices.apply(new DevicesMessage.OfGroup("fleet-b", Fleet.B.withNextKey(Fleet.NOW)));

    assertRefused(
        fleet.register(TOKEN_B, phone(UUID_1)),
        503,
        "The gateway lacks the group's key: try again");
  }

  @Test
  void beforeTheTopicWasReadNobodyCanRegister() {
    fleet.devices.readyIf(() -> false);

    assertRefused(
        fleet.register(TOKEN_A, phone(UUID_1)),
        503,
        "The gateway has not read all registrations yet: try again");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                   | The body is no JSON object",
        "{                                    | The body is no valid JSON",
        "{\"class\":\"a\",\"class\":\"b\"}    | The body is no valid JSON",
        "{\"class\":\"a\"} x                  | The body is no valid JSON",
        "[]                                   | The body is no JSON object",
        "{}                                   | class: expected a text",
        "{\"class\":\"a/b\"}                  | class: expected 1 to 64",
        "{\"class\":\"a\",\"uuid\":\"1-1-1-1-1\"} | uuid: expected the form",
        "{\"class\":\"a\",\"uuid\":7}         | uuid: expected the form",
        "{\"class\":\"a\",\"manifest\":\"x\"} | manifest: expected an object",
        "{\"class\":\"a\",\"manifest\":{\"a\":\"x\\ud800y\"}} | manifest: expected texts of Unicode",
        "{\"class\":\"a\",\"manifest\":{\"\\udc00\":1}} | The body is no valid JSON",
      })
  void aWrongBodyIsRefusedWithTheMember(String body, String message) {
    assertThat(fleet.register(TOKEN_A, body))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(400);
              assertThat(refused.message()).startsWith(message);
            });
  }

  @Test
  void aManifestTooLargeIsRefused() {
    String body =
        "{\"class\":\"a\",\"manifest\":{\"x\":\"%s\"}}"
            .formatted("y".repeat(RegistrationRequest.MAX_MANIFEST_BYTES));

    assertThat(((Refused) fleet.register(TOKEN_A, body)).message())
        .isEqualTo("manifest: expected at most 524288 bytes, found 524296");
  }

  @Test
  void aManifestIsWrittenOnceInWhateverOrderItsMembersStand() {
    fleet.register(
        TOKEN_A, "{\"class\":\"a\",\"manifest\":{\"b\":{\"d\":1.50,\"c\":[]},\"a\":null}}");
    fleet.register(
        TOKEN_A, "{\"class\":\"a\",\"manifest\":{\"a\":null, \"b\":{\"c\":[],\"d\":15e-1}}}");

    assertThat(fleet.written.stream().filter(DevicesMessage.OfManifest.class::isInstance))
        .singleElement()
        .extracting(message -> ((DevicesMessage.OfManifest) message).json())
        .isEqualTo("{\"a\":null,\"b\":{\"c\":[],\"d\":1.5}}");
  }

  @Test
  void aPairOfSurrogatesIsAText() {
    fleet.registered(TOKEN_A, "{\"class\":\"a\",\"manifest\":{\"a\":\"\\ud83d\\ude00\"}}");

    assertThat(fleet.written.get(0))
        .extracting(message -> ((DevicesMessage.OfManifest) message).json())
        .isEqualTo("{\"a\":\"😀\"}");
  }

  private static String withManifest(int number) {
    return "{\"uuid\":\"%s\",\"class\":\"a\",\"manifest\":{\"a\":%d}}".formatted(UUID_1, number);
  }

  @Test
  void manifestsOfOneGroupLeaveThoseOfOthersTheirRoom() {
    for (int i = 0; i < Registration.MAX_MANIFESTS_OF_GROUP; i++) {
      fleet.registered(TOKEN_A, withManifest(i));
    }

    assertRefused(
        fleet.register(TOKEN_A, withManifest(-1)),
        409,
        "The group has brought 1000 different manifests already: send the same one from all devices of a class, or register without one");
    fleet.registered(TOKEN_A, withManifest(7));
    fleet.registered(TOKEN_A, phone(UUID_1));
    fleet.registered(TOKEN_B, withManifest(-1).replace("0123", "4567"));
    fleet.registered(TOKEN_A, withManifest(-1));
  }

  @Test
  void aGatewayThatReadsTheTopicKnowsWhoseManifestsThereAre() {
    for (int i = 0; i < Registration.MAX_MANIFESTS_OF_GROUP; i++) {
      fleet.registered(TOKEN_A, withManifest(i));
    }
    Fleet restarted = new Fleet();
    fleet.written.forEach(restarted.devices::apply);
    fleet.written.forEach(restarted.devices::apply);

    assertThat(restarted.register(TOKEN_A, withManifest(-1)).status()).isEqualTo(409);
    String removed =
        fleet.written.stream()
            .filter(DevicesMessage.OfManifest.class::isInstance)
            .map(message -> ((DevicesMessage.OfManifest) message).hash())
            .findFirst()
            .orElseThrow();
    restarted.devices.apply(DevicesMessage.OfManifest.removed(removed));
    restarted.registered(TOKEN_A, withManifest(-1));
  }

  @Test
  void aHundredThousandRegistrationsOfOneNewManifestAtOnceWriteItOnce() {
    int count = 100_000;
    AtomicInteger manifests = new AtomicInteger();
    AtomicInteger devices = new AtomicInteger();
    ExecutorService kafka = Executors.newFixedThreadPool(2);
    ExecutorService clients = Executors.newFixedThreadPool(8);
    try {
      Registration registration =
          new Registration(
              fleet.devices,
              fleet.keys,
              message -> {
                AtomicInteger counter =
                    message instanceof DevicesMessage.OfManifest ? manifests : devices;
                return CompletableFuture.runAsync(counter::incrementAndGet, kafka);
              },
              Fleet.CLOCK,
              UUID::randomUUID);
      byte[] body = bytes("{\"class\":\"agent\",\"manifest\":{\"processors\":[1,2,3]}}");
      List<CompletableFuture<RegistrationAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        answers.add(
            CompletableFuture.completedFuture(body)
                .thenComposeAsync(
                    content -> registration.register("Bearer " + TOKEN_A, content), clients));
      }

      assertThat(answers).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(201));
      assertThat(manifests).hasValue(1);
      assertThat(devices).hasValue(count);
      assertThat(fleet.devices.size()).isEqualTo(count);
    } finally {
      kafka.shutdownNow();
      clients.shutdownNow();
    }
  }

  @Test
  void aManifestThatKafkaDidNotTakeIsWrittenByTheNextRegistration() {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    Registration registration =
        new Registration(
            fleet.devices,
            fleet.keys,
            message -> {
              writes.add(new CompletableFuture<>());
              return writes.get(writes.size() - 1);
            },
            Fleet.CLOCK,
            UUID::randomUUID);
    byte[] body = bytes("{\"class\":\"agent\",\"manifest\":{}}");
    var first = registration.register("Bearer " + TOKEN_A, body);
    var second = registration.register("Bearer " + TOKEN_A, body);
    writes.get(0).completeExceptionally(new IllegalStateException("Kafka is away"));

    assertThat(first.join().status()).isEqualTo(503);
    assertThat(second.join().status()).isEqualTo(503);
    var third = registration.register("Bearer " + TOKEN_A, body);
    writes.get(1).complete(null);
    writes.get(2).complete(null);
    assertThat(third.join().status()).isEqualTo(201);
  }

  @Test
  void anAnswerShowsItsSecretInItsBodyOnly() {
    Registered registered = fleet.registered(TOKEN_A, phone(UUID_1));

    assertThat(registered.toString())
        .isEqualTo("Registered[keyid=%s]".formatted(registered.keyid()));
  }

  private static void assertRefused(RegistrationAnswer answer, int status, String message) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(((Refused) answer).message()).isEqualTo(message);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
