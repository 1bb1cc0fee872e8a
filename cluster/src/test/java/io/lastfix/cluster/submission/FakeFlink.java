package io.lastfix.cluster.submission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster whose jobs run, are stopped with a savepoint, and are cancelled. */
final class FakeFlink implements AutoCloseable {
  /** How a job behaves. */
  enum Behaviour {
    GOOD,
    /** Has failed often, and runs and completes checkpoints since. */
    FAILED_BEFORE,
    NEVER_COMPLETES_A_CHECKPOINT,
    FAILS,
    /** Restarts again and again, because a TaskManager was lost and no slot is free. */
    LACKS_SLOTS,
    /** Lacks slots as well, but each time a task of it fails. */
    FAILS_WHILE_SLOTS_LACK,
    /** Ends its TaskManager again and again; after each loss no slot is free for a time. */
    ENDS_TASKMANAGERS
  }

  private static final String FAILED_ONCE_STOPPED = "FAILED once stopped";

  private record FakeJob(String state, Behaviour behaviour, String restoredFrom) {}

  private static final String NO_SLOTS =
      "java.util.concurrent.CompletionException\\nCaused by: org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException: Could not acquire the minimum required resources.";

  private static final String LOSS = "a.B: TaskManager is no longer reachable";

  private static final String SAVEPOINT = "s3://bucket/savepoint-of-";

  private final String name;
  private final HttpServer server;
  private final Map<String, FakeJob> jobs = Collections.synchronizedMap(new LinkedHashMap<>());
  private volatile boolean refusesStops;

  /**
   * @param name of all jobs
   */
  FakeFlink(String name) {
    this.name = name;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The cluster has accepted a job without state. */
  void start(String id, Behaviour behaviour) {
    start(id, behaviour, "");
  }

  /** The cluster has accepted a job. */
  void start(String id, Behaviour behaviour, String restoredFrom) {
    jobs.put(id, new FakeJob("RUNNING", behaviour, restoredFrom));
  }

  void refuseStops() {
    refusesStops = true;
  }

  /** A job has ended with a savepoint. */
  void stop(String id) {
    end(id, "FINISHED");
  }

  /** A task of a job has failed once its savepoint was taken, so Flink has failed the job. */
  void failOnceStopped(String id) {
    end(id, FAILED_ONCE_STOPPED);
  }

  /** A JobManager without high availability has restarted. */
  void forgetJobs() {
    jobs.clear();
  }

  /** A user has cancelled a job. */
  void cancel(String id) {
    end(id, "CANCELED");
  }

  private void end(String id, String state) {
    jobs.computeIfPresent(
        id, (any, job) -> new FakeJob(state, job.behaviour(), job.restoredFrom()));
  }

  String state(String id) {
    return listedState(jobs.get(id));
  }

  private static String listedState(FakeJob job) {
    return job.state().equals(FAILED_ONCE_STOPPED) ? "FAILED" : job.state();
  }

  /** The savepoint that a stopped job leaves. */
  static String savepointOf(String id) {
    return SAVEPOINT + id;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String answer = answer(exchange.getRequestMethod(), path.split("/", -1));
    byte[] body = answer.getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.isEmpty() ? 404 : 200, answer.isEmpty() ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String answer(String method, String[] path) {
    String first = path[1];
    String id = path.length > 2 ? path[2] : "";
    if (first.equals("jobmanager")) {
      return "[]";
    }
    if (first.equals("overview")) {
      return "{\"slots-total\":1,\"slots-available\":1}";
    }
    if (id.equals("overview")) {
      return jobs.entrySet().stream()
          .map(
              job ->
                  "{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"%s\"}"
                      .formatted(job.getKey(), name, listedState(job.getValue())))
          .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    }
    FakeJob job = jobs.get(id);
    return job == null ? "" : ofJob(method, id, job, path.length > 3 ? path[3] : "");
  }

  private String ofJob(String method, String id, FakeJob job, String what) {
    if (method.equals("PATCH")) {
      end(id, "CANCELED");
      return "{}";
    }
    if (what.equals("exceptions") && job.state().equals(FAILED_ONCE_STOPPED)) {
      return "{\"root-exception\":\"a.B: A savepoint has been created at: %s, but the corresponding job %s failed during stopping.\"}"
          .formatted(savepointOf(id), id);
    }
    boolean runs =
        job.behaviour() != Behaviour.LACKS_SLOTS
            && job.behaviour() != Behaviour.FAILS_WHILE_SLOTS_LACK
            && job.behaviour() != Behaviour.ENDS_TASKMANAGERS;
    return switch (what) {
      case "" ->
          "{\"state\":\"%s\",\"vertices\":[{\"id\":\"v\",\"parallelism\":1,\"tasks\":{\"RUNNING\":%d}}]}"
              .formatted(listedState(job), runs ? 1 : 0);
      case "exceptions" ->
          switch (job.behaviour()) {
            case FAILS -> failures("a.B: the last", "a.B: the second", "a.B: the first");
            // With a loss before that a user caused.
            case LACKS_SLOTS -> failures(NO_SLOTS, NO_SLOTS, NO_SLOTS, LOSS);
            case FAILED_BEFORE -> failures(LOSS, NO_SLOTS, NO_SLOTS, NO_SLOTS, LOSS);
            case ENDS_TASKMANAGERS -> failures(NO_SLOTS, LOSS, NO_SLOTS, LOSS, LOSS, NO_SLOTS);
            case FAILS_WHILE_SLOTS_LACK ->
                failures(NO_SLOTS, NO_SLOTS, NO_SLOTS)
                    .replace(
                        "\"timestamp\"",
                        "\"concurrentExceptions\":[{\"stacktrace\":\"a.B: of a task\"}],\"timestamp\"");
            case GOOD, NEVER_COMPLETES_A_CHECKPOINT -> "{}";
          };
      case "checkpoints" -> checkpoints(id, job);
      case "stop" -> {
        if (refusesStops) {
          yield "";
        }
        stop(id);
        yield "{\"request-id\":\"r\"}";
      }
      case "savepoints" -> "{\"operation\":{\"location\":\"%s\"}}".formatted(savepointOf(id));
      default -> "";
    };
  }

  private static String failures(String... newestFirst) {
    return IntStream.range(0, newestFirst.length)
        .mapToObj(
            i ->
                "{\"timestamp\":%d,\"stacktrace\":\"%s\"}"
                    .formatted(newestFirst.length - i, newestFirst[i]))
        .collect(Collectors.joining(",", "{\"exceptionHistory\":{\"entries\":[", "]}}"));
  }

  private static String checkpoints(String id, FakeJob job) {
    if (job.state().equals("FINISHED")) {
      return "{\"latest\":{\"savepoint\":{\"external_path\":\"%s\"}}}".formatted(savepointOf(id));
    }
    boolean completes =
        job.behaviour() == Behaviour.GOOD || job.behaviour() == Behaviour.FAILED_BEFORE;
    return "{\"latest\":{%s\"restored\":{\"external_path\":\"%s\"}}}"
        .formatted(
            completes ? "\"completed\":{\"id\":7,\"external_path\":\"s3://bucket/chk-7\"}," : "",
            job.restoredFrom());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
