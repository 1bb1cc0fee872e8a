package io.lastfix.cluster.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.failure.RootCause;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The calls of Flink's REST API (1.20) that the commands need. Every call has a time limit.
 *
 * @see <a
 *     href="https://nightlies.apache.org/flink/flink-docs-release-1.20/docs/ops/rest_api/">Flink
 *     REST API</a>
 */
public final class FlinkRest {
  /** The default limit for a connection, and for each answer. */
  public static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The bytes of a request's first line that Flink takes; it rejects one of 4096. */
  private static final int MAX_REQUEST_LINE = 4095;

  /** Flink's text in place of a path if a checkpoint has none. */
  private static final String NOT_ADDRESSABLE = "<checkpoint-not-externally-addressable>";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http;
  private final Duration timeout;
  private final URI base;

  /** A client of the cluster with that web address. */
  public FlinkRest(String url) {
    this(url, TIMEOUT);
  }

  /**
   * A client with another time limit.
   *
   * @param timeout for the connection, and for each answer
   */
  public FlinkRest(String url, Duration timeout) {
    this.timeout = timeout;
    this.http = HttpClient.newBuilder().connectTimeout(timeout).build();
    this.base = URI.create(url.endsWith("/") ? url : url + "/");
  }

  /**
   * A job.
   *
   * @param id 32 hexadecimal digits
   * @param name as configured
   * @param state such as RUNNING
   * @param started when it started
   */
  public record Job(String id, String name, String state, Instant started) {
    /** Returns whether its state is RUNNING; see also {@link #areAllTasksRunning}. */
    public boolean isRunning() {
      return state.equals("RUNNING");
    }

    /** Returns whether it has ended permanently. */
    public boolean isOver() {
      return isFinal(state);
    }

    /** Returns whether it has that name and has not ended. */
    public boolean isUnfinished(String ofName) {
      return name.equals(ofName) && !isOver();
    }
  }

  /** How the subtasks' numbers are combined into one. */
  public enum Aggregation {
    SUM,
    MIN,
    MAX,
    AVG
  }

  /** The cluster's address. */
  public String url() {
    return base.toString();
  }

  /** The Flink version that the cluster runs. */
  public String version() throws IOException {
    return get("config").path("flink-version").asText();
  }

  /**
   * Epoch milliseconds of each registered TaskManager's last heartbeat, by id; 0 before its first.
   */
  public Map<String, Long> lastHeartbeatMillisByTaskManager() throws IOException {
    Map<String, Long> heartbeats = new TreeMap<>();
    for (JsonNode taskManager : get("taskmanagers").path("taskmanagers")) {
      // Despite its name this is a point in time.
      heartbeats.put(
          taskManager.path("id").asText(), taskManager.path("timeSinceLastHeartbeat").asLong());
    }
    return heartbeats;
  }

  /** All jobs that the cluster lists, the latest first. */
  public List<Job> jobs() throws IOException {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : get("jobs/overview").path("jobs")) {
      jobs.add(
          new Job(
              job.path("jid").asText(),
              job.path("name").asText(),
              job.path("state").asText(),
              Instant.ofEpochMilli(job.path("start-time").asLong())));
    }
    jobs.sort((a, b) -> b.started().compareTo(a.started()));
    return jobs;
  }

  /** The jobs of that name that have not ended, the latest first. */
  public List<Job> unfinished(String name) throws IOException {
    return jobs().stream().filter(job -> job.isUnfinished(name)).toList();
  }

  /**
   * One job.
   *
   * @throws IOException if the cluster does not know it
   */
  public Job job(String id) throws IOException {
    return findJob(id).orElseThrow(() -> new IOException("Flink at " + base + " has no job " + id));
  }

  /** One job; empty if the cluster does not know it. */
  public Optional<Job> findJob(String id) throws IOException {
    return jobs().stream().filter(job -> job.id().equals(id)).findFirst();
  }

  /** How long a job has run; of one that is over, its whole time. */
  public Duration duration(String jobId) throws IOException {
    return Duration.ofMillis(get("jobs/" + jobId).path("duration").asLong());
  }

  /** The address of a job's page in the web interface. */
  public String pageOf(String jobId) {
    return base.resolve("#/job/running/" + jobId).toString();
  }

  /**
   * Returns whether every subtask of the job runs: a job is RUNNING already while its tasks are
   * being deployed.
   */
  public boolean areAllTasksRunning(String jobId) throws IOException {
    JsonNode job = get("jobs/" + jobId);
    JsonNode vertices = job.path("vertices");
    for (JsonNode vertex : vertices) {
      if (vertex.path("tasks").path("RUNNING").asInt() != vertex.path("parallelism").asInt()) {
        return false;
      }
    }
    return job.path("state").asText().equals("RUNNING") && !vertices.isEmpty();
  }

  /**
   * The tasks of a job that has not ended.
   *
   * @param running the subtasks that run
   * @param unfinished all subtasks that have not finished
   */
  public record Tasks(int running, int unfinished) {}

  /** The present tasks of a job. A job whose TaskManager has died can still be RUNNING. */
  public Tasks tasks(String jobId) throws IOException {
    int running = 0;
    int unfinished = 0;
    for (JsonNode vertex : vertices(jobId)) {
      JsonNode tasks = vertex.path("tasks");
      running += tasks.path("RUNNING").asInt();
      unfinished += vertex.path("parallelism").asInt() - tasks.path("FINISHED").asInt();
    }
    return new Tasks(running, unfinished);
  }

  /** The exception of a failed job, as Flink reports it; empty if it did not fail. */
  public Optional<String> failureOf(String jobId) throws IOException {
    String root = get("jobs/" + jobId + "/exceptions").path("root-exception").asText("");
    return root.isEmpty() ? Optional.empty() : Optional.of(root);
  }

  /** The message of the root cause of a job's failure; empty if it did not fail. */
  public Optional<String> causeOf(String jobId) throws IOException {
    return failureOf(jobId).map(FailureCause::of);
  }

  /**
   * The message of the root cause of a job's first failure, of those that Flink remembers ({@code
   * web.exception-history-size}); empty if it did not fail.
   */
  public Optional<String> firstCauseOf(String jobId) throws IOException {
    List<JobFailure> newestFirst = failures(jobId);
    return newestFirst.isEmpty()
        ? causeOf(jobId)
        : Optional.of(newestFirst.get(newestFirst.size() - 1).cause());
  }

  /**
   * A failure of a job.
   *
   * @param timestampMillis when it happened, in milliseconds since 1970, by the JobManager's clock
   * @param trace its exception with the stack trace
   * @param concurrentTraces those of tasks that failed while Flink handled it. Flink takes the
   *     first exception that it hears of for the failure, whichever caused the others.
   */
  public record JobFailure(long timestampMillis, String trace, List<String> concurrentTraces) {
    private static final int MAX_CAUSES = 3;

    /** Returns whether its exception and all those at the same time contain that text. */
    public boolean isOnly(String text) {
      return trace.contains(text) && concurrentTraces.stream().allMatch(it -> it.contains(text));
    }

    /** Returns the messages of its root cause, and of two others that differ. */
    public String cause() {
      return Stream.concat(Stream.of(trace), concurrentTraces.stream())
          .map(FailureCause::of)
          .distinct()
          .limit(MAX_CAUSES)
          .collect(Collectors.joining("; at the same time: "));
    }
  }

  /**
   * The failures of a job that this JobManager remembers ({@code web.exception-history-size}, 16 by
   * default), the newest first. Each has led to a restart, or to the job's end.
   */
  public List<JobFailure> failures(String jobId) throws IOException {
    List<JobFailure> failures = new ArrayList<>();
    for (JsonNode entry : get("jobs/" + jobId + "/exceptions").at("/exceptionHistory/entries")) {
      failures.add(
          new JobFailure(
              entry.path("timestamp").asLong(),
              entry.path("stacktrace").asText(),
              entry.path("concurrentExceptions").findValuesAsText("stacktrace")));
    }
    return failures;
  }

  /**
   * The progress of a job. Flink answers from a cached view of the job that is some seconds old
   * ({@code web.refresh-interval}). Later answers of {@link #accumulators} and {@link #failureOf}
   * are from the same view or a newer one. The state in {@link #jobs()} is not cached and may be
   * ahead of them.
   *
   * @param state such as RUNNING
   * @param hasBegun whether a task runs or has run, so the cluster had a slot for it
   */
  public record JobProgress(String state, boolean hasBegun) {
    /** Returns whether its state is RUNNING; its tasks may still be being deployed. */
    public boolean isRunning() {
      return state.equals("RUNNING");
    }

    /** Returns whether it has ended permanently. */
    public boolean isOver() {
      return isFinal(state);
    }
  }

  /** The progress of that job. */
  public JobProgress progress(String jobId) throws IOException {
    JsonNode job = get("jobs/" + jobId);
    boolean hasBegun = false;
    for (JsonNode vertex : job.path("vertices")) {
      JsonNode tasks = vertex.path("tasks");
      hasBegun |= tasks.path("RUNNING").asInt() + tasks.path("FINISHED").asInt() > 0;
    }
    return new JobProgress(job.path("state").asText(), hasBegun);
  }

  /**
   * The parameters that a job's client has published with it, by key. Empty while the cluster sets
   * the job up. The answer is from the same view as that of an earlier {@link #progress}, or from a
   * newer one.
   */
  public Map<String, String> jobParameters(String jobId) throws IOException {
    Map<String, String> parameters = new TreeMap<>();
    get("jobs/" + jobId + "/config")
        .at("/execution-config/user-config")
        .properties()
        .forEach(parameter -> parameters.put(parameter.getKey(), parameter.getValue().asText()));
    return parameters;
  }

  private static boolean isFinal(String state) {
    return state.equals("FINISHED") || state.equals("CANCELED") || state.equals("FAILED");
  }

  /** A job's accumulators so far, as text; complete once it has ended. */
  public Map<String, String> accumulators(String jobId) throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (JsonNode accumulator :
        get("jobs/" + jobId + "/accumulators").path("user-task-accumulators")) {
      values.put(accumulator.path("name").asText(), accumulator.path("value").asText());
    }
    return values;
  }

  /**
   * The cluster's task slots.
   *
   * @param total of all registered TaskManagers
   * @param available slots without a job
   */
  public record Slots(int total, int available) {}

  /** The present number of slots. */
  public Slots slots() throws IOException {
    JsonNode overview = get("overview");
    return new Slots(
        overview.path("slots-total").asInt(), overview.path("slots-available").asInt());
  }

  /**
   * The beginning of the ids of an operator's metrics: Flink replaces each blank, comma, dot and
   * colon of the name by an underscore, and no other character.
   */
  static String scope(String operator) {
    return operator.replaceAll("[ ,.:]", "_") + ".";
  }

  /** The beginning of the ids of a sink's metrics. */
  static String writerScope(String sink) {
    return scope(sink + ": Writer");
  }

  /**
   * Metrics of a job's operators, each aggregated over its subtasks. Their ids are {@code
   * <operator>.<group>.<name>}, see {@link #scope}.
   *
   * @param wanted selects the ids
   */
  public Map<String, Double> metrics(
      String jobId, Predicate<String> wanted, Aggregation aggregation) throws IOException {
    return metrics(jobId, Map.of(aggregation, wanted)).getOrDefault(aggregation, Map.of());
  }

  /**
   * Metrics of a job's operators in several aggregations. Flink names hundreds of metrics for each
   * vertex: the names are asked for once.
   *
   * @param wanted selects the ids of each aggregation
   * @return the aggregations that have metrics
   */
  public Map<Aggregation, Map<String, Double>> metrics(
      String jobId, Map<Aggregation, Predicate<String>> wanted) throws IOException {
    Map<Aggregation, Map<String, Double>> found = new EnumMap<>(Aggregation.class);
    for (JsonNode vertex : vertices(jobId)) {
      String path = metricsOf(jobId, vertex.path("id").asText());
      JsonNode metrics = get(path);
      for (Map.Entry<Aggregation, Predicate<String>> some : wanted.entrySet()) {
        List<String> ids =
            StreamSupport.stream(metrics.spliterator(), false)
                .map(metric -> metric.path("id").asText())
                .filter(some.getValue())
                .toList();
        if (!ids.isEmpty()) {
          found
              .computeIfAbsent(some.getKey(), any -> new TreeMap<>())
              .putAll(aggregated(path, ids, some.getKey()));
        }
      }
    }
    return found;
  }

  /**
   * The sums of metrics over the subtasks of the vertex with that name; without those that the
   * cluster has not collected yet, and empty if the job has no such vertex.
   */
  public Map<String, Double> metricsOfVertex(String jobId, String name, List<String> ids)
      throws IOException {
    Optional<String> vertex = vertex(jobId, name);
    return vertex.isEmpty()
        ? Map.of()
        : aggregated(metricsOf(jobId, vertex.get()), ids, Aggregation.SUM);
  }

  /** Returns whether a vertex of the job has that name. */
  public boolean hasVertex(String jobId, String name) throws IOException {
    return vertex(jobId, name).isPresent();
  }

  /** Returns whether the job's checkpoints are exactly once and aligned: others have no ledger. */
  boolean hasAlignedCheckpoints(String jobId) throws IOException {
    JsonNode settings = get("jobs/" + jobId + "/checkpoints/config");
    return settings.path("mode").asText().equals("exactly_once")
        && !settings.path("unaligned_checkpoints").asBoolean();
  }

  private JsonNode vertices(String jobId) throws IOException {
    return get("jobs/" + jobId).path("vertices");
  }

  private static String metricsOf(String jobId, String vertex) {
    return "jobs/%s/vertices/%s/subtasks/metrics".formatted(jobId, vertex);
  }

  /** The id of the vertex with that name. */
  private Optional<String> vertex(String jobId, String name) throws IOException {
    for (JsonNode vertex : vertices(jobId)) {
      if (vertex.path("name").asText().equals(name)) {
        return Optional.of(vertex.path("id").asText());
      }
    }
    return Optional.empty();
  }

  private Map<String, Double> aggregated(String path, List<String> ids, Aggregation aggregation)
      throws IOException {
    String how = aggregation.name().toLowerCase(Locale.ROOT);
    Map<String, Double> found = new TreeMap<>();
    for (List<String> some : requests(path + "?get=&agg=" + how, ids)) {
      for (JsonNode metric : get(path + "?get=" + String.join(",", some) + "&agg=" + how)) {
        found.put(metric.path("id").asText(), metric.path(how).asDouble());
      }
    }
    return found;
  }

  /**
   * Distributes names over as few requests as Flink's limit of a request's first line allows.
   *
   * @param path without the names, which a comma separates
   * @return the names of each request, encoded
   */
  private List<List<String>> requests(String path, List<String> names) {
    int free =
        MAX_REQUEST_LINE - "GET  HTTP/1.1".length() - base.getRawPath().length() - path.length();
    List<List<String>> requests = new ArrayList<>();
    int left = 0;
    for (String name : names) {
      String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
      left -= encoded.length() + 1;
      if (requests.isEmpty() || left < 0) {
        requests.add(new ArrayList<>());
        // No comma stands before the first name.
        left = free - encoded.length();
      }
      requests.get(requests.size() - 1).add(encoded);
    }
    return requests;
  }

  /**
   * The sum of a metric over the subtasks of its operator. Empty if no operator of the job has it,
   * and until the cluster has collected it. It needs one request for each vertex up to the
   * operator's; the names of the metrics are not read.
   */
  public OptionalLong sumOfAllSubtasks(String jobId, String id) throws IOException {
    for (JsonNode vertex : vertices(jobId)) {
      Double sum =
          aggregated(metricsOf(jobId, vertex.path("id").asText()), List.of(id), Aggregation.SUM)
              .get(id);
      if (sum != null) {
        return OptionalLong.of(sum.longValue());
      }
    }
    return OptionalLong.empty();
  }

  /** The smallest value of a metric; empty until every subtask of its operator has reported one. */
  public Optional<Double> smallestOfAllSubtasks(String jobId, String id) throws IOException {
    for (JsonNode vertex : vertices(jobId)) {
      Optional<Double> smallest =
          smallest(
              "jobs/%s/vertices/%s/metrics?get=".formatted(jobId, vertex.path("id").asText()),
              IntStream.range(0, vertex.path("parallelism").asInt())
                  .mapToObj(i -> i + "." + id)
                  .toList());
      if (smallest.isPresent()) {
        return smallest;
      }
    }
    return Optional.empty();
  }

  /**
   * The smallest value of metrics; empty if one is missing. Flink's own minimum leaves out subtasks
   * that have not reported, and tells not how many have.
   */
  private Optional<Double> smallest(String path, List<String> ids) throws IOException {
    Optional<Double> smallest = Optional.empty();
    for (List<String> some : requests(path, ids)) {
      JsonNode values = get(path + String.join(",", some));
      if (values.size() != some.size()) {
        return Optional.empty();
      }
      for (JsonNode value : values) {
        double reported = Double.parseDouble(value.path("value").asText());
        smallest = Optional.of(smallest.map(least -> Math.min(least, reported)).orElse(reported));
      }
    }
    return smallest;
  }

  /**
   * The number of automatic restarts of a job since the JobManager took it up. It is derived from
   * the attempts of the tasks, because the metric {@code numRestarts} can be stale for long after a
   * TaskManager was killed.
   */
  public long restarts(String jobId) throws IOException {
    long restarts = 0;
    for (JsonNode vertex : vertices(jobId)) {
      JsonNode subtasks =
          get("jobs/%s/vertices/%s".formatted(jobId, vertex.path("id").asText())).path("subtasks");
      for (JsonNode subtask : subtasks) {
        restarts = Math.max(restarts, subtask.path("attempt").asLong());
      }
    }
    return restarts;
  }

  /**
   * A metric of a TaskManager's process, such as {@code Status.JVM.Memory.Heap.Used}; empty until
   * the cluster has collected it.
   */
  public OptionalLong taskManagerMetric(String taskManager, String id) throws IOException {
    JsonNode values = get("taskmanagers/" + taskManager + "/metrics?get=" + id);
    return values.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(values.path(0).path("value").asText()));
  }

  /** The number of the newest checkpoint, in any state; 0 if there is none. */
  public long latestCheckpoint(String jobId) throws IOException {
    return get("jobs/" + jobId + "/checkpoints").at("/history/0/id").asLong();
  }

  /** The number of the newest completed checkpoint of this run; 0 if there is none. */
  public long latestCompletedCheckpoint(String jobId) throws IOException {
    return get("jobs/" + jobId + "/checkpoints").at("/latest/completed/id").asLong();
  }

  /**
   * A checkpoint: in progress, completed, or failed. A failed one delays a job as well.
   *
   * @param triggered its start, by the JobManager's clock
   * @param took the time to its completion or failure; empty: in progress
   */
  public record CheckpointTime(long id, Instant triggered, Optional<Duration> took) {}

  /**
   * The newest checkpoints of this run, as many as the cluster keeps ({@code
   * web.checkpoints.history}).
   */
  public List<CheckpointTime> checkpointTimes(String jobId) throws IOException {
    List<CheckpointTime> times = new ArrayList<>();
    for (JsonNode checkpoint : checkpointsOf(jobId).path("history")) {
      boolean isInProgress = checkpoint.path("status").asText().equals("IN_PROGRESS");
      long took = checkpoint.path("end_to_end_duration").asLong();
      times.add(
          new CheckpointTime(
              checkpoint.path("id").asLong(),
              Instant.ofEpochMilli(checkpoint.path("trigger_timestamp").asLong()),
              isInProgress ? Optional.empty() : Optional.of(Duration.ofMillis(took))));
    }
    return times;
  }

  /** When a checkpoint of this run was triggered; empty if the cluster does not list it. */
  public Optional<Instant> triggered(String jobId, long checkpoint) throws IOException {
    return checkpointTimes(jobId).stream()
        .filter(time -> time.id() == checkpoint)
        .map(CheckpointTime::triggered)
        .findFirst();
  }

  /**
   * The checkpoints of this run.
   *
   * @param newest the newest completed one; null: none yet
   * @param newestFailure the newest failed one; null: none failed
   */
  public record Checkpoints(
      long completed,
      long failed,
      long inProgress,
      @Nullable CompletedCheckpoint newest,
      @Nullable FailedCheckpoint newestFailure) {}

  /**
   * A completed checkpoint.
   *
   * @param triggered its start, by the JobManager's clock
   * @param tookMillis from its start to its end
   * @param bytes of all state in it
   */
  public record CompletedCheckpoint(long id, Instant triggered, long tookMillis, long bytes) {}

  /**
   * A failed checkpoint.
   *
   * @param cause as Flink says it; may be empty
   */
  public record FailedCheckpoint(long id, Instant failed, String cause) {}

  /** The checkpoints of this run, counted. */
  public Checkpoints checkpoints(String jobId) throws IOException {
    JsonNode all = checkpointsOf(jobId);
    JsonNode counts = all.path("counts");
    JsonNode completed = all.path("latest").path("completed");
    JsonNode failed = all.path("latest").path("failed");
    return new Checkpoints(
        counts.path("completed").asLong(),
        counts.path("failed").asLong(),
        counts.path("in_progress").asLong(),
        completed.isObject()
            ? new CompletedCheckpoint(
                completed.path("id").asLong(),
                Instant.ofEpochMilli(completed.path("trigger_timestamp").asLong()),
                completed.path("end_to_end_duration").asLong(),
                completed.path("state_size").asLong())
            : null,
        failed.isObject()
            ? new FailedCheckpoint(
                failed.path("id").asLong(),
                Instant.ofEpochMilli(failed.path("failure_timestamp").asLong()),
                failed.path("failure_message").asText(""))
            : null);
  }

  /**
   * A checkpoint or savepoint from which a job can start.
   *
   * @param path of a completed checkpoint or savepoint
   * @param triggered its start
   */
  public record RestorePoint(String path, Instant triggered) {}

  /** The newest completed checkpoint or savepoint of this run that the cluster knows. */
  public Optional<RestorePoint> latestRestorePoint(String jobId) throws IOException {
    JsonNode latest = checkpointsOf(jobId).path("latest");
    return Stream.of(latest.path("completed"), latest.path("savepoint"))
        .filter(point -> point.hasNonNull("external_path"))
        .filter(point -> !point.path("external_path").asText().equals(NOT_ADDRESSABLE))
        .map(
            point ->
                new RestorePoint(
                    point.path("external_path").asText(),
                    Instant.ofEpochMilli(point.path("trigger_timestamp").asLong())))
        .max(Comparator.comparing(RestorePoint::triggered));
  }

  /**
   * The checkpoint or savepoint that this run was restored from last; empty: none, or the cluster
   * has not set up the job yet.
   */
  public Optional<String> restoredFrom(String jobId) throws IOException {
    return Optional.ofNullable(
        checkpointsOf(jobId).at("/latest/restored/external_path").textValue());
  }

  /** A setting of the cluster's own configuration. */
  public Optional<String> clusterSetting(String key) throws IOException {
    for (JsonNode setting : get("jobmanager/config")) {
      if (setting.path("key").asText().equals(key)) {
        return Optional.of(setting.path("value").asText());
      }
    }
    return Optional.empty();
  }

  /**
   * The state of a requested savepoint: in progress if both are empty, else exactly one is present.
   *
   * @param path of the savepoint
   * @param failure the reason why there is none, with a stack trace
   */
  public record Savepoint(Optional<String> path, Optional<String> failure) {}

  /**
   * Requests a savepoint and the job's end, in the canonical format, which any state backend and a
   * newer Flink can read.
   *
   * @param directory the target, or null for the cluster's configured directory
   * @return the request's id, for {@link #savepoint}
   */
  public String stopWithSavepoint(String jobId, @Nullable String directory) throws IOException {
    ObjectNode body = JSON.createObjectNode().put("drain", false).put("formatType", "CANONICAL");
    if (directory != null) {
      body.put("targetDirectory", directory);
    }
    return post("jobs/" + jobId + "/stop", body.toString()).path("request-id").asText();
  }

  /** The state of a requested savepoint. */
  public Savepoint savepoint(String jobId, String requestId) throws IOException {
    JsonNode operation = get("jobs/%s/savepoints/%s".formatted(jobId, requestId)).path("operation");
    return new Savepoint(
        Optional.ofNullable(operation.path("location").textValue()),
        Optional.ofNullable(operation.path("failure-cause").path("stack-trace").textValue()));
  }

  /**
   * The state of a requested checkpoint: in progress if both are empty, else exactly one is
   * present.
   *
   * @param id its number, once it has completed
   * @param failure the reason why there is none, in one line
   */
  public record Checkpoint(OptionalLong id, Optional<String> failure) {}

  /**
   * Requests a checkpoint, which may still fail.
   *
   * @return the request's id, for {@link #checkpoint}
   */
  public String triggerCheckpoint(String jobId) throws IOException {
    return post("jobs/" + jobId + "/checkpoints", "{}").path("request-id").asText();
  }

  /**
   * The state of a requested checkpoint. Flink drops the request after some minutes, and when its
   * JobManager restarts.
   *
   * @throws FlinkAnswerException with a refusal, if Flink does not know the request
   */
  public Checkpoint checkpoint(String jobId, String requestId) throws IOException {
    JsonNode operation =
        get("jobs/%s/checkpoints/%s".formatted(jobId, requestId)).path("operation");
    JsonNode id = operation.path("checkpointId");
    JsonNode failure = operation.path("failureCause");
    return new Checkpoint(
        id.isIntegralNumber() ? OptionalLong.of(id.asLong()) : OptionalLong.empty(),
        failure.isObject()
            ? failure.path("stack-trace").asText().lines().findFirst().or(() -> Optional.of(""))
            : Optional.empty());
  }

  /** Cancels a job; its checkpoints stay. */
  public void cancel(String jobId) throws IOException {
    send(
        HttpRequest.newBuilder(base.resolve("jobs/" + jobId + "?mode=cancel"))
            .method("PATCH", HttpRequest.BodyPublishers.noBody()));
  }

  /** What Flink lists of a job's checkpoints; nothing of a job that makes none, such as a batch. */
  private JsonNode checkpointsOf(String jobId) throws IOException {
    try {
      return get("jobs/" + jobId + "/checkpoints");
    } catch (FlinkAnswerException e) {
      if (e.isNotFound() && String.valueOf(e.getMessage()).contains("Checkpointing ")) {
        return MissingNode.getInstance();
      }
      throw e;
    }
  }

  private JsonNode get(String path) throws IOException {
    return send(HttpRequest.newBuilder(base.resolve(path)).GET());
  }

  private JsonNode post(String path, String body) throws IOException {
    return send(
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private JsonNode send(HttpRequest.Builder builder) throws IOException {
    HttpRequest request = builder.timeout(timeout).build();
    HttpResponse<byte[]> response = response(request);
    if (response.statusCode() >= 300) {
      throw new FlinkAnswerException(
          response.statusCode(),
          "Flink answered %d to %s %s: %s"
              .formatted(
                  response.statusCode(),
                  request.method(),
                  request.uri(),
                  new String(response.body(), StandardCharsets.UTF_8)
                      .lines()
                      .findFirst()
                      .orElse("")));
    }
    return response.body().length == 0 ? JSON.nullNode() : JSON.readTree(response.body());
  }

  /** Adds the address, because Java's own messages ("request timed out") do not name it. */
  private HttpResponse<byte[]> response(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while querying Flink", e);
    } catch (HttpTimeoutException e) {
      throw new IOException(
          "Flink did not answer at %s within %d s".formatted(base, timeout.toSeconds()), e);
    } catch (ConnectException e) {
      throw new IOException("Flink does not answer at " + base, e);
    } catch (IOException e) {
      throw new IOException(
          "Flink does not answer at %s: %s".formatted(base, RootCause.message(e)), e);
    }
  }
}
