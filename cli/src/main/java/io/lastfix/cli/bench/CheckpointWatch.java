package io.lastfix.cli.bench;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.cli.flink.FlinkRest.CheckpointTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * Looks, while something is measured, when Flink and MongoDB take checkpoints: on threads of its
 * own, so that a server that answers late does not hold up what is measured. It explains figures
 * and makes none, so what it cannot see it says and does without: MongoDB's checkpoints behind a
 * router, and where the user lacks the role {@code clusterMonitor}.
 *
 * <p>Flink's moments are by the JobManager's clock, all others by this machine's.
 */
final class CheckpointWatch implements AutoCloseable {
  private static final long MONGO_EVERY_MILLIS = 250;

  /** More often than any job drops a checkpoint out of the ten that Flink keeps in mind. */
  private static final long FLINK_EVERY_MILLIS = 2_000;

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final double NANOS = 1e9;

  /** Some of what is left out costs the server time. */
  private static final Document STATUS =
      new Document("serverStatus", 1).append("repl", 0).append("metrics", 0).append("locks", 0);

  private final FlinkRest flink;
  private final String jobId;
  private final MongoDatabase admin;
  private final Consumer<String> progress;
  private final long beganNanos = System.nanoTime();
  private final Instant began = Instant.now();
  private final CheckpointTimeline timeline = new CheckpointTimeline();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
  private volatile boolean seesMongo = true;
  private volatile boolean seesFlink = true;

  CheckpointWatch(FlinkRest flink, String jobId, MongoDatabase admin, Consumer<String> progress) {
    this.flink = flink;
    this.jobId = jobId;
    this.admin = admin;
    this.progress = progress;
    every(MONGO_EVERY_MILLIS, this::lookAtMongo);
    every(FLINK_EVERY_MILLIS, this::lookAtFlink);
  }

  private void every(long millis, Runnable look) {
    // Nobody waits for it: what goes wrong is dealt with where it does.
    var unused = threads.scheduleWithFixedDelay(look, 0, millis, TimeUnit.MILLISECONDS);
  }

  private void lookAtMongo() {
    if (!seesMongo) {
      return;
    }
    try {
      Document engine = admin.runCommand(STATUS).get("wiredTiger", new Document());
      Number before71 = number(engine, "transaction", "transaction checkpoint currently running");
      Number from71 = number(engine, "checkpoint", "progress state");
      if (before71 == null && from71 == null) {
        blindForMongo("it does not tell");
        return;
      }
      timeline.mongo(
          second(System.nanoTime()), (before71 == null ? from71 : before71).longValue() != 0);
    } catch (MongoException e) {
      blindForMongo(e.getMessage());
    }
  }

  private static Number number(Document engine, String section, String figure) {
    return engine.get(section, new Document()).get(figure, Number.class);
  }

  private void blindForMongo(String why) {
    seesMongo = false;
    progress.accept("MongoDB's checkpoints are not seen: " + why);
  }

  private void lookAtFlink() {
    if (!seesFlink) {
      return;
    }
    try {
      for (CheckpointTime checkpoint : flink.checkpointTimes(jobId)) {
        double from = second(checkpoint.triggered());
        timeline.flink(
            checkpoint.id(),
            from,
            checkpoint.took().map(took -> from + took.toNanos() / NANOS).orElseGet(this::now));
      }
    } catch (IOException e) {
      seesFlink = false;
      progress.accept("Flink's checkpoints are not seen: " + e.getMessage());
    }
  }

  private double second(Instant moment) {
    return Duration.between(began, moment).toNanos() / NANOS;
  }

  /** A moment of {@link System#nanoTime} as a second of the timeline. */
  double second(long nanos) {
    return (nanos - beganNanos) / NANOS;
  }

  private double now() {
    return second(System.nanoTime());
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
