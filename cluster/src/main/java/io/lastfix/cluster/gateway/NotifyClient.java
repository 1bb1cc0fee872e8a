package io.lastfix.cluster.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.kit.text.TimeText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a server of alerts, {@code lastfix notify}, answers of its own state. */
public final class NotifyClient {
  /** The receiver of alerts that no configured one takes. */
  private static final String UNCONFIGURED = "unconfigured";

  private static final ObjectMapper JSON = new ObjectMapper();

  private NotifyClient() {}

  /**
   * How far the alerts of a receiver are, since the server's start.
   *
   * @param name such as {@code webhook-dispatch}
   * @param delivered alerts that it has
   * @param waiting alerts that were read and are not finished
   * @param oldestSeconds age of the oldest of these
   * @param undelivered alerts that were given up
   * @param problem why the last attempt failed, or why alerts cannot be read; empty: neither
   */
  public record Receiver(
      String name,
      long delivered,
      long waiting,
      long oldestSeconds,
      long undelivered,
      String problem) {
    /**
     * Returns whether a user is shown it: the one that is always there, only if it is used. No name
     * of a getter, which would be in the JSON.
     */
    public boolean hasLine() {
      return !name.equals(UNCONFIGURED) || undelivered > 0 || !problem.isEmpty();
    }

    /** Returns a line for the user. */
    public String text() {
      return "%s: %,d delivered, %,d waiting%s, %,d undelivered%s"
          .formatted(
              name,
              delivered,
              waiting,
              waiting == 0
                  ? ""
                  : " (the oldest for " + TimeText.span(Duration.ofSeconds(oldestSeconds)) + ")",
              undelivered,
              problem.isEmpty() ? "" : "; " + problem);
    }
  }

  /**
   * Returns its receivers.
   *
   * @throws IOException if it does not answer that
   */
  public static List<Receiver> receivers(String endpoint, Duration limit)
      throws IOException, InterruptedException {
    // The status is about Kafka: without it the server answers 503, and all the same this.
    JsonNode found =
        JSON.readTree(GatewayClient.get(endpoint + "/ready", limit).body()).path("receivers");
    if (!found.isObject()) {
      throw new IOException(endpoint + "/ready answers without receivers: no notify");
    }
    List<Receiver> receivers = new ArrayList<>();
    found
        .properties()
        .forEach(
            it ->
                receivers.add(
                    new Receiver(
                        it.getKey(),
                        it.getValue().path("delivered").asLong(),
                        it.getValue().path("waiting").asLong(),
                        it.getValue().path("oldestSeconds").asLong(),
                        it.getValue().path("undelivered").asLong(),
                        it.getValue().path("problem").asText(""))));
    return receivers;
  }
}
