package io.lastfix.cli.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The questions the command asks a Flink cluster's REST interface. */
public final class FlinkRest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String address;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();

  /**
   * A job as the cluster shows it.
   *
   * @param state Flink's own name, for example {@code RUNNING}
   */
  public record Job(String id, String name, String state) {}

  /**
   * @param address for example {@code http://127.0.0.1:8081}
   */
  public FlinkRest(String address) {
    this.address = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  /** The cluster's jobs, ended ones too. */
  public List<Job> jobs() throws IOException, InterruptedException {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : get("/jobs/overview").path("jobs")) {
      jobs.add(
          new Job(job.path("jid").asText(), job.path("name").asText(), job.path("state").asText()));
    }
    return jobs;
  }

  /** The Flink version the cluster runs. */
  public String version() throws IOException, InterruptedException {
    return get("/config").path("flink-version").asText();
  }

  /** Epoch milliseconds of each registered TaskManager's last heartbeat; 0 before its first. */
  Map<String, Long> lastHeartbeatMillisByTaskManager() throws IOException, InterruptedException {
    Map<String, Long> heartbeats = new LinkedHashMap<>();
    for (JsonNode taskManager : get("/taskmanagers").path("taskmanagers")) {
      // Despite its name this is a point in time.
      heartbeats.put(
          taskManager.path("id").asText(), taskManager.path("timeSinceLastHeartbeat").asLong());
    }
    return heartbeats;
  }

  /**
   * Any GET of the interface.
   *
   * @param path with its leading slash
   */
  public JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address + path)).timeout(LIMIT).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("Flink answered " + response.statusCode() + " to GET " + path);
    }
    return JSON.readTree(response.body());
  }
}
