package io.lastfix.operate.analysis;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FreshMetrics;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.poll.Poll;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.numbers.LateQueries;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code lastfix analyze late}: adds the records that came too late for the stream, by computing
 * the numbers of their hours again from History, and then forgets that they came too late.
 *
 * <p>The stream may leave out more records of an hour meanwhile, several of these may run at once,
 * and each may be killed at any time. None of this loses a late record: an analysis marks what it
 * has found, and forgets only what still has its own mark when its job has finished. A record that
 * comes later takes the mark away, and so does another analysis.
 *
 * @param config of the jobs
 * @param flink the cluster that runs the job, and, if it is the same, the streams
 */
public record LateAnalysis(LocationJobConfig config, FlinkRest flink, Job job) {
  /** The input of the operator that decides which records are too late. */
  private static final String WATERMARK = JobMetrics.DISTINCT + ".currentInputWatermark";

  /**
   * After this time, History has what was too late if the job that stores it is on another cluster,
   * whose checkpoints cannot be awaited: ten minutes during which one count grows, and some to
   * store the last record.
   */
  private static final Duration STORED_AFTER = Duration.ofMinutes(15);

  /** An event time that is so far behind the clock is that of a replay, or nothing comes. */
  private static final Duration BEHIND = Duration.ofHours(1);

  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration CHECKPOINT_LIMIT = Duration.ofMinutes(5);

  /** Submits the job {@link Jobs#ANALYZE}, waits for its end, and returns its accumulators. */
  @FunctionalInterface
  public interface Job {
    /**
     * Called once for each analysis.
     *
     * @param arguments besides those of the configuration
     */
    Map<String, String> await(List<String> arguments) throws IOException, InterruptedException;
  }

  /**
   * What it has done.
   *
   * @param analyses how many ranges it has computed
   * @param documents of History that it has read for them
   * @param records how many it has added, at most: repetitions count
   * @param waiting how many wait, at most, until the stream does not rewrite the numbers of their
   *     hours any more, or until History surely has them
   */
  public record Result(int analyses, long documents, long records, long waiting) {
    /** Returns a line for the user. */
    public String text() {
      String done =
          analyses == 0
              ? "No late records to add"
              : String.format(
                  Locale.ROOT,
                  "Added up to %,d records that came too late, from %,d records of History",
                  records,
                  documents);
      return waiting == 0
          ? done
          : String.format(
              Locale.ROOT,
              "%s; up to %,d wait, because the stream still rewrites the numbers of their hours, or"
                  + " they are too new",
              done,
              waiting);
    }
  }

  /**
   * Adds what can be added now. If there is nothing, it is one query to MongoDB.
   *
   * @throws IOException if a server does not answer, an analysis runs already, or one fails: then
   *     it can be repeated
   */
  public Result run() throws IOException, InterruptedException {
    Instant now = Instant.now();
    LateHours late = find(now);
    long documents = 0;
    if (!late.parts().isEmpty()) {
      requireNoOther();
      requireSlot();
    }
    for (LateHours.Part part : late.parts()) {
      documents += analyze(part, late.settled(), now).documents();
    }
    return new Result(late.parts().size(), documents, late.records(), late.waiting());
  }

  private LateHours find(Instant now) throws IOException {
    AnalyticsOptions analytics = config.analytics();
    MongoOptions mongo = config.historyMongo().withApplicationName("lastfix-cli");
    Duration limit = mongo.readTimeout();
    try (MongoClient client = MongoClientFactory.connect(mongo, 1)) {
      MongoDatabase database = client.getDatabase(mongo.database());
      // A secondary could still show what the analysis before has removed.
      List<LateQueries.Hour> hours =
          new LateQueries(database, new QueryOptions(limit, "primary", null)).hours();
      if (hours.isEmpty()) {
        return LateHours.of(hours, now, now, false, analytics.timeline(), now);
      }
      Instant eventTime = eventTime(database, now, limit);
      return LateHours.of(
          hours,
          isLocationJobHere() ? now : now.minus(STORED_AFTER),
          Analysis.settledBefore(analytics, eventTime),
          eventTime.isBefore(now.minus(BEHIND)),
          analytics.timeline(),
          now);
    } catch (MongoException | MongoAccessException | QueryTimeLimitException e) {
      throw new IOException("cannot read which records came too late: " + e.getMessage(), e);
    }
  }

  /** A job that has ended stores nothing more. */
  private boolean isLocationJobHere() throws IOException {
    String name = Jobs.LOCATION.nameIn(config);
    return flink.jobs().stream().anyMatch(job -> job.name().equals(name));
  }

  /**
   * Of the analytics job, if this cluster has it. If it is elsewhere, does not run, or has read no
   * record since it started, its newest number says how far it is.
   */
  private Instant eventTime(MongoDatabase database, Instant now, Duration limit)
      throws IOException {
    String name = Jobs.ANALYTICS.nameIn(config);
    for (FlinkRest.Job running : flink.unfinished(name)) {
      FreshMetrics.await(flink, FreshMetrics.LIMIT);
      double millis = flink.smallestOfAllSubtasks(running.id(), WATERMARK).orElse(-1.0);
      if (millis >= 0) {
        return Instant.ofEpochMilli((long) millis);
      }
      if (!flink.areAllTasksRunning(running.id())) {
        throw new IOException(
            "job %s (%s) is %s and has no event time yet: which numbers it still rewrites is not known. Repeat it when all of its tasks run"
                .formatted(name, running.id(), running.state()));
      }
    }
    return Analysis.eventTime(database, config.analytics(), now, limit);
  }

  /** Two at once would be right, but the same work twice. */
  private void requireNoOther() throws IOException {
    String name = Jobs.ANALYZE.nameIn(config);
    List<FlinkRest.Job> others = flink.unfinished(name);
    if (!others.isEmpty()) {
      throw new IOException(
          "lastfix analyze runs already, as job %s (%s): repeat it when that has ended"
              .formatted(name, others.get(0).id()));
    }
  }

  /** Otherwise the numbers would be marked, and the streams slowed down, for nothing. */
  private void requireSlot() throws IOException {
    FlinkRest.Slots slots = flink.slots();
    // Without any, the cluster may start TaskManagers for the job, as one on Kubernetes does.
    if (slots.total() > 0 && slots.available() < 1) {
      throw new IOException(
          "Flink has no free slot for the job of lastfix analyze: add a TaskManager, or slots to"
              + " one");
    }
  }

  private Analysis.Result analyze(LateHours.Part part, Instant settled, Instant now)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--late",
                "--from",
                part.hours().from().toString(),
                "--to",
                part.hours().to().toString()));
    arguments.addAll(Analysis.arguments(part.kinds(), now));
    return Analysis.ofLateRecords(config, part.kinds(), part.hours(), settled, now)
        .run(
            () -> {
              awaitStored();
              // Checkpoints take a while, and so do the parts before this one.
              requireNoOther();
              return job.await(arguments);
            },
            // It may run beside a supervision, which prints events only.
            step -> {});
  }

  /**
   * The location job stores a record and publishes it side by side, so the analytics job can have
   * left out what History does not have yet. A checkpoint of it that begins now ends when all of
   * that is stored. The analytics job hands its results to the sinks after one checkpoint, and has
   * stored them at the next.
   */
  private void awaitStored() throws IOException, InterruptedException {
    for (FlinkRest.Job running : flink.jobs()) {
      if (running.isUnfinished(Jobs.LOCATION.nameIn(config))) {
        awaitCheckpoint(running);
      } else if (running.isUnfinished(Jobs.ANALYTICS.nameIn(config))) {
        awaitCheckpoint(running);
        awaitCheckpoint(running);
      }
    }
  }

  private void awaitCheckpoint(FlinkRest.Job running) throws IOException, InterruptedException {
    long before = flink.latestCheckpoint(running.id());
    var unused = flink.triggerCheckpoint(running.id());
    Poll poll = new Poll(POLL, CHECKPOINT_LIMIT);
    while (flink.latestCompletedCheckpoint(running.id()) <= before) {
      poll.pause(
          () ->
              new IOException(
                  "no checkpoint of job %s (%s) has completed within %d s: repeat it when the job runs well"
                      .formatted(running.name(), running.id(), CHECKPOINT_LIMIT.toSeconds())));
    }
  }
}
