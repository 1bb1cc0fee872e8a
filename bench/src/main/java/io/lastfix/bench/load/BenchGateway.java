package io.lastfix.bench.load;

import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.DevicesTopicWriter;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.LiveHeap;
import io.lastfix.local.MqttServer;
import io.lastfix.local.ServerSite;
import io.lastfix.local.StackService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Gateways of the benchmark, with topics of its own and one group of devices. They have the heap
 * and the JVM options of the local stack's gateway.
 */
public final class BenchGateway implements AutoCloseable {
  private static final String GROUP = "bench";
  private static final String KEY = "k1";
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int PARTITIONS = 4;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final String prefix;
  private final KafkaOptions kafka;
  private final Path directory;
  private final Path keys;
  private final String token;
  private final Deque<StackService> started = new ArrayDeque<>();
  private final List<GatewayServer> gateways = new ArrayList<>();
  private int servers;

  /**
   * Makes the group.
   *
   * @param prefix of all topics
   * @param parent receives a directory for the servers' files; it is kept for the logs
   */
  public BenchGateway(String prefix, KafkaOptions kafka, Path parent) throws IOException {
    this.prefix = prefix;
    this.kafka = kafka;
    Files.createDirectories(parent);
    directory = Files.createTempDirectory(parent, "gateway-").toAbsolutePath();
    keys = directory.resolve("group-keys");
    SecureRandom random = new SecureRandom();
    token = EnrolmentToken.generate(random);
    var unused = GroupKeys.create(keys, GROUP, KEY, random);
    createGroup();
  }

  private void createGroup() throws IOException {
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      new DevicesTopic(
              kafka.bootstrapServers(), devicesTopic(), PARTITIONS, kafka.newTopicReplication())
          .ensure(admin, true);
    }
    Map<String, Object> properties = new HashMap<>();
    kafka.clientProperties().forEach((name, value) -> properties.put(String.valueOf(name), value));
    Group group =
        new Group(
            GROUP,
            List.of(KEY),
            List.of(EnrolmentToken.hash(token)),
            Instant.now().truncatedTo(ChronoUnit.SECONDS));
    try (DevicesTopicWriter writer = new DevicesTopicWriter(devicesTopic(), properties, LIMIT)) {
      var unused =
          writer
              .write(new DevicesMessage.OfGroup(GROUP, group))
              .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("Kafka did not take the group of the benchmark: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the group of the benchmark was made", e);
    }
  }

  /** Starts a gateway, and waits until it is ready; devices have to sign, unless set otherwise. */
  public GatewayServer start(List<String> more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "access.records=signed",
                "profiles.names=json",
                "kafka.location-topic-prefix=" + recordsPrefix(),
                "heartbeats.topic=" + heartbeatsTopic(),
                "devices.topic=" + devicesTopic(),
                "devices.group-keys=" + keys,
                // Each device sends thousands of records.
                "quota.bytes-per-day=1 gb"));
    settings.addAll(more);
    GatewayServer gateway =
        new GatewayServer(ServerSite.fresh(site()), kafka.bootstrapServers(), settings);
    started.push(gateway);
    gateways.add(gateway);
    gateway.start();
    gateway.awaitReady(LIMIT);
    return gateway;
  }

  /** Starts a broker that has no messages. */
  public MqttServer startBroker(Path mosquitto) {
    MqttServer broker = MqttServer.mosquitto(ServerSite.fresh(site()), mosquitto);
    started.push(broker);
    broker.start();
    broker.awaitReady(LIMIT);
    return broker;
  }

  private Path site() {
    servers++;
    return directory.resolve("server-" + servers);
  }

  /** The prefix of the topics with records. */
  public String recordsPrefix() {
    return prefix + "gateway.";
  }

  public String heartbeatsTopic() {
    return prefix + "heartbeats";
  }

  public String devicesTopic() {
    return prefix + "devices";
  }

  /** For the files of load generators. */
  public Path directory() {
    return directory;
  }

  /** The group's enrolment token. */
  public String token() {
    return token;
  }

  /** CPU seconds of all gateways that run. */
  public double cpuSeconds() {
    return gateways.stream()
        .flatMap(gateway -> ProcessHandle.of(pid(gateway)).stream())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToDouble(used -> used.toNanos() / 1e9)
        .sum();
  }

  private static long pid(GatewayServer gateway) {
    return gateway.processes().get(0).pid();
  }

  /** Bytes of live objects of a gateway. */
  public static long heapBytes(GatewayServer gateway) throws IOException, InterruptedException {
    return LiveHeap.bytes(pid(gateway));
  }

  /** The sum of a counter of all gateways, over its labels. */
  public double counter(String name) throws IOException, InterruptedException {
    double sum = 0;
    for (GatewayServer gateway : gateways) {
      sum +=
          http.send(
                  HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/metrics"))
                      .timeout(LIMIT)
                      .build(),
                  HttpResponse.BodyHandlers.ofLines())
              .body()
              .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
    }
    return sum;
  }

  /** Stops all gateways and brokers. */
  public void stop() {
    gateways.clear();
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    Files.deleteIfExists(keys.resolve(GROUP + "." + KEY));
  }
}
