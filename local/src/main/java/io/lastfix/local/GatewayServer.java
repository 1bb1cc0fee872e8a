package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.gateway.GatewayClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices' door: a gateway on loopback, whose routes are open to every program on this machine.
 */
public final class GatewayServer extends WebServer {
  public static final String NAME = StackState.GATEWAY;
  private static final int USUAL_PORT = 8480;
  private static final Duration PROBE = Duration.ofSeconds(3);

  /**
   * The class with the gateway's {@code main}. A string, because the program runs with its own
   * class path. {@code ArchitectureTest} checks that it exists.
   */
  private static final String MAIN_CLASS = "io.lastfix.gateway.Main";

  /**
   * Room for four times the default budget of bytes. A gateway without memory ends, so that its
   * supervisor starts it again: one that lost a thread would refuse every device.
   */
  private static final List<String> JAVA_OPTIONS =
      List.of("-Xms128m", "-Xmx512m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");

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
    super(site, NAME, "The gateway", USUAL_PORT, PROBE, GatewayClient::isReady);
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
                // No load balancer sends requests here.
                "http.lame-duck=1 ms",
                // Below the limit after which a server that stops is killed.
                "http.drain-timeout=10 s",
                "kafka.delivery-timeout=5 s"));
    settings.addAll(more);
    List<String> arguments = arguments(List.of());
    for (String setting : settings) {
      arguments.add("--set");
      arguments.add(setting);
    }
    add(site.javaProcess(NAME, arguments));
  }

  /**
   * The arguments of java, behind which those of the gateway follow.
   *
   * @param javaOptions further ones, which win over its own
   */
  public static List<String> arguments(List<String> javaOptions) {
    List<String> all = new ArrayList<>(JAVA_OPTIONS);
    all.addAll(javaOptions);
    all.addAll(List.of("-cp", Installation.classPath(NAME), MAIN_CLASS));
    return all;
  }

  /** The folder in which {@code lastfix group} writes keys, too. */
  private static Path groupKeys(ServerSite site) {
    try {
      return Files.createDirectories(site.home().root().resolve("group-keys"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
