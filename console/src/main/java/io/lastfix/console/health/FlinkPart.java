package io.lastfix.console.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.FlinkRest.Checkpoints;
import io.lastfix.stack.flink.FreshMetrics;
import io.lastfix.stack.flink.JobCounts;
import io.lastfix.stack.flink.Ledger;
import io.lastfix.stack.flink.LocationMetrics;
import io.lastfix.stack.flink.LostRecords;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What Flink says: its jobs with their checkpoints, and the account of the location job. */
final class FlinkPart {
  /** The latest; a cluster keeps ended jobs for an hour by default. */
  private static final int MOST_JOBS = 20;

  /** Flink answers with what it has, and collects meanwhile; less than a part's time limit. */
  private static final Duration COLLECTION = Duration.ofSeconds(2);

  static final String RECORDS_LOST = "recordsLost";

  /**
   * Older figures say nothing about now. A cluster collects them every 10 s by default, if it is
   * queried.
   */
  private static final Duration STALE = Duration.ofSeconds(30);

  private final ReportAge reports = new ReportAge();

  private final FlinkRest flink;
  private final String jobName;
  private final String analyticsJobName;

  /**
   * A client.
   *
   * @param limit of each of its calls
   */
  FlinkPart(String url, String jobName, String analyticsJobName, Duration limit) {
    this.flink = new FlinkRest(url, limit);
    this.jobName = jobName;
    this.analyticsJobName = analyticsJobName;
  }

  /** How many records the analytics job has left out; without the field if that is not known. */
  ObjectNode lostRecords() throws IOException {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    LostRecords.of(flink, flink.jobs(), analyticsJobName, LostRecords.SHORT)
        .ifPresent(records -> answer.put(RECORDS_LOST, records));
    return answer;
  }

  ObjectNode jobs() throws IOException {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode shown = answer.putArray("jobs");
    for (FlinkRest.Job job : flink.jobs().stream().limit(MOST_JOBS).toList()) {
      ObjectNode node =
          shown
              .addObject()
              .put("id", job.id())
              .put("name", job.name())
              .put("state", job.state())
              .put("started", job.started().toString());
      if (!job.isOver()) {
        node.put("restarts", flink.restarts(job.id()));
        node.set("checkpoints", json(flink.checkpoints(job.id())));
      }
    }
    return answer;
  }

  private static ObjectNode json(Ledger ledger) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("checkpoint", ledger.checkpoint())
        .put("in", ledger.in())
        .put("stored", ledger.stored())
        .put("duplicates", ledger.duplicates())
        .put("erased", ledger.erased())
        .put("rejected", ledger.rejected())
        .put("notRecords", ledger.notRecords())
        .put("waiting", ledger.waiting())
        .put("unaccounted", ledger.unaccounted());
  }

  private static ObjectNode json(Checkpoints checkpoints) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("completed", checkpoints.completed())
            .put("failed", checkpoints.failed())
            .put("inProgress", checkpoints.inProgress());
    checkpoints
        .newest()
        .ifPresent(
            it ->
                node.putObject("newest")
                    .put("id", it.id())
                    .put("triggered", it.triggered().toString())
                    .put("tookMillis", it.took().toMillis())
                    .put("bytes", it.bytes()));
    checkpoints
        .newestFailure()
        .ifPresent(
            it ->
                node.putObject("newestFailure")
                    .put("id", it.id())
                    .put("failed", it.failed().toString())
                    .put("cause", it.cause()));
    return node;
  }

  /**
   * The account of the location job since its tasks last started, and the job's own ledger at its
   * last completed checkpoint if it has one. They are {@code stale} if no TaskManager has reported
   * others for a while, because Flink keeps those of one that has died. The numbers since the start
   * come from several answers of Flink, so {@code difference} also has what was on its way between
   * them; those of the ledger are of one instant.
   */
  ObjectNode ledger() throws IOException {
    FlinkRest.Job job = running();
    Optional<LocationMetrics> found = LocationMetrics.tryRead(flink, job.id(), Instant.EPOCH);
    if (found.isEmpty() || isStale(age(job, found.get()))) {
      // Nobody has queried the cluster for long, perhaps: it collects now.
      FreshMetrics.await(flink, COLLECTION);
      found = LocationMetrics.tryRead(flink, job.id(), Instant.EPOCH);
    }
    LocationMetrics metrics =
        found.orElseThrow(
            () -> new IOException("Flink has no metrics of job %s yet".formatted(jobName)));
    Duration age = age(job, metrics);
    JobCounts counts = JobCounts.of(metrics);
    long in = counts.records() + counts.rejected() + metrics.notRecords();
    long accounted =
        counts.inserted()
            + counts.duplicates()
            + counts.rejected()
            + metrics.notRecords()
            + metrics.waiting();
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("job", job.name())
            .put("started", job.started().toString())
            .put("ageSeconds", age.toSeconds())
            .put("stale", isStale(age))
            .put("recordsIn", in)
            .put("stored", counts.inserted())
            .put("duplicates", counts.duplicates())
            .put("rejected", counts.rejected())
            .put("notRecords", metrics.notRecords())
            .put("waiting", metrics.waiting())
            .put("difference", in - accounted)
            .put("unlocated", counts.unlocated())
            .put("messagesPerSecond", metrics.messagesPerSecond())
            .put("recordsPerSecond", metrics.recordsPerSecond());
    metrics
        .endToEndLatency("median")
        .ifPresent(it -> answer.put("latencyMillisMedian", it.toMillis()));
    metrics.endToEndLatency("p95").ifPresent(it -> answer.put("latencyMillisP95", it.toMillis()));
    metrics.endToEndLatency("p99").ifPresent(it -> answer.put("latencyMillisP99", it.toMillis()));
    ObjectNode reasons = answer.putObject("rejectedByReason");
    counts.rejectedByReason().forEach(reasons::put);
    Optional<Ledger> ledger = Ledger.read(flink, job.id());
    if (ledger.isPresent()) {
      ObjectNode sums = json(ledger.get());
      flink
          .triggered(job.id(), ledger.get().checkpoint())
          .ifPresent(at -> sums.put("triggered", at.toString()));
      answer.set("ledger", sums);
    }
    return answer;
  }

  private FlinkRest.Job running() throws IOException {
    List<FlinkRest.Job> jobs =
        flink.jobs().stream().filter(job -> job.isUnfinished(jobName)).toList();
    if (jobs.isEmpty()) {
      throw new IOException("no job %s runs: lastfix submit location starts it".formatted(jobName));
    }
    return jobs.stream()
        .filter(FlinkRest.Job::isRunning)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "job %s does not run, it is %s".formatted(jobName, jobs.get(0).state())));
  }

  private Duration age(FlinkRest.Job job, LocationMetrics metrics) {
    return reports.of(job.id(), metrics.asOf(), Instant.now(), System.nanoTime());
  }

  private static boolean isStale(Duration age) {
    return age.compareTo(STALE) > 0;
  }
}
