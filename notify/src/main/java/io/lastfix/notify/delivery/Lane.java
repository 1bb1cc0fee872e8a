package io.lastfix.notify.delivery;

import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.poll.Backoff;
import io.lastfix.kit.poll.Poll;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.config.DeliveryOptions;
import io.lastfix.notify.metrics.NotifyMetrics;
import io.lastfix.notify.receiver.Receiver;
import io.lastfix.notify.undelivered.UndeliveredMessage;
import io.lastfix.notify.undelivered.UndeliveredTopic;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.rules.alert.AlertFormatException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers alerts to one receiver, in a consumer group of its own: a receiver that hangs holds up
 * no other, and Kafka's committed offsets are all that a restart needs.
 *
 * <p>Its thread reads alerts into a {@link Window}, and commits what {@link Attempts} have
 * finished.
 */
public final class Lane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration KAFKA_LIMIT = Duration.ofSeconds(5);
  private static final Backoff RECONNECT =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(15));
  private static final Duration DRAIN_STEP = Duration.ofMillis(20);

  /** Of the consumer of a killed server: for so long, its alerts wait. Kafka's default is 45 s. */
  private static final int SESSION_TIMEOUT_MILLIS = 10_000;

  /** After it, a failure is a new one. */
  private static final Duration LONG_RUN = Duration.ofMinutes(1);

  private static final int MOST_PER_POLL = 100;

  /**
   * Of a partition, what a consumer may hold that was not polled, as it does while its window is
   * full. Each receiver has a consumer of all partitions. A larger alert still arrives, alone.
   */
  private static final int FETCH_BYTES = 128 * 1024;

  private final Receiver receiver;
  private final DeliveryOptions options;
  private final String topic;
  private final UndeliveredTopic undelivered;
  private final Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers;
  private final NotifyMetrics.OfReceiver metrics;
  private final InstantSource clock;
  private final Window window;
  private final Attempts attempts;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final LogLimit unreadable = new LogLimit();

  /** Writes of what the last poll had unreadable. */
  private final List<CompletableFuture<Void>> writes = new ArrayList<>();

  /** Whether its consumer is in the group. */
  private volatile boolean isReading;

  private volatile Optional<String> readingProblem = Optional.empty();
  private volatile Optional<String> commitProblem = Optional.empty();

  /**
   * A lane that is not started.
   *
   * @param topic of alerts
   * @param consumers creates a consumer, as {@link #consumer}; the lane closes it
   */
  public Lane(
      Receiver receiver,
      DeliveryOptions options,
      String topic,
      Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers,
      UndeliveredTopic undelivered,
      NotifyMetrics metrics,
      InstantSource clock) {
    this.receiver = receiver;
    this.options = options;
    this.topic = topic;
    this.consumers = consumers;
    this.undelivered = undelivered;
    this.clock = clock;
    window = new Window(options.window(), options.maxInFlight());
    this.metrics =
        metrics.of(receiver.name(), window::unfinished, this::oldestAge, () -> isReading ? 1 : 0);
    attempts = new Attempts(receiver, options, window, undelivered, this.metrics, clock);
    thread = new Thread(this::run, receiver.name());
    thread.setDaemon(true);
  }

  /**
   * Returns a consumer for a lane.
   *
   * @param client properties of Kafka clients
   * @param group of the receiver, which has committed offsets
   */
  public static Consumer<byte @Nullable [], byte @Nullable []> consumer(
      Map<String, Object> client, String group) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, group);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // Of a partition that was added, or has lost alerts before they were read.
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_PER_POLL);
    properties.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    properties.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS);
    // A rebalance takes no partition away that stays here: its attempts would be repeated.
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Starts to read and to deliver. */
  public Lane start() {
    thread.start();
    return this;
  }

  /** Returns the receiver's name. */
  public String name() {
    return receiver.name();
  }

  /**
   * Returns why no alerts are read, or else why Kafka takes no commit, or else why the last attempt
   * failed; empty if none did.
   */
  public Optional<String> problem() {
    return readingProblem.or(() -> commitProblem).or(attempts::problem);
  }

  /** Returns whether its threads run. Only a stop or an error of Java ends that. */
  public boolean isAlive() {
    return thread.isAlive() && attempts.isAlive();
  }

  /**
   * How far the lane is.
   *
   * @param delivered alerts that the receiver has, since the start
   * @param waiting alerts that were read and are not finished
   * @param oldest age of the oldest of these; 0 if there is none
   * @param undelivered alerts that were given up, since the start
   */
  public record Counts(long delivered, int waiting, Duration oldest, long undelivered) {}

  /** Returns how far it is. */
  public Counts counts() {
    return new Counts(
        (long) metrics.delivered().count(),
        window.unfinished(),
        oldestAge(),
        (long) metrics.undelivered().count());
  }

  private Duration oldestAge() {
    return window
        .oldest()
        .map(since -> Duration.between(since, clock.instant()))
        .filter(age -> !age.isNegative())
        .orElse(Duration.ZERO);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void run() {
    Duration pause = RECONNECT.shortest();
    while (!isClosing()) {
      Consumer<byte @Nullable [], byte @Nullable []> opened = null;
      long began = System.nanoTime();
      try {
        opened = consumers.get();
        follow(opened);
      } catch (RuntimeException e) {
        String problem = KafkaFailure.explain(e);
        if (!readingProblem.equals(Optional.of(problem))) {
          LOG.warn("{} cannot be read for {}; trying again: {}", topic, name(), problem);
          readingProblem = Optional.of(problem);
        }
      } finally {
        isReading = false;
        // Before the pause: what is delivered without a consumer is not committed, and comes again.
        window.dropAll();
        if (opened != null) {
          end(opened);
        }
      }
      if (System.nanoTime() - began > LONG_RUN.toNanos()) {
        pause = RECONNECT.shortest();
      }
      pauseFor(pause);
      pause = RECONNECT.longer(pause);
    }
  }

  private void end(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    try {
      opened.close(KAFKA_LIMIT);
    } catch (KafkaException e) {
      LOG.warn("the consumer of {} did not leave its group: {}", name(), e.getMessage());
    }
  }

  private void pauseFor(Duration pause) {
    try {
      var unused = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closing.countDown();
    }
  }

  private void follow(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    opened.subscribe(List.of(topic), new Assignments(opened));
    long committedAt = System.nanoTime();
    writes.clear();
    while (!isClosing()) {
      // Also while the window is full: a consumer that does not poll leaves its group.
      opened.poll(POLL).forEach(this::take);
      awaitWrites();
      if (window.isFull()) {
        opened.pause(opened.assignment());
      } else {
        opened.resume(opened.paused());
      }
      attempts.wake();
      if (System.nanoTime() - committedAt >= COMMIT_INTERVAL.toNanos()) {
        committedAt = System.nanoTime();
        commitLater(opened);
      }
    }
    drain(opened);
  }

  /** The next consumer of a revoked partition delivers what is unfinished after a while. */
  private final class Assignments implements ConsumerRebalanceListener {
    private final Consumer<byte @Nullable [], byte @Nullable []> opened;

    Assignments(Consumer<byte @Nullable [], byte @Nullable []> opened) {
      this.opened = opened;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        Map<TopicPartition, OffsetAndMetadata> committed =
            opened.committed(Set.copyOf(partitions), KAFKA_LIMIT);
        partitions.forEach(partition -> window.assign(partition, committed.get(partition)));
      }
      isReading = true;
      readingProblem = Optional.empty();
      commitProblem = Optional.empty();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        window.revoke(partitions);
        awaitAttempts(() -> window.inFlight(partitions));
        commitNow(opened);
        window.drop(partitions);
      }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      isReading = false;
      window.drop(partitions);
    }
  }

  private void take(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    TopicPartition partition = new TopicPartition(message.topic(), message.partition());
    List<Action> actions;
    Alert alert;
    try {
      alert = AlertCodec.read(message.value());
      actions = alert.then().stream().filter(receiver::takes).distinct().toList();
      byte @Nullable [] later =
          receiver.takesUnreadable() ? AlertCodec.ofUnknownActions(message.value()) : null;
      if (later != null) {
        giveUp(message, later, "then has an action of an unknown kind");
      }
    } catch (AlertFormatException e) {
      metrics.unreadable().increment();
      if (receiver.takesUnreadable()) {
        giveUp(message, message.value(), String.valueOf(e.getMessage()));
      }
      window.skip(partition, message.offset());
      return;
    }
    if (actions.isEmpty()) {
      window.skip(partition, message.offset());
      return;
    }
    Instant now = clock.instant();
    Instant taken = Instant.ofEpochMilli(message.timestamp());
    // A producer's clock may be ahead, and a message of an old format has no time.
    Instant since = taken.isBefore(now) && message.timestamp() >= 0 ? taken : now;
    window.add(partition, message.offset(), since, message.serializedValueSize(), alert, actions);
  }

  /** A later release may read it, so it must not be lost while this one runs beside that. */
  private void giveUp(
      ConsumerRecord<byte @Nullable [], byte @Nullable []> message,
      byte @Nullable [] value,
      String reason) {
    if (unreadable.allows(clock.instant())) {
      LOG.warn(
          "cannot read a message of {}, which is given up: partition {}, offset {}: {}",
          topic,
          message.partition(),
          message.offset(),
          reason);
    }
    writes.add(
        undelivered.write(
            new UndeliveredMessage(
                message.partition(), message.offset(), value, reason, clock.instant())));
  }

  /** Before a commit passes them. If one fails, all are read again. */
  private void awaitWrites() {
    for (CompletableFuture<Void> write : writes) {
      try {
        var unused = write.join();
      } catch (CompletionException e) {
        throw new KafkaException(
            "an unreadable message cannot be given up: " + RootCause.message(e), e);
      }
      metrics.undelivered().increment();
    }
    writes.clear();
  }

  private void commitLater(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    Map<TopicPartition, OffsetAndMetadata> commit = window.toCommit();
    if (!commit.isEmpty()) {
      opened.commitAsync(
          commit,
          (offsets, failure) -> {
            if (failure == null) {
              commitProblem = Optional.empty();
              window.committed(offsets);
            } else if (!isPassing(failure)) {
              commitFailed(failure);
            }
          });
    }
  }

  /** The next commit has the same. */
  private static boolean isPassing(Exception failure) {
    return failure instanceof RetriableException || failure instanceof RebalanceInProgressException;
  }

  /** Without a word, a restart would deliver the alerts of weeks again. */
  private void commitFailed(Exception failure) {
    Optional<String> problem =
        Optional.of("the group's offsets are not committed: " + KafkaFailure.explain(failure));
    if (!problem.equals(commitProblem)) {
      LOG.warn("{}: {}", name(), problem.get());
      commitProblem = problem;
    }
  }

  private void commitNow(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    Map<TopicPartition, OffsetAndMetadata> commit = window.toCommit();
    try {
      if (!commit.isEmpty()) {
        opened.commitSync(commit, KAFKA_LIMIT);
        window.committed(commit);
      }
    } catch (KafkaException e) {
      LOG.warn(
          "{} could not commit: alerts of the last second may be delivered again: {}",
          name(),
          KafkaFailure.explain(e));
    }
  }

  private void drain(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    awaitAttempts(window::inFlight);
    commitNow(opened);
  }

  private void awaitAttempts(IntSupplier inFlight) {
    try {
      var unused =
          Poll.until(DRAIN_STEP, options.drainTimeout(), inFlight::getAsInt, count -> count == 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes no further alerts. Returns at once. */
  public void stop() {
    window.stop();
    closing.countDown();
  }

  /** Stops, waits for attempts in flight, and commits. */
  @Override
  public void close() {
    stop();
    try {
      thread.join(options.drainTimeout().plus(KAFKA_LIMIT.multipliedBy(3)).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    attempts.close();
  }
}
