package io.lastfix.gateway.devices;

import io.lastfix.model.device.DeviceUsage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code lastfix.devices} on a thread of its own: reads it from the beginning, is ready
 * once it has reached the end as it was at the start, and continues. It uses no consumer group, so
 * every gateway reads everything. Partitions that are added later are read after a restart.
 *
 * <p>A message that cannot be read is counted, logged with its place, and skipped: one bad message
 * must not lock all devices out.
 */
public final class DevicesFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DevicesFollower.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long CLOSE_LIMIT_MILLIS = 10_000;

  private final String topic;
  private final Consumer<DevicesMessage> target;
  private final org.apache.kafka.clients.consumer.Consumer<byte @Nullable [], byte @Nullable []>
      consumer;
  private final Thread thread;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final AtomicLong skipped = new AtomicLong();
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  /**
   * Prepares to follow the topic with a consumer of its own.
   *
   * @param properties of Kafka clients
   */
  public DevicesFollower(String topic, Map<String, Object> properties, Devices devices) {
    this(topic, properties, devices, usage -> {});
  }

  /**
   * The same with the devices' usage.
   *
   * @param usages receives each usage, also of earlier days
   */
  public DevicesFollower(
      String topic, Map<String, Object> properties, Devices devices, Consumer<DeviceUsage> usages) {
    this(
        topic,
        newConsumer(properties),
        message -> {
          if (message instanceof DevicesMessage.OfUsage of) {
            if (of.usage() != null) {
              usages.accept(of.usage());
            }
          } else {
            devices.apply(message);
          }
        });
    devices.readyIf(this::isReady);
  }

  DevicesFollower(
      String topic,
      org.apache.kafka.clients.consumer.Consumer<byte @Nullable [], byte @Nullable []> consumer,
      Consumer<DevicesMessage> target) {
    this.topic = topic;
    this.consumer = consumer;
    this.target = target;
    thread = new Thread(this::run, "lastfix-devices-follower");
    thread.setDaemon(true);
  }

  private static org.apache.kafka.clients.consumer.Consumer<byte @Nullable [], byte @Nullable []>
      newConsumer(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    // A revocation counts at once.
    all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Starts to follow. */
  public DevicesFollower start() {
    thread.start();
    return this;
  }

  /** Completes once the topic was read up to its end; fails if it cannot be read. */
  public CompletableFuture<Void> ready() {
    return ready.copy();
  }

  /** Whether the topic was read up to its end, and is still followed. */
  public boolean isReady() {
    return ready.isDone() && !ready.isCompletedExceptionally() && failure == null;
  }

  /** Why the topic is followed no longer; empty while it is. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** The messages that could not be read. */
  public long skipped() {
    return skipped.get();
  }

  private void run() {
    try (consumer) {
      readToTheEnd();
      ready.complete(null);
      while (!closed) {
        poll().forEach(this::take);
      }
    } catch (WakeupException e) {
      // Only close() wakes it up.
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void readToTheEnd() {
    boolean read = false;
    while (!read && !closed) {
      try {
        read = tryReadToTheEnd();
      } catch (RetriableException e) {
        LOG.warn("{} cannot be read yet, trying again: {}", topic, e.getMessage());
      }
    }
  }

  /** Returns whether the end was reached; else it was closed. */
  private boolean tryReadToTheEnd() {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new KafkaException("the topic does not exist: create it with lastfix group create");
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
    while (!closed) {
      ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
      if (ends.isEmpty()) {
        return true;
      }
      poll().forEach(this::take);
    }
    return false;
  }

  private ConsumerRecords<byte @Nullable [], byte @Nullable []> poll() {
    try {
      return consumer.poll(POLL);
    } catch (RetriableException e) {
      LOG.warn("{} cannot be read now, trying again: {}", topic, e.getMessage());
      return ConsumerRecords.empty();
    }
  }

  private void take(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    try {
      DevicesCodec.read(message.key(), message.value()).ifPresent(target);
    } catch (DevicesFormatException e) {
      skipped.incrementAndGet();
      LOG.warn(
          "Skipping a message of {}, partition {}, offset {}: {}",
          topic,
          message.partition(),
          message.offset(),
          e.getMessage());
    }
  }

  private void fail(RuntimeException cause) {
    failure = cause;
    KafkaException told =
        new KafkaException(
            "The topic %s cannot be followed: %s".formatted(topic, cause.getMessage()), cause);
    if (!ready.completeExceptionally(told)) {
      LOG.error(
          "{} is followed no longer, so revocations have no effect here: restart this gateway",
          topic,
          cause);
    }
  }

  /** Stops to follow. */
  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    if (thread.isAlive()) {
      try {
        thread.join(CLOSE_LIMIT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    ready.cancel(false);
  }
}
