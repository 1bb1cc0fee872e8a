package io.lastfix.bench.measure;

import com.mongodb.MongoCommandException;
import io.lastfix.bench.plot.CheckpointTimeline;
import io.lastfix.cluster.flink.FlinkRest.CheckpointTime;
import io.lastfix.kit.failure.RootCause;
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
 * Polls when Flink and MongoDB take checkpoints while something is measured. Separate threads poll,
 * so that a slow server does not delay the measurement.
 *
 * <p>The timeline explains figures and is not one itself. The watch therefore reports what it
 * cannot see and continues without: MongoDB's checkpoints behind a router, and if the user lacks
 * the role {@code clusterMonitor}.
 *
 * <p>Flink's timestamps come from the JobManager's clock, all others from this machine's.
 */
public final class CheckpointWatch implements AutoCloseable {
  private static final long MONGO_EVERY_MILLIS = 250;

  /** Short enough to see each checkpoint: Flink keeps only a job's last ten. */
  private static final long FLINK_EVERY_MILLIS = 2_000;

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 13;
  private static final double NANOS = 1e9;

  /** The status query to MongoDB; without some sections, which cost the server time. */
  public static final Document STATUS =
      new Document("serverStatus", 1).append("repl", 0).append("metrics", 0).append("locks", 0);

  /** Queries Flink's checkpoints. */
  @FunctionalInterface
  public interface FlinkCheckpoints {
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
   * Starts polling.
   *
   * @param mongoStatus answers {@link #STATUS}
   * @param progress receives a line about each kind of checkpoint that is not visible
   */
  public CheckpointWatch(
      Supplier<Document> mongoStatus, FlinkCheckpoints flink, Consumer<String> progress) {
    this.mongoStatus = mongoStatus;
    this.flink = flink;
    this.progress = progress;
    every(MONGO_EVERY_MILLIS, this::readMongo);
    every(FLINK_EVERY_MILLIS, this::readFlink);
  }

  private void every(long millis, Runnable reading) {
    // The future is not needed: each task handles its own failures.
    var unused = threads.scheduleWithFixedDelay(reading, 0, millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns whether MongoDB is taking a checkpoint; empty if it does not report that, as a router.
   *
   * @param status MongoDB's answer to {@link #STATUS}; the fields differ until 7.0 and from 7.1 on
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

  private void readMongo() {
    if (!seesMongo || isClosing) {
      return;
    }
    try {
      Optional<Boolean> takesOne = takesCheckpoint(mongoStatus.get());
      if (takesOne.isEmpty()) {
        stopReadingMongo("the server does not report them");
      } else {
        timeline.mongo(second(System.nanoTime()), takesOne.get());
      }
    } catch (RuntimeException e) {
      // If it were rethrown, the executor would silently end the polling.
      if (e instanceof MongoCommandException refusal && refusal.getErrorCode() == UNAUTHORIZED) {
        stopReadingMongo("that needs the role clusterMonitor");
      } else if (!hasMissedMongo && !isClosing) {
        hasMissedMongo = true;
        progress.accept("Reading MongoDB's checkpoints failed: " + RootCause.message(e));
      }
    }
  }

  private void stopReadingMongo(String why) {
    seesMongo = false;
    progress.accept("MongoDB's checkpoints are not visible: " + why);
  }

  private synchronized void readFlink() {
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
        progress.accept("Reading Flink's checkpoints failed: " + RootCause.message(e));
      }
    }
  }

  private double second(Instant instant) {
    return Duration.between(began, instant).toNanos() / NANOS;
  }

  /** Converts a value of {@link System#nanoTime} to a second of the timeline. */
  public double second(long nanos) {
    return (nanos - beganNanos) / NANOS;
  }

  /** Returns whether MongoDB reports its checkpoints. */
  public boolean seesMongo() {
    return seesMongo;
  }

  /** The checkpoints seen since this watch was created. */
  public CheckpointTimeline timeline() {
    return timeline;
  }

  /** Stops polling, after a last query to Flink. */
  @Override
  public void close() {
    isClosing = true;
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        // Later answers have no use; the pool's threads end with them.
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
    readFlink();
  }
}
