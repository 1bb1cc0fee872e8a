package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesFollower;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestServers;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.ServerSite;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.bson.Document;

/**
 * Devices, gateways as processes of their own, and the devices job, started by the command. Closing
 * it stops the job and ends the gateways.
 */
final class PresenceFleet implements AutoCloseable {
  static final Duration LIMIT = Duration.ofMinutes(5);

  /** The stream's name for commands. */
  static final String DEVICES = "devices";

  /** More than a step of the job's usage, so that each record is published. */
  static final int RECORD_BYTES = 150;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<GatewayServer> gateways = new ArrayList<>();
  private final TestServers stack;
  private final Path directory;
  private final String name;
  private final LocationRun run;

  /**
   * Submits the job, and waits until its tasks run.
   *
   * @param name of the database and the job, and before each topic
   * @param more settings of the job
   */
  PresenceFleet(TestServers stack, Path directory, String name, String... more) throws Exception {
    this.stack = stack;
    this.directory = directory;
    this.name = name;
    run =
        new LocationRun(
            stack,
            directory,
            name,
            Stream.concat(
                    Stream.of(
                        "profiles.names=json",
                        // Leaves slots for the location job.
                        "job.parallelism=2",
                        "devices.heartbeats-topic=" + name + ".heartbeats",
                        "devices.presence-topic=" + name + ".presence",
                        "devices.usage-topic=" + name + ".devices",
                        "devices.default-interval=5 s",
                        "devices.usage-step=100 b"),
                    Stream.of(more))
                .toArray(String[]::new));
    // A run of these tests before, in the same folder, has left what it remembers of its job.
    lastfix("submit", DEVICES, "--afresh").mustExitWith(0);
  }

  LocationRun run() {
    return run;
  }

  /** Runs a command with the settings of the job. */
  LastfixProcess.Result lastfix(String... arguments) {
    return LastfixInProcess.run(
        run,
        Stream.concat(Stream.of(arguments), Stream.of("--flink", stack.flinkUrl()))
            .toArray(String[]::new));
  }

  /** The job that runs now. */
  String job() throws Exception {
    return stack.flink().jobs().stream()
        .filter(job -> job.isUnfinished(run.config().name() + "-devices"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the devices job does not run"))
        .id();
  }

  /** Starts a gateway, and waits until it is ready. */
  GatewayServer gateway(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "profiles.names=json",
                "kafka.location-topic-prefix=" + name + ".location.",
                "heartbeats.topic=" + name + ".heartbeats",
                "heartbeats.tick-interval=1 s",
                "devices.topic=" + name + ".devices"));
    settings.addAll(List.of(more));
    GatewayServer gateway =
        new GatewayServer(
            ServerSite.fresh(directory.resolve("gateway-" + gateways.size())),
            stack.kafka(),
            settings);
    gateways.add(gateway);
    gateway.start();
    gateway.awaitReady(LIMIT);
    return gateway;
  }

  /** Pushes a record of {@link #RECORD_BYTES}; returns the status of the answer. */
  int push(GatewayServer gateway, String device) {
    String record =
        "{\"user\":\"%s\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":1795176001001}"
            .formatted(device);
    return post(
        gateway, "/v1/records/json", device, record + " ".repeat(RECORD_BYTES - record.length()));
  }

  /** Sends a heartbeat; returns the status of the answer. */
  int beat(GatewayServer gateway, String device) {
    return post(
        gateway,
        "/v1/heartbeat",
        device,
        "{\"seq\":1,\"interval\":5,\"class\":\"tracker\",\"sdk\":\"acme/1\"}");
  }

  private int post(GatewayServer gateway, String path, String device, String body) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(gateway.endpoint() + path))
                  .timeout(Duration.ofSeconds(60))
                  .header("Lastfix-Device", device)
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sets whose times the topic of heartbeats stores, and waits until it does: the broker applies a
   * setting a moment after it has agreed.
   *
   * @param device whose signs of life the probes are
   */
  void timestamps(String type, String device) throws Exception {
    run.admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, name + ".heartbeats"),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("message.timestamp.type", type),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
    Set<Boolean> wanted = Set.of(type.equals("CreateTime"));
    await()
        .atMost(LIMIT)
        .until(() -> sendDated(device, Instant.now().minus(Duration.ofDays(1))).equals(wanted));
  }

  /**
   * Writes a device's sign of life with a time of our own into each partition.
   *
   * @return whether the topic stores that time; both if its partitions differ
   */
  Set<Boolean> sendDated(String device, Instant time) throws Exception {
    Set<Boolean> isStored = new HashSet<>();
    String topic = name + ".heartbeats";
    for (PartitionInfo partition : run.producer().partitionsFor(topic)) {
      RecordMetadata written =
          run.producer()
              .send(
                  new ProducerRecord<>(
                      topic,
                      partition.partition(),
                      time.toEpochMilli(),
                      device.getBytes(UTF_8),
                      HeartbeatCodec.write(new HeartbeatMessage.RecordSign(1, null))))
              .get();
      isStored.add(written.timestamp() == time.toEpochMilli());
    }
    return isStored;
  }

  /** The devices that are stored in a state. */
  Set<String> stored(String state) {
    Set<String> found = new TreeSet<>();
    run.database()
        .getCollection("devices")
        .find(new Document("state", state))
        .forEach(document -> found.add(document.getString("_id")));
    return found;
  }

  /** Since when a device is in its state, as stored. */
  Date since(String device) {
    return run.database()
        .getCollection("devices")
        .find(new Document("_id", device))
        .first()
        .getDate("since");
  }

  /** The changes of presence in the topic, each {@code device state since}; a device's in order. */
  List<String> changes() {
    List<String> found = new ArrayList<>();
    run.forEachMessage(
        name + ".presence",
        record -> found.add(change(new String(record.key(), UTF_8), record.value())));
    return found;
  }

  private static String change(String device, byte[] value) {
    if (value == null) {
      return device + " erased";
    }
    Document json = Document.parse(new String(value, UTF_8));
    return "%s %s %s".formatted(device, json.getString("state"), json.getString("since"));
  }

  /** What gateways hear of the devices' usage, from the beginning of the topic on. */
  Usage usage() {
    return new Usage(name + ".devices", stack.kafka());
  }

  /** Follows the usage of the devices. */
  static final class Usage implements AutoCloseable {
    private final Map<String, Long> used = new ConcurrentHashMap<>();
    private final DevicesFollower follower;

    private Usage(String topic, String kafka) {
      follower =
          new DevicesFollower(
                  topic,
                  Map.of("bootstrap.servers", kafka),
                  new Devices(),
                  LIMIT,
                  usage -> used.put(usage.device(), usage.bytes()))
              .start();
      follower.ready().join();
    }

    /** The bytes of a device today, as last published. */
    long of(String device) {
      return used.getOrDefault(device, 0L);
    }

    @Override
    public void close() {
      follower.close();
    }
  }

  @Override
  public void close() throws IOException {
    gateways.forEach(GatewayServer::close);
    try {
      lastfix("stop", DEVICES).mustExitWith(0);
    } finally {
      run.close();
    }
  }
}
