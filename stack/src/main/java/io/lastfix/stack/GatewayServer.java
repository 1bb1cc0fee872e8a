package io.lastfix.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The devices' door: a gateway on loopback, whose routes are open to everybody on this machine. */
public final class GatewayServer extends WebServer {
  public static final String NAME = "gateway";
  private static final int USUAL_PORT = 8480;
  private static final Duration PROBE = Duration.ofSeconds(3);

  /** The class with the gateway's {@code main}. */
  public static final String MAIN_CLASS = "io.lastfix.gateway.Main";

  /**
   * Room for four times the default budget of bytes. A gateway without memory ends, so that whoever
   * watches it starts it again: one that lost a thread would refuse every device.
   */
  public static final List<String> JAVA_OPTIONS =
      List.of("-Xms128m", "-Xmx512m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");

  private final ServerProcess process;

  /** The settings with which it subscribes to a broker, everything open. */
  public static List<String> subscribingTo(MqttServer broker) {
    return List.of(
        "mqtt.broker=" + broker.endpoint(),
        "mqtt.client-id-file=" + broker.clientIdFile(),
        "mqtt.records=unsigned",
        "mqtt.owntracks=unsigned");
  }

  /**
   * Prepares a gateway.
   *
   * @param kafka the bootstrap servers
   * @param more settings, {@code key=value}, over those of the local stack
   */
  public GatewayServer(ServerSite site, String kafka, List<String> more) {
    super(site, NAME, "The gateway", USUAL_PORT, PROBE, GatewayServer::isReady);
    List<String> settings =
        new ArrayList<>(
            List.of(
                "http.address=" + Ports.LOOPBACK,
                "http.port=" + port(),
                "kafka.bootstrap-servers=" + kafka,
                "access.records=unsigned",
                "access.osmand=unsigned",
                "access.owntracks=unsigned",
                "access.openschema=unsigned",
                "access.c2=unsigned",
                "devices.enabled=true",
                "devices.group-keys=" + groupKeys(site),
                // Nobody balances load here.
                "http.lame-duck=1 ms",
                // Below the limit after which a server that stops is killed.
                "http.drain-timeout=10 s",
                "kafka.delivery-timeout=5 s"));
    settings.addAll(more);
    List<String> arguments = new ArrayList<>(JAVA_OPTIONS);
    arguments.addAll(List.of("-cp", Installation.classPath(NAME), MAIN_CLASS));
    for (String setting : settings) {
      arguments.add("--set");
      arguments.add(setting);
    }
    process = site.javaProcess(NAME, arguments);
  }

  /** The folder in which {@code lastfix group} writes keys, too. */
  private static Path groupKeys(ServerSite site) {
    try {
      return Files.createDirectories(site.home().root().resolve("group-keys"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class path of a gateway, as java's {@code -cp} takes it. */
  public static String classPath() {
    return Installation.classPath(NAME);
  }

  @Override
  ServerProcess process() {
    return process;
  }

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
  static String restartReason(String endpoint) {
    // Each second: a client of HTTP would start a thread each time.
    HttpURLConnection connection = null;
    try {
      connection = (HttpURLConnection) URI.create(endpoint + "/health").toURL().openConnection();
      connection.setConnectTimeout((int) PROBE.toMillis());
      connection.setReadTimeout((int) PROBE.toMillis());
      if (connection.getResponseCode() != HttpURLConnection.HTTP_UNAVAILABLE) {
        return "";
      }
      try (InputStream body = connection.getErrorStream()) {
        return new ObjectMapper().readTree(body).path("reason").asText("");
      }
    } catch (IOException e) {
      return "";
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
