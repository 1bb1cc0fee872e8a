package io.lastfix.cluster.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a gateway answers of its own state. */
public final class GatewayClient {
  private static final Duration PROBE = Duration.ofSeconds(3);

  private GatewayClient() {}

  /**
   * Who has used up a gateway's {@code quota.bytes-per-day}.
   *
   * @param devices how many
   * @param names of the first ones; a gateway that other machines reach shows none
   */
  public record OverQuota(int devices, List<String> names) {
    /** Nobody, as far as is known. */
    public static final OverQuota NOBODY = new OverQuota(0, List.of());

    /** Copies the names. */
    public OverQuota {
      names = List.copyOf(names);
    }

    /** A line for the user; empty if nobody is over the quota. */
    public Optional<String> text() {
      return devices == 0
          ? Optional.empty()
          : Optional.of(
              "%,d %s over the quota of today (quota.bytes-per-day), so the gateway refuses their records until midnight UTC%s"
                  .formatted(
                      devices,
                      devices == 1 ? "device is" : "devices are",
                      names.isEmpty()
                          ? ""
                          : ": "
                              + String.join(", ", names)
                              + (devices > names.size() ? ", ..." : "")));
    }
  }

  /** A console reads every few seconds, and a client of its own for each would have a thread. */
  private static final class Client {
    private static final HttpClient SHARED = HttpClient.newHttpClient();
  }

  /**
   * Returns who is over a gateway's quota.
   *
   * @throws IOException if it does not answer that
   */
  public static OverQuota overQuota(String endpoint, Duration limit)
      throws IOException, InterruptedException {
    // The status is about requests: a gateway without Kafka answers 503, and all the same this.
    HttpResponse<String> answer = ready(Client.SHARED, endpoint, limit);
    JsonNode quota = new ObjectMapper().readTree(answer.body()).path("overQuota");
    if (!quota.path("devices").isNumber()) {
      throw new IOException(
          "%s/ready answers %d, without overQuota: no gateway of this release"
              .formatted(endpoint, answer.statusCode()));
    }
    List<String> names = new ArrayList<>();
    quota.path("names").forEach(name -> names.add(name.asText()));
    return new OverQuota(quota.path("devices").asInt(), names);
  }

  private static HttpResponse<String> ready(HttpClient client, String endpoint, Duration limit)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(endpoint + "/ready")).timeout(limit).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /**
   * Why a gateway should be started again, in its own words; empty if it reports no reason. One
   * that does not answer may be busy.
   */
  public static Optional<String> restartReason(String endpoint) {
    // Each second: a client of HTTP would start a thread each time.
    HttpURLConnection connection = null;
    try {
      connection = (HttpURLConnection) URI.create(endpoint + "/health").toURL().openConnection();
      connection.setConnectTimeout((int) PROBE.toMillis());
      connection.setReadTimeout((int) PROBE.toMillis());
      if (connection.getResponseCode() != HttpURLConnection.HTTP_UNAVAILABLE) {
        return Optional.empty();
      }
      try (InputStream body = connection.getErrorStream()) {
        return Optional.of(new ObjectMapper().readTree(body).path("reason").asText(""))
            .filter(reason -> !reason.isEmpty());
      }
    } catch (IOException e) {
      return Optional.empty();
    } finally {
      // Otherwise an answer that was not read keeps its connection.
      if (connection != null) {
        connection.disconnect();
      }
    }
  }

  /** Returns whether a gateway takes requests, has found Kafka, and its broker if it has one. */
  public static boolean isReady(HttpClient client, String endpoint, Duration limit)
      throws Exception {
    HttpResponse<String> answer = ready(client, endpoint, limit);
    // The status is about requests only: the gateway takes them without a broker, too.
    String mqtt = new ObjectMapper().readTree(answer.body()).path("mqtt").asText("ready");
    return answer.statusCode() == 200 && mqtt.equals("ready");
  }
}
