package io.lastfix.gateway.devices;

import io.lastfix.gateway.config.DevicesOptions;
import io.lastfix.gateway.config.KafkaOptions;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.model.device.DeviceUsage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The devices that a gateway knows, as its routes need them.
 *
 * @param devices what is known
 * @param authenticator of signed requests
 * @param registration of new devices
 * @param problem why decisions about devices are not followed; empty if they are
 * @param groupsWithoutKey the groups whose devices cannot sign here, because a valid key is absent
 * @param skipped the messages of the topic that could not be read
 * @param ending ends the clients of Kafka
 */
public record RegisteredDevices(
    Devices devices,
    SignedRequestAuthenticator authenticator,
    Registration registration,
    Supplier<Optional<String>> problem,
    Supplier<List<String>> groupsWithoutKey,
    Supplier<Number> skipped,
    Runnable ending)
    implements AutoCloseable {

  /** Registrations wait behind one that waits for the topic's metadata. */
  private static final int MAX_BLOCK_MILLIS = 1_000;

  /**
   * Reads the topic to its end, and follows it from then on.
   *
   * @param usages receives the devices' usage
   * @throws IllegalStateException if the topic cannot be read; says what to do
   */
  public static RegisteredDevices follow(
      DevicesOptions options, KafkaOptions kafka, Consumer<DeviceUsage> usages) {
    Devices devices = new Devices();
    DevicesFollower follower =
        new DevicesFollower(
                options.topic(),
                named(kafka, "lastfix-gateway-devices"),
                devices,
                options.maxStaleness(),
                usages)
            .start();
    try {
      follower.awaitReady(kafka.startTimeout());
    } catch (IllegalStateException e) {
      follower.close();
      throw e;
    } catch (InterruptedException e) {
      follower.close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while reading " + options.topic(), e);
    }
    Map<String, Object> producer = named(kafka, "lastfix-gateway-registrations");
    int deliveryMillis = (int) kafka.deliveryTimeout().toMillis();
    producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryMillis);
    producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, deliveryMillis / 2);
    producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    DevicesTopicWriter writer =
        new DevicesTopicWriter(options.topic(), producer, kafka.deliveryTimeout());
    return of(
        devices,
        new GroupKeys(options.groupKeys(), System.getenv(), InstantSource.system()),
        writer::write,
        options.tolerance(),
        InstantSource.system(),
        follower::problem,
        follower::skipped,
        () -> {
          writer.close();
          follower.close();
        });
  }

  /**
   * Puts together what runs already.
   *
   * @param writer as of {@link Registration}
   */
  public static RegisteredDevices of(
      Devices devices,
      GroupKeys groupKeys,
      Function<DevicesMessage, CompletableFuture<Void>> writer,
      Duration tolerance,
      InstantSource clock,
      Supplier<Optional<String>> problem,
      Supplier<Number> skipped,
      Runnable ending) {
    return new RegisteredDevices(
        devices,
        new SignedRequestAuthenticator(
            devices,
            groupKeys,
            new SignatureVerifier(SignaturePolicy.OF_DEVICES.withTolerance(tolerance))),
        new Registration(devices, groupKeys, writer, clock, UUID::randomUUID),
        problem,
        () -> groupsWithoutKey(devices, groupKeys),
        skipped,
        ending);
  }

  private static List<String> groupsWithoutKey(Devices devices, GroupKeys groupKeys) {
    return devices.groupNames().stream()
        .flatMap(name -> devices.group(name).stream())
        .filter(
            group ->
                group.keys().stream()
                    .anyMatch(key -> groupKeys.findUsable(group.name(), key).isEmpty()))
        .map(Group::name)
        .toList();
  }

  /** Whether there are groups, and no device of any of them can sign here. */
  public boolean lacksAllKeys() {
    List<String> without = groupsWithoutKey.get();
    return !without.isEmpty() && without.size() == devices.groupNames().size();
  }

  /** Why requests of devices cannot be expected to succeed; empty if they can. */
  public Optional<String> readinessProblem() {
    return problem
        .get()
        .or(() -> lacksAllKeys() ? Optional.of("no key of any group is here") : Optional.empty());
  }

  private static Map<String, Object> named(KafkaOptions kafka, String clientId) {
    Map<String, Object> all = kafka.clientProperties();
    all.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
    return all;
  }

  @Override
  public void close() {
    ending.run();
  }
}
