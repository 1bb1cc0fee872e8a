package io.lastfix.stack.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * The few calls of Flink's REST API (1.20) that the commands need. Every call has a time limit.
 *
 * @see <a
 *     href="https://nightlies.apache.org/flink/flink-docs-release-1.20/docs/ops/rest_api/">Flink
 *     REST API</a>
 */
public final class FlinkRest {
  /** For a connection, and for each answer, unless said otherwise. */
  public static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final int MAX_METRICS_PER_CALL = 40;

  /** What Flink says instead of a path where a checkpoint has none. */
  private static final String NOT_ADDRESSABLE = "<checkpoint-not-externally-addressable>";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http;
  private final Duration timeout;
  private final URI base;

  /** For the cluster whose web page is at that address. */
  public FlinkRest(String url) {
    this(url, TIMEOUT);
  }

  /**
   * The same for one who is more or less patient.
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
   * @param started when
   */
  public record Job(String id, String name, String state, Instant started) {
    /** Whether it runs, with every task up. */
    public boolean isRunning() {
      return state.equals("RUNNING");
    }

    /** Whether it has ended for good. */
    public boolean isOver() {
      return isFinal(state);
    }
  }

  /** How the numbers of the subtasks become one. */
  public enum Aggregation {
    SUM,
    MIN,
    MAX,
    AVG
  }

  /** Where the cluster is asked. */
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

  /** All jobs the cluster remembers, the latest first. */
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

  /**
   * One job.
   *
   * @throws IOException if the cluster does not know it
   */
  public Job job(String id) throws IOException {
    return jobs().stream()
        .filter(job -> job.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IOException("Flink at " + base + " knows no job " + id));
  }

  /** The page of a job. */
  public String pageOf(String jobId) {
    return base.resolve("#/job/running/" + jobId).toString();
  }

  /**
   * Whether every subtask of the job runs: a job is RUNNING already while its tasks are still being
   * deployed.
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

  /** Why a job failed, as Flink says it; empty if it did not. */
  public Optional<String> failureOf(String jobId) throws IOException {
    String root = get("jobs/" + jobId + "/exceptions").path("root-exception").asText("");
    return root.isEmpty() ? Optional.empty() : Optional.of(root);
  }

  /** The message at the root of a job's failure; empty if it did not fail. */
  public Optional<String> causeOf(String jobId) throws IOException {
    return failureOf(jobId).map(FailureCause::of);
  }

  /**
   * How far a job is. Flink answers from a picture of the job that is some seconds old ({@code
   * web.refresh-interval}); what {@link #accumulators} and {@link #failureOf} say afterwards is of
   * the same picture or a later one. The state in {@link #jobs()} is not: it may be ahead of them.
   *
   * @param state such as RUNNING
   * @param hasBegun whether a task runs or has run: whether the cluster had a slot for it
   */
  public record JobProgress(String state, boolean hasBegun) {
    /** Whether it runs; its tasks may still be being deployed. */
    public boolean isRunning() {
      return state.equals("RUNNING");
    }

    /** Whether it has ended for good. */
    public boolean isOver() {
      return isFinal(state);
    }
  }

  /** How far that job is. */
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
   * What a job's client has published with it, by key. Empty while the cluster sets the job up; the
   * answer is of the same picture as that of an earlier {@link #progress}, or of a later one.
   */
  public Map<String, String> jobParameters(String jobId) throws IOException {
    Map<String, String> parameters = new TreeMap<>();
    get("jobs/" + jobId + "/config")
        .path("execution-config")
        .path("user-config")
        .properties()
        .forEach(parameter -> parameters.put(parameter.getKey(), parameter.getValue().asText()));
    return parameters;
  }

  private static boolean isFinal(String state) {
    return state.equals("FINISHED") || state.equals("CANCELED") || state.equals("FAILED");
  }

  /** What a job has counted in its accumulators so far, as text; all of it once it has ended. */
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
   * @param available those that no job has
   */
  public record Slots(int total, int available) {}

  /** How many slots there are now. */
  public Slots slots() throws IOException {
    JsonNode overview = get("overview");
    return new Slots(
        overview.path("slots-total").asInt(), overview.path("slots-available").asInt());
  }

  /**
   * Metrics of a job's operators, each aggregated over its subtasks. Their ids are {@code
   * <operator>.<group>.<name>}, where Flink writes an underscore for what is neither letter nor
   * digit in an operator's name.
   *
   * @param wanted which ids
   */
  public Map<String, Double> metrics(
      String jobId, Predicate<String> wanted, Aggregation aggregation) throws IOException {
    String how = aggregation.name().toLowerCase(Locale.ROOT);
    Map<String, Double> found = new TreeMap<>();
    for (JsonNode vertex : get("jobs/" + jobId).path("vertices")) {
      String path =
          "jobs/%s/vertices/%s/subtasks/metrics".formatted(jobId, vertex.path("id").asText());
      List<String> ids = new ArrayList<>();
      for (JsonNode metric : get(path)) {
        String id = metric.path("id").asText();
        if (wanted.test(id)) {
          ids.add(id);
        }
      }
      for (int from = 0; from < ids.size(); from += MAX_METRICS_PER_CALL) {
        List<String> some = ids.subList(from, Math.min(ids.size(), from + MAX_METRICS_PER_CALL));
        String names = URLEncoder.encode(String.join(",", some), StandardCharsets.UTF_8);
        for (JsonNode metric : get(path + "?get=" + names + "&agg=" + how)) {
          found.put(metric.path("id").asText(), metric.path(how).asDouble());
        }
      }
    }
    return found;
  }

  /** The smallest value of a metric; empty until every subtask of its operator has reported one. */
  public Optional<Double> smallestOfAllSubtasks(String jobId, String id) throws IOException {
    for (JsonNode vertex : get("jobs/" + jobId).path("vertices")) {
      int parallelism = vertex.path("parallelism").asInt();
      String names =
          IntStream.range(0, parallelism)
              .mapToObj(i -> i + "." + id)
              .collect(Collectors.joining(","));
      JsonNode values =
          get(
              "jobs/%s/vertices/%s/metrics?get=%s"
                  .formatted(
                      jobId,
                      vertex.path("id").asText(),
                      URLEncoder.encode(names, StandardCharsets.UTF_8)));
      if (values.size() == parallelism) {
        return StreamSupport.stream(values.spliterator(), false)
            .map(value -> Double.valueOf(value.path("value").asText()))
            .min(Double::compareTo);
      }
    }
    return Optional.empty();
  }

  /**
   * How often a job was restarted, by itself, since the JobManager took it up: by the attempts of
   * its tasks, since the metric {@code numRestarts} can stand still for long after a TaskManager
   * was killed.
   */
  public long restarts(String jobId) throws IOException {
    long restarts = 0;
    for (JsonNode vertex : get("jobs/" + jobId).path("vertices")) {
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

  /** The number of the newest checkpoint, whatever became of it; 0 if there is none. */
  public long latestCheckpoint(String jobId) throws IOException {
    return get("jobs/" + jobId + "/checkpoints").path("history").path(0).path("id").asLong();
  }

  /** The number of the newest completed checkpoint of this run; 0 if there is none. */
  public long latestCompletedCheckpoint(String jobId) throws IOException {
    return get("jobs/" + jobId + "/checkpoints")
        .path("latest")
        .path("completed")
        .path("id")
        .asLong();
  }

  /**
   * A checkpoint that was taken, is, or has failed, which holds a job up as well.
   *
   * @param triggered when it was begun, by the JobManager's clock
   * @param took until it was complete or had failed; empty: it goes on
   */
  public record CheckpointTime(long id, Instant triggered, Optional<Duration> took) {}

  /**
   * The newest checkpoints of this run, as many as the cluster keeps in mind ({@code
   * web.checkpoints.history}).
   */
  public List<CheckpointTime> checkpointTimes(String jobId) throws IOException {
    List<CheckpointTime> times = new ArrayList<>();
    for (JsonNode checkpoint : get("jobs/" + jobId + "/checkpoints").path("history")) {
      boolean goesOn = checkpoint.path("status").asText().equals("IN_PROGRESS");
      long took = checkpoint.path("end_to_end_duration").asLong();
      times.add(
          new CheckpointTime(
              checkpoint.path("id").asLong(),
              Instant.ofEpochMilli(checkpoint.path("trigger_timestamp").asLong()),
              goesOn ? Optional.empty() : Optional.of(Duration.ofMillis(took))));
    }
    return times;
  }

  /**
   * What a job can be started from.
   *
   * @param path of a completed checkpoint or savepoint
   * @param triggered when it was begun
   */
  public record RestorePoint(String path, Instant triggered) {}

  /** The newest completed checkpoint or savepoint of this run that the cluster knows. */
  public Optional<RestorePoint> latestRestorePoint(String jobId) throws IOException {
    JsonNode latest = get("jobs/" + jobId + "/checkpoints").path("latest");
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
   * What has become of a savepoint that was asked for: neither yet, or one of both.
   *
   * @param path where it is
   * @param failure why there is none, with a stack trace
   */
  public record Savepoint(Optional<String> path, Optional<String> failure) {}

  /**
   * Asks for a savepoint with which the job ends, in the canonical format, which any state backend
   * and a newer Flink can read.
   *
   * @param directory where to, or null for what the cluster's configuration says
   * @return the request's id, for {@link #savepoint}
   */
  public String stopWithSavepoint(String jobId, @Nullable String directory) throws IOException {
    ObjectNode body = JSON.createObjectNode().put("drain", false).put("formatType", "CANONICAL");
    if (directory != null) {
      body.put("targetDirectory", directory);
    }
    return post("jobs/" + jobId + "/stop", body.toString()).path("request-id").asText();
  }

  /** What has become of a savepoint so far. */
  public Savepoint savepoint(String jobId, String requestId) throws IOException {
    JsonNode operation = get("jobs/%s/savepoints/%s".formatted(jobId, requestId)).path("operation");
    return new Savepoint(
        Optional.ofNullable(operation.path("location").textValue()),
        Optional.ofNullable(operation.path("failure-cause").path("stack-trace").textValue()));
  }

  /**
   * What has become of a checkpoint that was asked for: neither yet, or one of both.
   *
   * @param id its number, once it has completed
   * @param failure why there is none, in a line
   */
  public record Checkpoint(OptionalLong id, Optional<String> failure) {}

  /**
   * Asks for a checkpoint now; it may still fail.
   *
   * @return the request's id, for {@link #checkpoint}
   */
  public String triggerCheckpoint(String jobId) throws IOException {
    return post("jobs/" + jobId + "/checkpoints", "{}").path("request-id").asText();
  }

  /**
   * What has become of a checkpoint so far. Flink forgets the request after some minutes, and when
   * its JobManager restarts.
   *
   * @throws FlinkAnswerException a refusal, where it does not know the request
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

  /** The bytes of all state in a completed checkpoint that the cluster still remembers. */
  public long checkpointBytes(String jobId, long checkpoint) throws IOException {
    return get("jobs/%s/checkpoints/details/%d".formatted(jobId, checkpoint))
        .path("state_size")
        .asLong();
  }

  /** Cancels a job; its checkpoints stay. */
  public void cancel(String jobId) throws IOException {
    send(
        HttpRequest.newBuilder(base.resolve("jobs/" + jobId + "?mode=cancel"))
            .method("PATCH", HttpRequest.BodyPublishers.noBody()));
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

  /** Java's own messages ("request timed out") tell neither of whom nor where. */
  private HttpResponse<byte[]> response(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while asking Flink", e);
    } catch (HttpTimeoutException e) {
      throw new IOException(
          "Flink did not answer at %s within %d s".formatted(base, timeout.toSeconds()), e);
    } catch (ConnectException e) {
      throw new IOException("Flink does not answer at " + base, e);
    } catch (IOException e) {
      throw new IOException("Flink does not answer at %s: %s".formatted(base, e), e);
    }
  }
}
