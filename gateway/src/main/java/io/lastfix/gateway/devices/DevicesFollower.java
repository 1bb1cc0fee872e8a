package io.lastfix.gateway.devices;

import io.lastfix.kit.kafka.TopicFollower;
import io.lastfix.kit.kafka.UnreadableMessageException;
import io.lastfix.model.device.DeviceUsage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code lastfix.devices} by a {@link TopicFollower}. It is ready only while the last end
 * that it has reached is not older than a limit: a gateway that hears of no revocations must not
 * accept signatures. A revocation in a partition that is added later is heard, too.
 *
 * <p>A message that cannot be read is skipped: one bad message must not lock all devices out. A
 * decision about a device that cannot be read disables that device.
 */
public final class DevicesFollower implements AutoCloseable {
  private static final TopicFollower.Texts TEXTS =
      new TopicFollower.Texts(
          "create it with lastfix group create",
          "revocations are not heard of",
          " (kafka.start-timeout)",
          "they are read, too. A key's older and newer messages may now be in two of them, and"
              + " after a restart either may count: repeat the latest decisions");

  private final Duration maxStaleness;
  private final TopicFollower follower;

  /**
   * Prepares to follow the topic with a consumer of its own.
   *
   * @param properties of Kafka clients
   * @param maxStaleness how old the last reached end may be
   * @param usages receives each usage, also of earlier days
   */
  public DevicesFollower(
      String topic,
      Map<String, Object> properties,
      Devices devices,
      Duration maxStaleness,
      java.util.function.Consumer<DeviceUsage> usages) {
    this(
        topic,
        () -> TopicFollower.consumer(properties),
        message -> {
          if (message instanceof DevicesMessage.OfUsage of) {
            if (of.usage() != null) {
              usages.accept(of.usage());
            }
          } else {
            devices.apply(message);
          }
        },
        maxStaleness,
        System::nanoTime);
    devices.readyIf(this::isReady);
  }

  DevicesFollower(
      String topic,
      Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers,
      java.util.function.Consumer<DevicesMessage> target,
      Duration maxStaleness,
      LongSupplier nanoTime) {
    this.maxStaleness = maxStaleness;
    follower =
        new TopicFollower(
            topic,
            "lastfix-devices-follower",
            TEXTS,
            consumers,
            message -> take(message, target),
            nanoTime);
  }

  private static void take(
      ConsumerRecord<byte @Nullable [], byte @Nullable []> message,
      java.util.function.Consumer<DevicesMessage> target)
      throws UnreadableMessageException {
    try {
      DevicesCodec.read(message.key(), message.value()).ifPresent(target);
    } catch (DevicesFormatException e) {
      DevicesCodec.insteadOfUnreadable(message.key()).ifPresent(target);
      throw new UnreadableMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Starts to follow. */
  public DevicesFollower start() {
    var unused = follower.start();
    return this;
  }

  /** Completes once the topic was read up to its end; fails if it cannot be read. */
  public CompletableFuture<Void> ready() {
    return follower.ready();
  }

  /**
   * Waits until the topic was read up to its end: as long as messages come, however many there are.
   *
   * @param patience the longest time without a message
   * @throws IllegalStateException if it cannot be read; says what to do
   */
  void awaitReady(Duration patience) throws InterruptedException {
    follower.awaitReady(patience);
  }

  /** Whether the topic was read up to its end, and recently enough. */
  public boolean isReady() {
    return problem().isEmpty();
  }

  /** Why this gateway cannot say which devices are revoked; empty if it can. */
  public Optional<String> problem() {
    return follower.problem(maxStaleness);
  }

  /** The messages that could not be read. */
  public long skipped() {
    return follower.skipped();
  }

  /** Stops to follow. */
  @Override
  public void close() {
    follower.close();
  }
}
