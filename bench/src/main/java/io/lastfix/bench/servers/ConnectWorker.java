package io.lastfix.bench.servers;

import io.lastfix.cluster.Installation;
import io.lastfix.local.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Kafka Connect in a separate process, with two of MongoDB's sink connectors. One inserts each
 * message as it is. The other replaces the document of the message's user, whichever is newer.
 *
 * <p>Each message is one JSON record. Bulks are unordered and as large as the job's. The garbage
 * collector is that of the local stack's TaskManagers.
 */
public final class ConnectWorker implements AutoCloseable {
  /** The collection that has a document for each record. */
  public static final String HISTORY = "connect_history";

  /** The collection that has a document for each user. */
  public static final String LAST_KNOWN_LOCATION = "connect_last_known_location";

  private static final String MAIN_CLASS = "org.apache.kafka.connect.cli.ConnectStandalone";
  private static final String LOG = "connect.log";
  private static final Duration END_LIMIT = Duration.ofSeconds(30);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  private final Process process;
  private final Path log;
  private final String name;
  private final URI rest;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();

  private ConnectWorker(Process process, Path log, String name, URI rest) {
    this.process = process;
    this.log = log;
    this.name = name;
    this.rest = rest;
  }

  /** One of the two connectors, by the collection that it writes. */
  public enum Connector {
    TO_HISTORY("-history", HISTORY),
    TO_LAST_KNOWN_LOCATION("-last-known-location", LAST_KNOWN_LOCATION);

    private final String suffix;
    private final String collection;

    Connector(String suffix, String collection) {
      this.suffix = suffix;
      this.collection = collection;
    }
  }

  /**
   * Starts Kafka Connect.
   *
   * @param name of the connectors and of Kafka's groups; a new name begins at a topic's beginning
   * @param directory for its configuration, offsets and log
   */
  public static ConnectWorker start(
      String name,
      String bootstrapServers,
      String mongoUri,
      String topic,
      int tasks,
      Path directory)
      throws IOException {
    if (Installation.isArchive()) {
      throw new IOException("an archive has no Kafka Connect: compare in a clone");
    }
    Path libraries = Installation.serverLibraries("connect");
    Path home = Files.createDirectories(directory).toAbsolutePath();
    Path log = home.resolve(LOG);
    Path logging =
        write(
            home.resolve("connect-log4j.properties"),
            Map.of(
                "log4j.rootLogger", "WARN, stdout",
                "log4j.appender.stdout", "org.apache.log4j.ConsoleAppender",
                "log4j.appender.stdout.layout", "org.apache.log4j.PatternLayout",
                "log4j.appender.stdout.layout.ConversionPattern", "%d %p %c{1} %m%n"));
    List<String> command = new ArrayList<>();
    command.add(Installation.java());
    command.addAll(
        List.of("-XX:+UseParallelGC", "-Xmx1g", "-Dlog4j.configuration=" + logging.toUri()));
    command.addAll(List.of("-cp", libraries + File.separator + "*", MAIN_CLASS));
    URI rest = URI.create("http://127.0.0.1:" + new Ports().choose(Ports.ANY));
    command.add(
        write(home.resolve("connect-worker.properties"), worker(bootstrapServers, rest, home))
            .toString());
    connectors(name, mongoUri, topic, tasks)
        .forEach(
            (file, properties) -> command.add(write(home.resolve(file), properties).toString()));
    return new ConnectWorker(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        log,
        name,
        rest);
  }

  /** The worker's configuration. */
  public static Map<String, String> worker(String bootstrapServers, URI rest, Path home) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    properties.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    properties.put("offset.storage.file.filename", home.resolve("connect.offsets").toString());
    properties.put("listeners", rest.toString());
    properties.put("consumer.max.poll.records", Integer.toString(Loader.BULK));
    return properties;
  }

  /** The configuration of both connectors, by file name. */
  public static Map<String, Map<String, String>> connectors(
      String name, String mongoUri, String topic, int tasks) {
    Map<String, String> history = connector(name, mongoUri, topic, tasks, Connector.TO_HISTORY);
    history.put("writemodel.strategy", strategy("writemodel.strategy.InsertOneDefaultStrategy"));

    Map<String, String> lastKnown =
        connector(name, mongoUri, topic, tasks, Connector.TO_LAST_KNOWN_LOCATION);
    lastKnown.put("writemodel.strategy", strategy("writemodel.strategy.ReplaceOneDefaultStrategy"));
    lastKnown.put("document.id.strategy", strategy("processor.id.strategy.PartialValueStrategy"));
    lastKnown.put("document.id.strategy.overwrite.existing", "true");
    lastKnown.put("document.id.strategy.partial.value.projection.type", "AllowList");
    lastKnown.put("document.id.strategy.partial.value.projection.list", "user");
    return Map.of("connect-history.properties", history, "connect-lkl.properties", lastKnown);
  }

  private static Map<String, String> connector(
      String name, String mongoUri, String topic, int tasks, Connector connector) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("name", name + connector.suffix);
    properties.put("connector.class", "com.mongodb.kafka.connect.MongoSinkConnector");
    properties.put("tasks.max", Integer.toString(tasks));
    properties.put("topics", topic);
    properties.put("connection.uri", mongoUri);
    properties.put("database", BenchDatabase.DATABASE);
    properties.put("collection", connector.collection);
    properties.put("bulk.write.ordered", "false");
    return properties;
  }

  private static String strategy(String name) {
    return "com.mongodb.kafka.connect.sink." + name;
  }

  /**
   * Paths with slashes, because a backslash is an escape in properties files; only Windows' paths
   * have any.
   */
  private static Path write(Path file, Map<String, String> properties) {
    List<String> lines = new ArrayList<>();
    properties.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    try {
      return Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Pauses the connector: it writes only what it has already read. */
  public void pause(Connector connector) throws IOException, InterruptedException {
    put(connector, "pause");
  }

  /** Resumes a paused connector. */
  public void resume(Connector connector) throws IOException, InterruptedException {
    put(connector, "resume");
  }

  private void put(Connector connector, String state) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                rest.resolve("/connectors/%s%s/%s".formatted(name, connector.suffix, state)))
            .timeout(ANSWER_LIMIT)
            .PUT(BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(
          "Kafka Connect answered %d to %s: %s"
              .formatted(answer.statusCode(), request, answer.body()));
    }
  }

  /** CPU seconds of the process so far. */
  public double cpuSeconds() {
    return process.info().totalCpuDuration().map(used -> used.toNanos() / 1e9).orElse(Double.NaN);
  }

  /** Fails if the process has ended. */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(
          "Kafka Connect ended with exit code %d: see %s".formatted(process.exitValue(), log));
    }
  }

  /** Ends the process, by force if it takes too long or this thread is interrupted. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
