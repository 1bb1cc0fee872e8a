package io.lastfix.rules.follow;

import io.lastfix.rules.follow.RuleFollower.Options;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleCodec;
import io.lastfix.rules.topic.RuleMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the subtasks of a job acknowledge, and which rules they pause, on its own thread: a
 * producer may wait for Kafka, and a subtask must not.
 *
 * <p>A subtask's acknowledgement is written if it has changed, at most once each {@link #TICK}, and
 * repeated each {@link #REPEAT}, so that a reader notices that the job has ended. What Kafka has
 * not stored is written again.
 *
 * <p>A pause is dropped if it is too late: compaction keeps the last one, so it would undo one that
 * an operator has set since.
 */
final class Acknowledgements implements AutoCloseable {
  /** Between two looks at what has changed. */
  static final Duration TICK = Duration.ofMillis(100);

  static final Duration REPEAT = Duration.ofSeconds(10);

  /** Before what Kafka has not stored is written again. */
  static final Duration RETRY = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Acknowledgements.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final long NONE = -1;

  private final Options options;
  private final String jobId;
  private final Producer<byte[], byte[]> producer;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService executor;
  private final List<OfSubtask> subtasks = new CopyOnWriteArrayList<>();
  private final Queue<RuleMessage.OfPause> pauses = new ConcurrentLinkedQueue<>();
  private final Queue<RuleMessage.OfPause> refused = new ConcurrentLinkedQueue<>();

  /** The topics of which the last message was not stored. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  private volatile RuleBook book = RuleBook.EMPTY;

  /** Of its thread. */
  private boolean hasThrown;

  /** When what was refused is written again, of {@link #nanoTime}. */
  private long retryAt;

  /**
   * Takes a producer, and closes it with this.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  Acknowledgements(
      Options options,
      String jobId,
      Producer<byte[], byte[]> producer,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.options = options;
    this.jobId = jobId;
    this.producer = producer;
    this.clock = clock;
    this.nanoTime = nanoTime;
    retryAt = nanoTime.getAsLong();
    executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "lastfix-rules-acknowledgements-" + jobId);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts to write. */
  void start() {
    var unused =
        executor.scheduleWithFixedDelay(
            this::writeOrLog, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Adds a subtask, which has not acknowledged anything. */
  OfSubtask add(int subtask, int of, int attempt) {
    OfSubtask added = new OfSubtask(subtask, of, attempt);
    subtasks.add(added);
    return added;
  }

  void remove(OfSubtask subtask) {
    subtasks.remove(subtask);
  }

  void pause(RuleMessage.OfPause pause) {
    pauses.add(pause);
  }

  /** Decides from now on by these messages which pauses are too late. */
  void read(RuleBook newest) {
    book = newest;
  }

  /** The executor would not run a task again that has thrown. */
  private void writeOrLog() {
    try {
      write();
    } catch (Throwable e) {
      if (!hasThrown) {
        hasThrown = true;
        LOG.warn("This job cannot write its acknowledgements now; trying again", e);
      }
    }
  }

  /** Writes what is due; called by its thread only. */
  void write() {
    subtasks.forEach(OfSubtask::writeIfDue);
    if (nanoTime.getAsLong() - retryAt >= 0) {
      for (var pause = refused.poll(); pause != null; pause = refused.poll()) {
        pauses.add(pause);
      }
      retryAt = nanoTime.getAsLong() + RETRY.toNanos();
    }
    for (var pause = pauses.poll(); pause != null; pause = pauses.poll()) {
      if (book.takes(pause)) {
        write(pause);
      }
    }
  }

  private void write(RuleMessage.OfPause pause) {
    send(
        new ProducerRecord<>(options.topic(), RuleCodec.key(pause), RuleCodec.value(pause)),
        () -> refused.add(pause));
  }

  private void send(ProducerRecord<byte[], byte[]> message, Runnable ifRefused) {
    Callback callback =
        (place, failure) -> {
          if (failure == null) {
            failing.remove(message.topic());
          } else {
            ifRefused.run();
            report(message.topic(), failure);
          }
        };
    try {
      var unused = producer.send(message, callback);
    } catch (RuntimeException e) {
      ifRefused.run();
      report(message.topic(), e);
    }
  }

  /** Logs the first of several failures in a row. */
  private void report(String topic, Exception failure) {
    if (failing.add(topic)) {
      LOG.warn(
          "Kafka does not store what this job writes to {}; trying again: {}",
          topic,
          failure.toString());
    }
  }

  /** Ends after the pauses are written. */
  @Override
  public void close() {
    executor.execute(
        () -> {
          writeOrLog();
          producer.close(CLOSE_LIMIT);
        });
    executor.shutdown();
    try {
      if (!executor.awaitTermination(2 * CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("The producer for {} does not end", options.appliedTopic());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What one subtask acknowledges. */
  final class OfSubtask {
    private final int subtask;
    private final int of;
    private final int attempt;
    private volatile long applied = NONE;
    private volatile boolean isRefused;
    private long written = NONE;
    private long writtenAt;

    private OfSubtask(int subtask, int of, int attempt) {
      this.subtask = subtask;
      this.of = of;
      this.attempt = attempt;
    }

    /** Acknowledges all messages before an offset; for any thread. */
    void applied(long offset) {
      applied = offset;
    }

    private void writeIfDue() {
      long offset = applied;
      long now = nanoTime.getAsLong();
      Duration age = Duration.ofNanos(now - writtenAt);
      boolean isDue =
          offset != written
              || age.compareTo(REPEAT) >= 0
              || (isRefused && age.compareTo(RETRY) >= 0);
      if (offset == NONE || !isDue) {
        return;
      }
      Instant at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      Applied message = new Applied(jobId, subtask, of, attempt, offset, at);
      written = offset;
      writtenAt = now;
      isRefused = false;
      send(
          new ProducerRecord<>(
              options.appliedTopic(), AppliedCodec.key(message), AppliedCodec.value(message)),
          () -> isRefused = true);
    }
  }
}
