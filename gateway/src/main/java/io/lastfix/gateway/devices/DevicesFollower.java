package io.lastfix.gateway.devices;

import io.lastfix.kit.poll.Backoff;
import io.lastfix.model.device.DeviceUsage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
 * every gateway reads everything. Partitions that are added later are read within {@link
 * #METADATA_AGE}: a revocation in one of them must not go unheard.
 *
 * <p>Once a second it queries the topic's end and reads up to it. If that fails, it tries again
 * with growing pauses, and with a new consumer, until it is closed. It is ready only while the last
 * end that it has reached is not older than a limit: a gateway that hears of no revocations must
 * not accept signatures.
 *
 * <p>A message that cannot be read is counted, logged with its place, and skipped: one bad message
 * must not lock all devices out. A decision about a device that cannot be read disables that
 * device.
 */
public final class DevicesFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DevicesFollower.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /** Between two queries for the topic's end, and the limit of each. */
  private static final Duration CHECK = Duration.ofSeconds(1);

  private static final Duration CHECK_LIMIT = Duration.ofSeconds(5);

  /** How old the consumer's knowledge of the topic's partitions may be. */
  private static final Duration METADATA_AGE = Duration.ofSeconds(10);

  /** Between two lines of the log while a long topic is read for the first time. */
  private static final Duration PROGRESS = Duration.ofSeconds(10);

  private static final Backoff BACKOFF = new Backoff(CHECK, Duration.ofSeconds(15));
  private static final long CLOSE_LIMIT_MILLIS = 10_000;

  private final String topic;
  private final java.util.function.Consumer<DevicesMessage> target;
  private final Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers;
  private final Duration maxStaleness;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();

  /** Where to continue with a new consumer. */
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  private volatile @Nullable Consumer<byte @Nullable [], byte @Nullable []> consumer;
  private volatile long reachedEndAt;
  private volatile @Nullable Throwable failure;

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
        () -> newConsumer(properties),
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
    this.topic = topic;
    this.consumers = consumers;
    this.target = target;
    this.maxStaleness = maxStaleness;
    this.nanoTime = nanoTime;
    thread = new Thread(this::run, "lastfix-devices-follower");
    thread.setDaemon(true);
  }

  private static Consumer<byte @Nullable [], byte @Nullable []> newConsumer(
      Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    // A revocation counts at once.
    all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    all.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, (int) METADATA_AGE.toMillis());
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

  /**
   * Waits until the topic was read up to its end: as long as messages come, however many there are.
   *
   * @param patience the longest time without a message
   * @throws IllegalStateException if it cannot be read; says what to do
   */
  void awaitReady(Duration patience) throws InterruptedException {
    Duration step = patience.compareTo(CHECK) < 0 ? patience : CHECK;
    long before = 0;
    long since = nanoTime.getAsLong();
    long loggedAt = since;
    while (!isReadWithin(step)) {
      long now = nanoTime.getAsLong();
      long count = taken.get();
      if (count > before) {
        before = count;
        since = now;
      } else if (now - since >= patience.toNanos()) {
        Throwable cause = failure;
        throw new IllegalStateException(
            "The topic %s was not read to its end: after %d messages none came for %d s (kafka.start-timeout)%s: check that the brokers run"
                .formatted(
                    topic,
                    count,
                    patience.toSeconds(),
                    cause == null ? "" : ", " + cause.getMessage()),
            cause);
      }
      if (now - loggedAt >= PROGRESS.toNanos()) {
        loggedAt = now;
        LOG.info("{} messages of {} were read so far", count, topic);
      }
    }
  }

  private boolean isReadWithin(Duration time) throws InterruptedException {
    try {
      ready.get(time.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** Whether the topic was read up to its end, and recently enough. */
  public boolean isReady() {
    return problem().isEmpty();
  }

  /** Why this gateway cannot say which devices are revoked; empty if it can. */
  public Optional<String> problem() {
    if (!ready.isDone() || ready.isCompletedExceptionally()) {
      return Optional.of(topic + " was not read to its end yet");
    }
    Duration staleness = Duration.ofNanos(nanoTime.getAsLong() - reachedEndAt);
    if (staleness.compareTo(maxStaleness) <= 0) {
      return Optional.empty();
    }
    Throwable cause = failure;
    return Optional.of(
        "%s was read to its end %d s ago%s"
            .formatted(
                topic, staleness.toSeconds(), cause == null ? "" : ": " + cause.getMessage()));
  }

  /** The messages that could not be read. */
  public long skipped() {
    return skipped.get();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void run() {
    Duration pause = CHECK;
    while (!isClosed()) {
      try (Consumer<byte @Nullable [], byte @Nullable []> opened = consumers.get()) {
        consumer = opened;
        List<TopicPartition> partitions = assign(opened);
        boolean isWhole = true;
        while (isWhole && !isClosed()) {
          try {
            readToTheEnd(opened, partitions);
            isWhole = opened.partitionsFor(topic).size() <= partitions.size();
            pause = CHECK;
          } catch (RetriableException e) {
            report(e);
            waitOrClosed(CHECK);
          }
        }
        if (!isWhole) {
          LOG.warn(
              "{} has got more partitions; they are read, too. A key's older and newer messages may now be in two of them, and after a restart either may count: repeat the latest decisions",
              topic);
        }
      } catch (WakeupException e) {
        // Only close() wakes it up.
      } catch (RuntimeException | Error e) {
        if (!ready.isDone() && !(e instanceof RetriableException)) {
          ready.completeExceptionally(
              new KafkaException(
                  "The topic %s cannot be followed: %s".formatted(topic, e.getMessage()), e));
          return;
        }
        report(e);
        waitOrClosed(pause);
        pause = BACKOFF.longer(pause);
      }
    }
  }

  private List<TopicPartition> assign(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    List<TopicPartition> partitions =
        opened.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new KafkaException("the topic does not exist: create it with lastfix group create");
    }
    opened.assign(partitions);
    opened.seekToBeginning(partitions);
    positions.forEach(
        (partition, position) -> {
          if (partitions.contains(partition)) {
            opened.seek(partition, position);
          }
        });
    return partitions;
  }

  /** Reads up to the end as it is now, and on until the next end is to be queried. */
  private void readToTheEnd(
      Consumer<byte @Nullable [], byte @Nullable []> opened, List<TopicPartition> partitions) {
    long asked = nanoTime.getAsLong();
    Map<TopicPartition, Long> ends = new HashMap<>(opened.endOffsets(partitions, CHECK_LIMIT));
    // A position behind the end: the topic was made anew. The polls below may read messages that
    // were written after the end was queried, so this is asked before them only.
    ends.forEach(
        (partition, end) -> {
          if (positions.getOrDefault(partition, 0L) > end) {
            positions.remove(partition);
            opened.seekToBeginning(List.of(partition));
          }
        });
    while (!isClosed()) {
      ends.entrySet().removeIf(end -> opened.position(end.getKey()) >= end.getValue());
      if (ends.isEmpty()) {
        reached(asked);
        break;
      }
      opened.poll(POLL).forEach(this::take);
    }
    while (!isClosed() && nanoTime.getAsLong() - asked < CHECK.toNanos()) {
      opened.poll(POLL).forEach(this::take);
    }
  }

  private void reached(long asked) {
    reachedEndAt = asked;
    if (failure != null) {
      LOG.info("{} is followed again", topic);
      failure = null;
    }
    ready.complete(null);
  }

  private void take(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    try {
      DevicesCodec.read(message.key(), message.value()).ifPresent(target);
    } catch (DevicesFormatException e) {
      skipped.incrementAndGet();
      DevicesCodec.insteadOfUnreadable(message.key()).ifPresent(target);
      LOG.warn(
          "Skipping a message of {}, partition {}, offset {}: {}",
          topic,
          message.partition(),
          message.offset(),
          e.getMessage());
    }
    positions.put(new TopicPartition(topic, message.partition()), message.offset() + 1);
    taken.incrementAndGet();
  }

  /** Logs the first of several failures in a row. */
  private void report(Throwable cause) {
    if (failure == null) {
      LOG.warn(
          "{} cannot be followed now, so revocations are not heard of; trying again: {}",
          topic,
          cause.toString());
    }
    failure = cause;
  }

  private void waitOrClosed(Duration pause) {
    try {
      var unused = closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed.countDown();
    }
  }

  /** Stops to follow. */
  @Override
  public void close() {
    closed.countDown();
    Consumer<byte @Nullable [], byte @Nullable []> open = consumer;
    if (open != null) {
      open.wakeup();
    }
    try {
      thread.join(CLOSE_LIMIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ready.cancel(false);
  }
}
