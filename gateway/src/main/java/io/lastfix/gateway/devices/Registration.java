package io.lastfix.gateway.devices;

import io.lastfix.gateway.devices.RegistrationAnswer.Reason;
import io.lastfix.gateway.devices.RegistrationAnswer.Refused;
import io.lastfix.gateway.devices.RegistrationAnswer.Registered;
import io.lastfix.gateway.signature.SignaturePolicy;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers devices: {@code POST /v1/devices} without HTTP. For any number of threads; never
 * blocks.
 *
 * <p>An answer comes only after Kafka has acknowledged what it says. The same token and UUID give
 * the same answer, until the group's key or the device's generation is rotated. Nothing is written
 * for a device that is registered with the same class and manifest already.
 *
 * <p>A manifest is written once by each gateway: concurrent registrations of a new one wait for one
 * write. If it fails, each of them fails, and the next one writes again.
 */
public final class Registration {
  /** How a registered device calls its signatures. */
  public static final String LABEL = "lastfix";

  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private static final String SCHEME = "bearer ";

  /** Each costs a gateway about 200 bytes. */
  private static final int MAX_MANIFESTS = 100_000;

  /** So that one token cannot use up all manifests. A class of devices has one for each release. */
  static final int MAX_MANIFESTS_OF_GROUP = 1_000;

  private static final List<String> COMPONENTS =
      Stream.concat(
              SignaturePolicy.OF_DEVICES.required().stream(),
              SignaturePolicy.OF_DEVICES.ifPresent().stream())
          .toList();

  private final Devices devices;
  private final GroupKeys groupKeys;
  private final Function<DevicesMessage, CompletableFuture<Void>> writer;
  private final InstantSource clock;
  private final Supplier<UUID> newUuids;

  /** The manifests that are being written. */
  private final Map<String, CompletableFuture<Void>> manifestsInFlight = new ConcurrentHashMap<>();

  /** The group for which a UUID is being registered, and by how many requests. */
  private final Map<UUID, Claim> claims = new ConcurrentHashMap<>();

  private record Claim(String group, int requests) {}

  /**
   * Registers into what this gateway knows.
   *
   * @param writer writes a message to {@code lastfix.devices} without blocking; completes once
   *     Kafka has acknowledged it, and fails if it has not
   * @param newUuids for devices that send none
   */
  public Registration(
      Devices devices,
      GroupKeys groupKeys,
      Function<DevicesMessage, CompletableFuture<Void>> writer,
      InstantSource clock,
      Supplier<UUID> newUuids) {
    this.devices = devices;
    this.groupKeys = groupKeys;
    this.writer = writer;
    this.clock = clock;
    this.newUuids = newUuids;
  }

  /**
   * Registers a device with its group's token.
   *
   * @param authorization the header {@code Authorization}; null if it is absent
   * @param body the request's content
   * @return never fails: a failure is an answer, too
   */
  public CompletableFuture<RegistrationAnswer> register(
      @Nullable String authorization, byte[] body) {
    if (!devices.isReady()) {
      return CompletableFuture.completedFuture(notReady());
    }
    Group group = group(authorization);
    if (group == null) {
      return CompletableFuture.completedFuture(unknownToken());
    }
    RegistrationRequest request;
    try {
      request = RegistrationRequest.parse(body);
    } catch (IllegalArgumentException e) {
      return refused(Reason.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    return enrol(group, request);
  }

  /**
   * Looks at the token, before the body is read; null if it is of a group.
   *
   * @param authorization the header {@code Authorization}; null if it is absent
   */
  public @Nullable Refused refuseEarly(@Nullable String authorization) {
    if (!devices.isReady()) {
      return notReady();
    }
    return group(authorization) == null ? unknownToken() : null;
  }

  private @Nullable Group group(@Nullable String authorization) {
    return authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
        ? null
        : devices.groupOfToken(authorization.substring(SCHEME.length()).strip()).orElse(null);
  }

  private static Refused notReady() {
    return new Refused(
        Reason.UNAVAILABLE, "The gateway has not read all registrations yet: try again");
  }

  private static Refused unknownToken() {
    return new Refused(
        Reason.UNKNOWN_TOKEN,
        "The enrolment token is absent or of no group: send Authorization: Bearer with the token of lastfix group create");
  }

  /** Registers a device for an administrator, who needs no token. */
  public CompletableFuture<RegistrationAnswer> enrol(Group group, RegistrationRequest request) {
    UUID uuid = request.uuid() == null ? newUuids.get() : request.uuid();
    DeviceId id = DeviceId.derive(group.name(), uuid);
    DeviceState state = devices.state(id);
    if (state.disabled()) {
      return refused(
          Reason.DEVICE_DISABLED, "The device is disabled: only an administrator can enable it");
    }
    byte[] groupKey;
    try {
      groupKey = groupKeys.find(group.name(), group.currentKey()).orElse(null);
    } catch (IllegalArgumentException e) {
      LOG.error("No device of group {} can register: {}", group.name(), e.getMessage());
      return refused(Reason.UNAVAILABLE, "The gateway cannot read the group's key: try again");
    }
    if (groupKey == null) {
      return refused(Reason.UNAVAILABLE, "The gateway lacks the group's key: try again");
    }
    if (!claim(uuid, group.name())) {
      return otherGroup();
    }
    CompletableFuture<RegistrationAnswer> answer =
        store(group, uuid, id, request)
            .thenApply(
                refusal -> refusal != null ? refusal : registered(group, id, state, groupKey));
    return answer
        .exceptionally(
            failure -> {
              LOG.warn("A registration was not written: {}", failure.toString());
              return new Refused(
                  Reason.UNAVAILABLE, "Kafka did not take the registration: try again");
            })
        .whenComplete((done, failure) -> release(uuid));
  }

  private static RegistrationAnswer registered(
      Group group, DeviceId id, DeviceState state, byte[] groupKey) {
    KeyId keyid = new KeyId(group.currentKey(), group.name(), id, state.generation());
    String secret = Base64.getEncoder().encodeToString(keyid.secret(groupKey));
    return new Registered(id, keyid, secret, COMPONENTS, LABEL);
  }

  /** Writes what is new; the result is a refusal, or null. */
  private CompletableFuture<@Nullable RegistrationAnswer> store(
      Group group, UUID uuid, DeviceId id, RegistrationRequest request) {
    if (devices.otherGroupOf(uuid, group.name()) != null) {
      return otherGroup().thenApply(refusal -> refusal);
    }
    Manifest manifest = request.manifest();
    if (manifest != null && !devices.hasManifest(manifest.hash())) {
      Refused refusal = refuseNewManifest(group.name());
      if (refusal != null) {
        return CompletableFuture.completedFuture(refusal);
      }
    }
    RegisteredDevice device =
        new RegisteredDevice(
            group.name(),
            uuid,
            request.deviceClass(),
            manifest == null ? null : manifest.hash(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS));
    CompletableFuture<Void> stored =
        manifest == null
            ? CompletableFuture.completedFuture(null)
            : storeManifest(group.name(), manifest);
    return stored
        .thenCompose(
            done ->
                devices.isRegisteredSo(id, device.details())
                    ? CompletableFuture.<Void>completedFuture(null)
                    : writer
                        .apply(new DevicesMessage.OfDevice(id, device))
                        .thenRun(() -> devices.registerIfAbsent(id, device)))
        .thenApply(done -> null);
  }

  private @Nullable Refused refuseNewManifest(String group) {
    boolean isGroupFull = devices.manifestsOf(group) >= MAX_MANIFESTS_OF_GROUP;
    if (!isGroupFull && devices.manifests() < MAX_MANIFESTS) {
      return null;
    }
    String whose =
        isGroupFull
            ? "The group has brought %d different manifests".formatted(MAX_MANIFESTS_OF_GROUP)
            : "All groups together have brought %d different manifests".formatted(MAX_MANIFESTS);
    return new Refused(
        Reason.TOO_MANY_MANIFESTS,
        whose + " already: send the same one from all devices of a class, or register without one");
  }

  private CompletableFuture<Void> storeManifest(String group, Manifest manifest) {
    String hash = manifest.hash();
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> other = manifestsInFlight.putIfAbsent(hash, mine);
    if (other != null) {
      return other;
    }
    // A writer before may have finished.
    CompletableFuture<Void> written =
        devices.hasManifest(hash)
            ? CompletableFuture.completedFuture(null)
            : writer.apply(new DevicesMessage.OfManifest(hash, manifest.json(), group));
    return written.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            devices.addManifest(hash, group);
          }
          manifestsInFlight.remove(hash, mine);
          if (failure == null) {
            mine.complete(null);
          } else {
            mine.completeExceptionally(failure);
          }
        });
  }

  /** Within this gateway, no UUID is registered in two groups at once. */
  private boolean claim(UUID uuid, String group) {
    return claims
        .merge(
            uuid,
            new Claim(group, 1),
            (held, mine) ->
                held.group().equals(group) ? new Claim(group, held.requests() + 1) : held)
        .group()
        .equals(group);
  }

  private void release(UUID uuid) {
    claims.computeIfPresent(
        uuid,
        (key, held) -> held.requests() == 1 ? null : new Claim(held.group(), held.requests() - 1));
  }

  private static CompletableFuture<RegistrationAnswer> otherGroup() {
    return refused(
        Reason.OTHER_GROUP,
        "The uuid is registered in another group: use that group's token, or another uuid");
  }

  private static CompletableFuture<RegistrationAnswer> refused(Reason reason, String message) {
    return CompletableFuture.completedFuture(new Refused(reason, message));
  }
}
