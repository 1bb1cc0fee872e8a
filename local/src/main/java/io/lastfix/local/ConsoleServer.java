package io.lastfix.local;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The page in a browser, on loopback, for the collections that a job has by default. */
public final class ConsoleServer extends WebServer {
  public static final String NAME = "console";

  /** The one that the documentation uses; none has it by default. */
  public static final String LOCATED_TOPIC = "lastfix.located";

  private static final int USUAL_PORT = 8490;

  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
  private static final Duration PROBE = Duration.ofSeconds(6);

  /**
   * A string, because the program runs with its own class path. {@code ArchitectureTest} checks
   * that it exists.
   */
  private static final String MAIN_CLASS = "io.lastfix.console.Main";

  /** A console without memory ends, so that its supervisor starts it again. */
  private static final List<String> JAVA_OPTIONS =
      List.of("-Xms64m", "-Xmx384m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");

  private final String mongoUri;
  private final @Nullable String kafka;
  private final @Nullable String flink;
  private final @Nullable String gateway;

  /**
   * Prepares a console of a MongoDB without a password.
   *
   * @param kafka the bootstrap servers; null: records are not shown as they come
   * @param flink the address of the cluster's REST interface; null: its jobs are not shown
   * @param gateway the address of the gateway; null: there is none
   */
  public ConsoleServer(
      ServerSite site,
      String mongoUri,
      @Nullable String kafka,
      @Nullable String flink,
      @Nullable String gateway) {
    super(site, NAME, "The console", USUAL_PORT, PROBE, page("/ready"));
    this.mongoUri = mongoUri;
    this.kafka = kafka;
    this.flink = flink;
    this.gateway = gateway;
    add(site.javaProcess(NAME, arguments(List.of(), settingsFile(site).toString())));
  }

  /**
   * The arguments of java.
   *
   * @param javaOptions further ones, which win over its own
   * @param settings the file with the settings, or {@code -} for standard input
   */
  public static List<String> arguments(List<String> javaOptions, String settings) {
    List<String> all = new ArrayList<>(JAVA_OPTIONS);
    all.addAll(javaOptions);
    all.addAll(List.of("-cp", Installation.classPath(NAME), MAIN_CLASS, "--config", settings));
    return all;
  }

  private static Path settingsFile(ServerSite site) {
    return site.home().configDirectory(NAME).resolve("console.json");
  }

  @Override
  public void start() {
    if (!process().isRunning()) {
      ObjectNode settings =
          JsonNodeFactory.instance.objectNode().put("address", Ports.LOOPBACK).put("port", port());
      settings.putObject("historyMongo").put("uri", mongoUri);
      ObjectNode health = settings.putObject("health").put("flink", flink).put("gateway", gateway);
      if (kafka != null) {
        settings
            .putObject("live")
            .put("topic", LOCATED_TOPIC)
            .putObject("kafka")
            .put(BOOTSTRAP_SERVERS, kafka);
        health.putObject("kafka").put(BOOTSTRAP_SERVERS, kafka);
      }
      Path file = settingsFile(site);
      try {
        Files.writeString(file, settings.toPrettyString());
      } catch (IOException e) {
        throw StackException.cannot("write " + file, e);
      }
    }
    super.start();
  }
}
