package io.lastfix.cli.bench;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.flink.FlinkRest.TakenCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bson.Document;

/**
 * How long each probe took, by when it was sent, and when Flink and MongoDB took a checkpoint
 * meanwhile: what holds up the slowest ones.
 */
final class FreshnessTimeline {
  private static final long LOOK_NANOS = Duration.ofMillis(250).toNanos();
  private static final int UNAUTHORIZED = 13;
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;

  /** Some of what is left out costs the server time. */
  private static final Document STATUS =
      new Document("serverStatus", 1).append("repl", 0).append("metrics", 0).append("locks", 0);

  private final MongoDatabase admin;
  private final long beganNanos = System.nanoTime();
  private final Instant began = Instant.now();
  private final TreeMap<Double, Double> history = new TreeMap<>();
  private final TreeMap<Double, Double> lastKnownLocation = new TreeMap<>();
  private final List<Double> mongoCheckpointSeconds = new ArrayList<>();
  private boolean mayLook = true;
  private long nextLookNanos = beganNanos;

  FreshnessTimeline(MongoDatabase admin) {
    this.admin = admin;
  }

  /** A probe can be read in History. */
  void inHistory(long sentNanos, long tookNanos) {
    history.put(seconds(sentNanos), tookNanos / MILLIS);
  }

  /** A probe can be read in Last Known Location. */
  void inLastKnownLocation(long sentNanos, long tookNanos) {
    lastKnownLocation.put(seconds(sentNanos), tookNanos / MILLIS);
  }

  /**
   * Looks, at times, whether MongoDB takes a checkpoint of its own. Nothing is seen where the user
   * may not ask (role {@code clusterMonitor}), nor behind a router.
   */
  void lookAtMongo() {
    long now = System.nanoTime();
    if (!mayLook || now < nextLookNanos) {
      return;
    }
    nextLookNanos = now + LOOK_NANOS;
    try {
      Document status = admin.runCommand(STATUS);
      Number running =
          status.getEmbedded(
              List.of("wiredTiger", "transaction", "transaction checkpoint currently running"),
              Number.class);
      mayLook = running != null;
      if (mayLook && running.longValue() > 0) {
        mongoCheckpointSeconds.add(seconds(now));
      }
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != UNAUTHORIZED) {
        throw e;
      }
      mayLook = false;
    }
  }

  private double seconds(long nanos) {
    return (nanos - beganNanos) / NANOS;
  }

  /** Draws it as a PNG. */
  void write(String title, List<TakenCheckpoint> flinkCheckpoints, Path file) throws IOException {
    LinePlot plot = new LinePlot(title, "second", "milliseconds until it could be read");
    history.forEach((second, millis) -> plot.add("History", second, millis));
    lastKnownLocation.forEach((second, millis) -> plot.add("Last Known Location", second, millis));
    for (TakenCheckpoint checkpoint : flinkCheckpoints) {
      double from = Duration.between(began, checkpoint.triggered()).toNanos() / NANOS;
      double to = from + checkpoint.took().toNanos() / NANOS;
      if (from >= 0 && from <= seconds(System.nanoTime())) {
        plot.addSpan("a checkpoint of Flink's", from, to);
      }
    }
    for (double second : mongoCheckpointSeconds) {
      plot.addSpan("a checkpoint of MongoDB's", second, second + LOOK_NANOS / NANOS);
    }
    plot.write(file);
  }
}
