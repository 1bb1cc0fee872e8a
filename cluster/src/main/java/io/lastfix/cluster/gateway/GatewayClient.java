package io.lastfix.cluster.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a gateway answers of its own state. */
public final class GatewayClient {
  private static final Duration PROBE = Duration.ofSeconds(3);
  private static final int UNAVAILABLE = 503;
  private static final ObjectMapper JSON = new ObjectMapper();

  private GatewayClient() {}

  /**
   * The devices that have used up a gateway's {@code quota.bytes-per-day}.
   *
   * @param devices how many
   * @param names of the first ones; a gateway that other machines reach shows none
   */
  public record OverQuota(int devices, List<String> names) {
    /** No device, as far as is known. */
    public static final OverQuota NONE = new OverQuota(0, List.of());

    /** Returns a line for the user; empty if no device is over the quota. */
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

  /**
   * A console reads every few seconds and a supervisor each second, and a client of its own for
   * each would have a thread.
   */
  private static final class Client {
    private static final HttpClient SHARED = HttpClient.newHttpClient();
  }

  /**
   * Returns the devices that are over a gateway's quota.
   *
   * @throws IOException if it does not answer that
   */
  public static OverQuota overQuota(String endpoint, Duration limit)
      throws IOException, InterruptedException {
    // The status is about requests: a gateway without Kafka answers 503, and all the same this.
    HttpResponse<String> answer = get(endpoint + "/ready", limit);
    JsonNode quota = JSON.readTree(answer.body()).path("overQuota");
    if (!quota.path("devices").isNumber()) {
      throw new IOException(
          "%s/ready answers %d, without overQuota: no gateway of this release"
              .formatted(endpoint, answer.statusCode()));
    }
    List<String> names = new ArrayList<>();
    quota.path("names").forEach(name -> names.add(name.asText()));
    return new OverQuota(quota.path("devices").asInt(), names);
  }

  /** Asks with a client that all share. */
  static HttpResponse<String> get(String address, Duration limit)
      throws IOException, InterruptedException {
    return get(Client.SHARED, address, limit);
  }

  /** The request's own limit would end with the head of the answer. */
  private static HttpResponse<String> get(HttpClient client, String address, Duration limit)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(URI.create(address))
                .version(HttpClient.Version.HTTP_1_1)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer within %d ms".formatted(limit.toMillis()));
    } finally {
      answer.cancel(true);
    }
  }

  /**
   * Why a gateway, or notify, should be started again, in its own words; empty if it reports no
   * reason. One that does not answer may be busy.
   */
  public static Optional<String> restartReason(String endpoint) {
    try {
      HttpResponse<String> answer = get(endpoint + "/health", PROBE);
      return answer.statusCode() == UNAVAILABLE
          ? Optional.of(JSON.readTree(answer.body()).path("reason").asText(""))
              .filter(reason -> !reason.isEmpty())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Returns whether a gateway takes requests, has found Kafka, and its broker if it has one. */
  public static boolean isReady(HttpClient client, String endpoint, Duration limit)
      throws Exception {
    HttpResponse<String> answer = get(client, endpoint + "/ready", limit);
    // The status is about requests only: the gateway takes them without a broker, too.
    String mqtt = JSON.readTree(answer.body()).path("mqtt").asText("ready");
    return answer.statusCode() == 200 && mqtt.equals("ready");
  }
}
