package io.lastfix.stack;

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

/** An MQTT 5 broker on loopback, open to everybody on this machine: Mosquitto. */
public final class MqttServer extends StackService {
  public static final String NAME = "mqtt";
  private static final int USUAL_PORT = 1883;
  private static final Duration PROBE = Duration.ofSeconds(3);

  /** CONNECT of MQTT 5: a new session that ends with the connection, and no client id. */
  private static final byte[] CONNECT = {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 10, 0, 0, 0};

  private static final int CONNACK = 0x20;

  private final ServerSite site;
  private final int port;
  private final ServerProcess broker;

  /**
   * Prepares a broker; writes nothing yet.
   *
   * @param mosquitto the program
   */
  public MqttServer(ServerSite site, Path mosquitto) {
    this.site = site;
    port = site.port(NAME, NAME, USUAL_PORT);
    broker = site.mosquittoProcess(NAME, mosquitto);
  }

  @Override
  public void start() {
    if (!broker.isRunning()) {
      writeSettings();
    }
    broker.start();
  }

  private void writeSettings() {
    try {
      Files.writeString(site.mosquittoSettings(NAME), settings());
    } catch (IOException e) {
      throw new StackException("cannot write " + site.mosquittoSettings(NAME) + ": " + e, e);
    }
  }

  private String settings() {
    return """
    # Written at each start.
    listener %d %s
    allow_anonymous true
    # As root it would become another user, who may not write to the data directory.
    user %s
    persistence true
    persistence_location %s/
    # In seconds. What was published since the last save is lost if the broker is killed.
    autosave_interval 1
    # By default it drops what exceeds 1000 messages that wait for a client.
    max_queued_messages 0
    # By default 20 messages of a client may wait for an acknowledgement.
    max_inflight_messages 0
    """
        .formatted(
            port, Ports.LOOPBACK, System.getProperty("user.name"), site.home().dataDirectory(NAME));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<ServerProcess> processes() {
    return List.of(broker);
  }

  /** The address for devices. */
  @Override
  public String endpoint() {
    return "mqtt://" + Ports.LOOPBACK + ":" + port;
  }

  @Override
  Map<String, Integer> ports() {
    return Map.of(NAME, port);
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
