package io.lastfix.gateway.devices;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Two groups with their keys and tokens, and a topic that is a list. */
final class Fleet {
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  static final InstantSource CLOCK = InstantSource.fixed(NOW);
  static final UUID UUID_1 = UUID.fromString("01234567-89ab-4def-8123-456789abcdef");
  static final UUID NEW_UUID = UUID.fromString("99999999-89ab-4def-8123-456789abcdef");
  static final String TOKEN_A = "lfe1.token-of-a";
  static final String TOKEN_B = "lfe1.token-of-b";
  static final byte[] KEY_A1 =
      "the first key of the group fleet-a".getBytes(StandardCharsets.UTF_8);
  static final byte[] KEY_A2 =
      "the second key of the group fleet-a".getBytes(StandardCharsets.UTF_8);
  static final byte[] KEY_B1 =
      "the first key of the group fleet-b".getBytes(StandardCharsets.UTF_8);
  static final Group A =
      new Group("fleet-a", List.of("k1"), List.of(EnrolmentToken.hash(TOKEN_A)), NOW);
  static final Group B =
      new Group("fleet-b", List.of("k1"), List.of(EnrolmentToken.hash(TOKEN_B)), NOW);

  final Devices devices = new Devices();
  final GroupKeys keys = keys();
  final List<DevicesMessage> written = new ArrayList<>();
  final Registration registration =
      new Registration(devices, keys, this::write, CLOCK, () -> NEW_UUID);

  Fleet() {
    devices.apply(new DevicesMessage.OfGroup("fleet-a", A));
    devices.apply(new DevicesMessage.OfGroup("fleet-b", B));
  }

  static GroupKeys keys() {
    return new GroupKeys(
        null,
        Map.of(
            "LASTFIX_GROUP_KEY_FLEET_A_K1", base64(KEY_A1),
            "LASTFIX_GROUP_KEY_FLEET_A_K2", base64(KEY_A2),
            "LASTFIX_GROUP_KEY_FLEET_B_K1", base64(KEY_B1)),
        CLOCK);
  }

  private CompletableFuture<Void> write(DevicesMessage message) {
    synchronized (written) {
      written.add(message);
    }
    return CompletableFuture.completedFuture(null);
  }

  RegistrationAnswer register(String token, String body) {
    return registration.register("Bearer " + token, body.getBytes(StandardCharsets.UTF_8)).join();
  }

  RegistrationAnswer.Registered registered(String token, String body) {
    return (RegistrationAnswer.Registered) register(token, body);
  }

  static String phone(UUID uuid) {
    return "{\"uuid\":\"%s\",\"class\":\"phone\"}".formatted(uuid);
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
