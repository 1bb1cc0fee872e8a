package io.lastfix.bench;

import com.mongodb.MongoCommandException;
import io.lastfix.stack.flink.FlinkRest.CheckpointTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Looks, while something is measured, when Flink and MongoDB take checkpoints: on threads of its
 * own, so that a server that answers late does not hold up what is measured. It explains figures
 * and makes none, so what it cannot see it says, and does without: MongoDB's checkpoints behind a
 * router, and where the user lacks the role {@code clusterMonitor}.
 *
 * <p>Flink's moments are by the JobManager's clock, all others by this machine's.
 */
final class CheckpointWatch implements AutoCloseable {
  private static final long MONGO_EVERY_MILLIS = 250;

  /** More often than any job drops a checkpoint out of the ten that Flink keeps in mind. */
  private static final long FLINK_EVERY_MILLIS = 2_000;

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 13;
  private static final double NANOS = 1e9;

  /** What MongoDB is asked; some of what is left out costs it time. */
  static final Document STATUS =
      new Document("serverStatus", 1).append("repl", 0).append("metrics", 0).append("locks", 0);

  /** Asks Flink. */
  @FunctionalInterface
  interface FlinkCheckpoints {
    List<CheckpointTime> times() throws IOException;
  }

  private final Supplier<Document> mongoStatus;
  private final FlinkCheckpoints flink;
  private final Consumer<String> progress;
  private final long beganNanos = System.nanoTime();
  private final Instant began = Instant.now();
  private final CheckpointTimeline timeline = new CheckpointTimeline();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
  private volatile boolean seesMongo = true;
  private volatile boolean isClosing;
  private boolean hasMissedMongo;
  private boolean hasMissedFlink;

  /**
   * Begins to look.
   *
   * @param mongoStatus answers {@link #STATUS}
   * @param progress is told what cannot be seen
   */
  CheckpointWatch(
      Supplier<Document> mongoStatus, FlinkCheckpoints flink, Consumer<String> progress) {
    this.mongoStatus = mongoStatus;
    this.flink = flink;
    this.progress = progress;
    every(MONGO_EVERY_MILLIS, this::lookAtMongo);
    every(FLINK_EVERY_MILLIS, this::lookAtFlink);
  }

  private void every(long millis, Runnable look) {
    // Nobody waits for it: what goes wrong is dealt with where it does.
    var unused = threads.scheduleWithFixedDelay(look, 0, millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Whether MongoDB takes a checkpoint; empty where it does not tell, as a router.
   *
   * @param status what it answers to {@link #STATUS}; until 7.0 and from 7.1 on in other places
   */
  static Optional<Boolean> takesCheckpoint(Document status) {
    Document engine = status.get("wiredTiger", new Document());
    Number until70 = number(engine, "transaction", "transaction checkpoint currently running");
    Number from71 = number(engine, "checkpoint", "progress state");
    return Optional.ofNullable(until70 == null ? from71 : until70)
        .map(state -> state.longValue() != 0);
  }

  private static @Nullable Number number(Document engine, String section, String figure) {
    return engine.get(section, new Document()).get(figure, Number.class);
  }

  private void lookAtMongo() {
    if (!seesMongo || isClosing) {
      return;
    }
    try {
      Optional<Boolean> takesOne = takesCheckpoint(mongoStatus.get());
      if (takesOne.isEmpty()) {
        isBlindForMongo("the server does not report them");
      } else {
        timeline.mongo(second(System.nanoTime()), takesOne.get());
      }
    } catch (RuntimeException e) {
      // Thrown on, it would end the looking without a word.
      if (e instanceof MongoCommandException refusal && refusal.getErrorCode() == UNAUTHORIZED) {
        isBlindForMongo("that needs the role clusterMonitor");
      } else if (!hasMissedMongo && !isClosing) {
        hasMissedMongo = true;
        progress.accept("Reading MongoDB's checkpoints failed: " + e);
      }
    }
  }

  private void isBlindForMongo(String why) {
    seesMongo = false;
    progress.accept("MongoDB's checkpoints are not visible: " + why);
  }

  private synchronized void lookAtFlink() {
    try {
      for (CheckpointTime checkpoint : flink.times()) {
        double from = second(checkpoint.triggered());
        timeline.flink(
            checkpoint.id(),
            from,
            checkpoint
                .took()
                .map(took -> from + took.toNanos() / NANOS)
                .orElseGet(() -> second(System.nanoTime())));
      }
    } catch (IOException | RuntimeException e) {
      if (!hasMissedFlink) {
        hasMissedFlink = true;
        progress.accept("Reading Flink's checkpoints failed: " + e);
      }
    }
  }

  private double second(Instant moment) {
    return Duration.between(began, moment).toNanos() / NANOS;
  }

  /** A moment of {@link System#nanoTime} as a second of the timeline. */
  double second(long nanos) {
    return (nanos - beganNanos) / NANOS;
  }

  /** Whether MongoDB tells its checkpoints. */
  boolean seesMongo() {
    return seesMongo;
  }

  /** What was seen so far, from the moment on that this was made. */
  CheckpointTimeline timeline() {
    return timeline;
  }

  /** Ends the looking, after a last look at Flink. */
  @Override
  public void close() {
    isClosing = true;
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        // Late answers are of no use any more, and the pool's threads end with them.
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
    lookAtFlink();
  }
}
