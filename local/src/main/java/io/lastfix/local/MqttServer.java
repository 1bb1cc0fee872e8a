package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.local.program.InstalledProgram;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An MQTT 5 broker on loopback, open to every program on this machine: Mosquitto, or HiveMQ CE
 * where that is not installed.
 */
public final class MqttServer extends StackService {
  public static final String NAME = "mqtt";
  private static final int USUAL_PORT = 1883;
  private static final Duration PROBE = Duration.ofSeconds(3);

  /** CONNECT of MQTT 5: a new session that ends with the connection, and no client id. */
  private static final byte[] CONNECT = {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 10, 0, 0, 0};

  private static final int CONNACK = 0x20;

  private static final InstalledProgram MOSQUITTO =
      new InstalledProgram(List.of("mosquitto"), "LASTFIX_MOSQUITTO");
  private static final String HIVEMQ = "hivemq";

  /**
   * A string, because the program runs with its own class path. {@code ArchitectureTest} checks
   * that it exists.
   */
  private static final String HIVEMQ_MAIN = "io.lastfix.server.hivemq.EmbeddedBroker";

  private final int port;
  private final boolean isMosquitto;

  private MqttServer(ServerSite site, @Nullable Supplier<Path> mosquitto) {
    super(site, NAME);
    isMosquitto = mosquitto != null;
    port = takePort(NAME, NAME, USUAL_PORT);
    add(
        mosquitto == null
            ? site.javaProcess(NAME, hiveMqArguments(site))
            : site.installedProcess(
                NAME, mosquitto, List.of("-c", site.mosquittoSettings(NAME).toString())));
  }

  /**
   * Prepares a Mosquitto; writes nothing yet.
   *
   * @param program the program
   */
  public static MqttServer mosquitto(ServerSite site, Path program) {
    return new MqttServer(site, () -> program);
  }

  /**
   * Prepares a HiveMQ; writes nothing yet.
   *
   * @throws StackException if its libraries are missing
   */
  public static MqttServer hiveMq(ServerSite site) {
    return new MqttServer(site, null);
  }

  /**
   * Prepares a Mosquitto if it is installed, else a HiveMQ. An archive does not hold HiveMQ: there
   * a Mosquitto is prepared, which cannot start until it is installed.
   */
  public static MqttServer installed(ServerSite site, Map<String, String> environment) {
    return Installation.isArchive() || findMosquitto(environment).isPresent()
        ? new MqttServer(site, () -> requireMosquitto(environment))
        : hiveMq(site);
  }

  /**
   * Mosquitto: {@code LASTFIX_MOSQUITTO}, else on the PATH, else where packages put it; empty if it
   * is not installed.
   *
   * @throws StackException if the variable names no program
   */
  public static Optional<Path> findMosquitto(Map<String, String> environment) {
    return MOSQUITTO.find(environment);
  }

  private static Path requireMosquitto(Map<String, String> environment) {
    return MOSQUITTO.require(
        environment,
        "--mqtt needs Mosquitto, and none is on the PATH: install it (apt-get install mosquitto, brew"
            + " install mosquitto), or set %s to the program; --no-mqtt does without");
  }

  /**
   * Requires the broker that {@link #installed} prepares.
   *
   * @throws StackException if it is not installed; says what to do
   */
  static void requireInstalled(Map<String, String> environment) {
    if (Installation.isArchive()) {
      var unused = requireMosquitto(environment);
    }
  }

  private static List<String> hiveMqArguments(ServerSite site) {
    StackHome home = site.home();
    return List.of(
        "-Xms64m",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-cp",
        Installation.classPath(HIVEMQ),
        HIVEMQ_MAIN,
        home.configDirectory(NAME).toString(),
        hiveMqData(home).toString(),
        hiveMqExtensions(home).toString());
  }

  private static Path hiveMqData(StackHome home) {
    return home.dataDirectory(NAME).resolve(HIVEMQ);
  }

  private static Path hiveMqExtensions(StackHome home) {
    return home.configDirectory(NAME).resolve("extensions");
  }

  /**
   * The file of the gateway's client id. It is deleted with the broker's data, which has the
   * session of that id.
   */
  Path clientIdFile() {
    return site.home().data().resolve(GatewayServer.NAME).resolve("mqtt-client-id");
  }

  @Override
  public void start() {
    if (!process().isRunning()) {
      writeSettings();
    }
    super.start();
  }

  private void writeSettings() {
    Path file = isMosquitto ? site.mosquittoSettings(NAME) : hiveMqSettingsFile();
    try {
      if (!isMosquitto) {
        Files.createDirectories(hiveMqData(site.home()));
        Files.createDirectories(hiveMqExtensions(site.home()));
      }
      Files.writeString(file, isMosquitto ? mosquittoSettings() : hiveMqSettings());
    } catch (IOException e) {
      throw StackException.cannot("write " + file, e);
    }
  }

  private Path hiveMqSettingsFile() {
    return site.home().configDirectory(NAME).resolve("config.xml");
  }

  private String hiveMqSettings() throws IOException {
    return Templates.filled("hivemq.xml", port, Ports.LOOPBACK, Integer.MAX_VALUE);
  }

  private String mosquittoSettings() throws IOException {
    return Templates.filled(
        "mosquitto.conf",
        port,
        Ports.LOOPBACK,
        System.getProperty("user.name"),
        site.home().dataDirectory(NAME));
  }

  /** The address for devices. */
  @Override
  public String endpoint() {
    return "mqtt://" + Ports.LOOPBACK + ":" + port;
  }

  @Override
  public void awaitReady(Duration limit) {
    Readiness.await("The MQTT broker", processes(), limit, () -> answers(endpoint(), PROBE));
  }

  /**
   * Returns whether a broker accepts a connection of MQTT 5.
   *
   * @throws IOException if it does not answer
   */
  public static boolean answers(String endpoint, Duration limit) throws IOException {
    URI address = URI.create(endpoint);
    try (Socket socket = new Socket()) {
      int millis = (int) limit.toMillis();
      socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(CONNECT);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      boolean isAnswer = in.readUnsignedByte() == CONNACK;
      in.readUnsignedByte();
      in.readUnsignedByte();
      return isAnswer && in.readUnsignedByte() == 0;
    }
  }
}
