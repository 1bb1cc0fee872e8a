package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.kit.kafka.KafkaClients;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** One Kafka broker in KRaft mode, which is its own controller. */
public final class KafkaServer extends StackService {
  /** The name of its process and of its endpoint. */
  public static final String NAME = "kafka";

  private static final int USUAL_PORT = 9092;
  private static final int USUAL_CONTROLLER_PORT = 9093;
  private static final Duration PROBE = Duration.ofSeconds(3);
  private static final Duration FORMAT_LIMIT = Duration.ofSeconds(60);

  /**
   * The broker's requirements for its clients.
   *
   * @param broker its properties, over all others; the clients' listener is named CLIENT
   * @param format further arguments of the tool that formats the storage, which creates users
   * @param client properties of a client that fulfils the requirements
   */
  public record Security(
      Map<String, String> broker, List<String> format, Map<String, String> client) {
    /** Clients need no credentials. */
    public static final Security NONE = new Security(Map.of(), List.of(), Map.of());
  }

  private final Security security;
  private final int port;
  private final int controllerPort;
  private final Path settings;

  /**
   * Prepares a broker; writes nothing yet.
   *
   * @param more options of its JVM, after ours
   */
  public KafkaServer(ServerSite site, Security security, List<String> more) {
    super(site, NAME);
    this.security = security;
    port = takePort(NAME, NAME, USUAL_PORT);
    controllerPort = takePort(NAME, "kafka-controller", USUAL_CONTROLLER_PORT);
    Path directory = site.home().configDirectory(NAME);
    settings = directory.resolve("server.properties");
    add(site.javaProcess(NAME, arguments(directory, more)));
  }

  private List<String> arguments(Path directory, List<String> more) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(
        List.of(
            "-Xms256m",
            "-Xmx512m",
            "-XX:+UseG1GC",
            "-Djava.awt.headless=true",
            "-Dlog4j.configuration=" + directory.resolve("log4j.properties").toUri()));
    arguments.addAll(more);
    arguments.addAll(
        List.of("-cp", Installation.classPath(NAME), "kafka.Kafka", settings.toString()));
    return arguments;
  }

  /** The bootstrap server. */
  @Override
  public String endpoint() {
    return Ports.LOOPBACK + ":" + port;
  }

  @Override
  public void start() {
    if (process().isRunning()) {
      return;
    }
    writeSettings();
    if (!Files.exists(logDirectory().resolve("meta.properties"))) {
      format();
    }
    super.start();
  }

  private Path logDirectory() {
    return site.home().dataDirectory(NAME).resolve("logs");
  }

  private void writeSettings() {
    String controller = Ports.LOOPBACK + ":" + controllerPort;
    try (OutputStream out = Files.newOutputStream(settings)) {
      Properties properties = Templates.properties("kafka-server.properties");
      properties.putAll(
          Map.of(
              "controller.quorum.voters", "1@" + controller,
              "listeners", "CLIENT://" + endpoint() + ",CONTROLLER://" + controller,
              "advertised.listeners", "CLIENT://" + endpoint(),
              "log.dirs", logDirectory().toString()));
      properties.putAll(security.broker());
      properties.store(out, "Written by lastfix up at each start");
      Templates.write("kafka-log4j.properties", settings.resolveSibling("log4j.properties"));
    } catch (IOException e) {
      throw StackException.cannot("write Kafka's settings " + settings, e);
    }
  }

  /** KRaft refuses to start on a directory that was never formatted for a cluster. */
  private void format() {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=" + settings.resolveSibling("log4j.properties").toUri(),
                "-cp",
                Installation.classPath(NAME),
                "kafka.tools.StorageTool",
                "format",
                "--ignore-formatted",
                "--cluster-id",
                Uuid.randomUuid().toString(),
                "--config",
                settings.toString()));
    arguments.addAll(security.format());
    ServerProcess tool = site.javaProcess("kafka-format", arguments);
    tool.start();
    if (!tool.awaitEnd(FORMAT_LIMIT)) {
      tool.kill();
    }
    if (!Files.exists(logDirectory().resolve("meta.properties"))) {
      throw new StackException(
          "formatting Kafka's storage failed; its log: " + tool.logFile() + tool.lastLine());
    }
  }

  @Override
  public void awaitReady(Duration limit) {
    Properties client = new Properties();
    client.setProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, endpoint());
    client.putAll(security.client());
    try (Admin admin = Admin.create(KafkaClients.withShortTimeouts(client, PROBE))) {
      Readiness.await(
          "Kafka",
          processes(),
          limit,
          () -> KafkaClients.brokerAnswers(admin, PROBE) && acceptsTopics(admin));
    }
  }

  /** Makes the controller validate a topic without creating it. */
  private static boolean acceptsTopics(Admin admin) throws Exception {
    admin
        .createTopics(
            List.of(new NewTopic("lastfix-readiness-check", 1, (short) 1)),
            new CreateTopicsOptions().validateOnly(true))
        .all()
        .get(PROBE.toMillis(), TimeUnit.MILLISECONDS);
    return true;
  }
}
