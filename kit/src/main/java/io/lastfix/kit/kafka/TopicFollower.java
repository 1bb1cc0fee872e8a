package io.lastfix.kit.kafka;

import io.lastfix.kit.poll.Backoff;
import io.lastfix.kit.poll.Poll;
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
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a topic on a thread: reads it from the beginning, is ready once it has reached the end as
 * it was at the start, and continues. It uses no consumer group, so every follower reads
 * everything. Partitions that are added later are read within {@link #METADATA_AGE}. A topic that
 * does not exist at the start is waited for: it may have been created just now.
 *
 * <p>Once a second it queries the topic's end and reads up to it. If that fails, it tries again
 * with growing pauses, and with a new consumer, until it is closed.
 *
 * <p>A message that cannot be read is counted, logged with its place, and skipped: one bad message
 * must not stop all others.
 */
public final class TopicFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /** Between two queries for the topic's end, and the limit of each. */
  private static final Duration CHECK = Duration.ofSeconds(1);

  private static final Duration CHECK_LIMIT = Duration.ofSeconds(5);

  /** How old the consumer's knowledge of the topic's partitions may be. */
  private static final Duration METADATA_AGE = Duration.ofSeconds(10);

  /** Between two lines of the log while a long topic is read for the first time. */
  private static final Duration PROGRESS = Duration.ofSeconds(10);

  private static final Duration STEP = Duration.ofMillis(20);
  private static final Backoff BACKOFF = new Backoff(CHECK, Duration.ofSeconds(15));
  private static final long CLOSE_LIMIT_MILLIS = 10_000;

  private final String topic;
  private final Texts texts;
  private final Handler handler;
  private final Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();

  /** Where to continue with a new consumer. */
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  /** Whether an end was reached since a partition was last begun. */
  private boolean isCaughtUp;

  private volatile @Nullable Consumer<byte @Nullable [], byte @Nullable []> consumer;
  private volatile long reachedEndAt;
  private volatile @Nullable Throwable failure;

  /** Handles the messages, in the follower's thread. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Handles one message.
     *
     * @throws UnreadableMessageException if it cannot be read
     */
    void message(ConsumerRecord<byte @Nullable [], byte @Nullable []> message)
        throws UnreadableMessageException;

    /**
     * All messages up to an end of the topic were handled. It is called at each end that is
     * reached, and from the first one on after each poll.
     */
    default void caughtUp() {}

    /**
     * The topic was deleted and created again, or has lost messages: the partition is read from its
     * beginning, and {@link #caughtUp} is called at its end.
     *
     * <p>This is noticed by the topic's end, once a second: a consumer does not show the topic's
     * id. It is not noticed if the new topic has as many messages by then as the follower had read.
     */
    default void beginAgain(int partition) {}
  }

  /**
   * What a user reads of a topic that cannot be followed.
   *
   * @param remedy if the topic does not exist
   * @param consequence while it cannot be read
   * @param startLimit the key of the longest time without a message, in brackets; may be empty
   * @param morePartitions what happens with the messages of partitions that are added
   */
  public record Texts(
      String remedy, String consequence, String startLimit, String morePartitions) {}

  /**
   * Prepares to follow a topic.
   *
   * @param threadName of the thread that follows it
   * @param consumers creates a consumer, as {@link #consumer}; the follower closes it
   * @param nanoTime as {@link System#nanoTime}
   */
  public TopicFollower(
      String topic,
      String threadName,
      Texts texts,
      Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers,
      Handler handler,
      LongSupplier nanoTime) {
    this.topic = topic;
    this.texts = texts;
    this.consumers = consumers;
    this.handler = handler;
    this.nanoTime = nanoTime;
    thread = new Thread(this::run, threadName);
    thread.setDaemon(true);
  }

  /**
   * Returns a consumer for a follower.
   *
   * @param properties of Kafka clients
   */
  public static Consumer<byte @Nullable [], byte @Nullable []> consumer(
      Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // The follower seeks, and has to hear of an offset that the topic does not have any more.
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    // A message counts at once.
    all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    all.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, (int) METADATA_AGE.toMillis());
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Starts to follow. */
  public TopicFollower start() {
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
  public void awaitReady(Duration patience) throws InterruptedException {
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
        throw notRead(patience);
      }
      if (now - loggedAt >= PROGRESS.toNanos()) {
        loggedAt = now;
        LOG.info("{} messages of {} were read so far", count, topic);
      }
    }
  }

  /**
   * Waits likewise until the topic was read up to an end that it had at that time or later.
   *
   * @param since of the follower's {@code nanoTime}
   * @throws IllegalStateException as {@link #awaitReady}
   */
  public void awaitEndSince(long since, Duration patience) throws InterruptedException {
    awaitReady(patience);
    Poll poll = new Poll(STEP, patience);
    while (reachedEndAt - since < 0) {
      poll.pause(() -> notRead(patience));
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

  private IllegalStateException notRead(Duration patience) {
    Throwable cause = failure;
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new IllegalStateException(cannotBeFollowed(cause), cause);
    }
    return new IllegalStateException(
        "The topic %s was not read to its end: after %d messages none came for %d s%s%s: check that the brokers run"
            .formatted(
                topic,
                taken.get(),
                patience.toSeconds(),
                texts.startLimit(),
                cause == null ? "" : ", " + cause.getMessage()),
        cause);
  }

  /**
   * Why the topic's newest messages may be absent; empty if they are not.
   *
   * @param maxStaleness how old the last reached end may be
   */
  public Optional<String> problem(Duration maxStaleness) {
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
          } catch (InvalidOffsetException e) {
            e.partitions().forEach(partition -> beginAgain(opened, partition));
          } catch (RetriableException e) {
            report(e);
            waitOrClosed(CHECK);
          }
        }
        if (!isWhole) {
          LOG.warn("{} has got more partitions; {}", topic, texts.morePartitions());
        }
      } catch (WakeupException e) {
        // Only close() wakes it up.
      } catch (RuntimeException | Error e) {
        if (!ready.isDone() && !(e instanceof RetriableException)) {
          ready.completeExceptionally(new KafkaException(cannotBeFollowed(e), e));
          return;
        }
        report(e);
        waitOrClosed(pause);
        pause = BACKOFF.longer(pause);
      }
    }
  }

  private String cannotBeFollowed(Throwable cause) {
    return "The topic %s cannot be followed: %s".formatted(topic, cause.getMessage());
  }

  private List<TopicPartition> assign(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    List<TopicPartition> partitions = partitions(opened);
    while (partitions.isEmpty() && !isClosed()) {
      report(absent());
      waitOrClosed(CHECK);
      partitions = partitions(opened);
    }
    opened.assign(partitions);
    opened.seekToBeginning(partitions);
    for (TopicPartition partition : partitions) {
      Long position = positions.get(partition);
      if (position != null) {
        opened.seek(partition, position);
      }
    }
    return partitions;
  }

  private List<TopicPartition> partitions(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    return opened.partitionsFor(topic).stream()
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .toList();
  }

  private RetriableException absent() {
    return new UnknownTopicOrPartitionException("the topic does not exist: " + texts.remedy());
  }

  /** Reads up to the end as it is now, and on until the next end is to be queried. */
  private void readToTheEnd(
      Consumer<byte @Nullable [], byte @Nullable []> opened, List<TopicPartition> partitions) {
    if (partitions(opened).isEmpty()) {
      // Kafka's consumer logs a line for each poll of such a topic: thousands a second.
      throw absent();
    }
    long asked = nanoTime.getAsLong();
    Map<TopicPartition, Long> ends = new HashMap<>(opened.endOffsets(partitions, CHECK_LIMIT));
    // A position behind the end: the topic was made anew. The polls below may read messages that
    // were written after the end was queried, so this is asked before them only.
    ends.forEach(
        (partition, end) -> {
          if (positions.getOrDefault(partition, 0L) > end) {
            beginAgain(opened, partition);
          }
        });
    while (!isClosed()) {
      ends.entrySet().removeIf(end -> opened.position(end.getKey()) >= end.getValue());
      if (ends.isEmpty()) {
        reached(asked);
        break;
      }
      poll(opened);
    }
    while (!isClosed() && nanoTime.getAsLong() - asked < CHECK.toNanos()) {
      poll(opened);
    }
  }

  private void beginAgain(
      Consumer<byte @Nullable [], byte @Nullable []> opened, TopicPartition partition) {
    positions.remove(partition);
    opened.seekToBeginning(List.of(partition));
    isCaughtUp = false;
    handler.beginAgain(partition.partition());
  }

  private void reached(long asked) {
    isCaughtUp = true;
    handler.caughtUp();
    reachedEndAt = asked;
    if (failure != null) {
      LOG.info("{} is followed again", topic);
      failure = null;
    }
    ready.complete(null);
  }

  private void poll(Consumer<byte @Nullable [], byte @Nullable []> opened) {
    opened.poll(POLL).forEach(this::take);
    if (isCaughtUp) {
      handler.caughtUp();
    }
  }

  private void take(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    try {
      handler.message(message);
    } catch (UnreadableMessageException e) {
      skipped.incrementAndGet();
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
          "{} cannot be followed now, so {}; trying again: {}",
          topic,
          texts.consequence(),
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
