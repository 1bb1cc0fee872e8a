package io.lastfix.it.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.LiveHeap;
import io.lastfix.local.MqttServer;
import io.lastfix.local.ServerProcess;
import io.lastfix.local.ServerSite;
import io.lastfix.local.StackService;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the gateway and the MQTT broker have acknowledged is durable, by the devices' own log.
 *
 * <p>The MQTT broker is stopped in order and started again. What it has acknowledged before a kill
 * is its own promise, and neither broker keeps it (docs/decisions/gateway.md).
 */
class AcknowledgedIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final long SEED = 20261126;
  private static final int DEVICES = 4;
  private static final long FIRST_MILLIS = 1795176001001L;

  /** Records that each kill has to itself, before it: then nothing is left of the one before. */
  private static final int BETWEEN_KILLS = 100;

  /**
   * Noise of two readings; a gateway that kept each refused record would exceed it in the long
   * form.
   */
  private static final long MOST_HEAP_GROWTH = 8L << 20;

  /** Some objects of Netty, and no buffer. */
  private static final long MOST_BYTES_PER_CONNECTION = 20_000;

  private static TestStack stack;
  private static LocationRun run;
  private static MqttServer broker;
  private static GatewayServer gateway;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(ANSWER_LIMIT)
          .build();

  @BeforeAll
  static void startServers(@TempDir Path directory) throws Exception {
    stack = TestStack.shared();
    run =
        new LocationRun(
            stack,
            directory,
            "acknowledged",
            "profiles.names=json",
            "job.parallelism=2",
            "checkpoint.interval=2 s");
    ServerSite site = ServerSite.fresh(directory.resolve("servers"));
    broker = MqttServer.hiveMq(site);
    broker.start();
    broker.awaitReady(LIMIT);
    List<String> settings = new ArrayList<>(GatewayServer.subscribingTo(broker));
    settings.add("profiles.names=json");
    settings.add("kafka.location-topic-prefix=acknowledged.location.");
    settings.add("mqtt.reconnect-max=1 s");
    // Each device sends megabytes: what exceeds the quota is acknowledged to the broker and
    // dropped.
    settings.add("quota.bytes-per-day=1 gb");
    gateway = new GatewayServer(site, stack.kafka(), settings);
    gateway.start();
    gateway.awaitReady(LIMIT);
  }

  @AfterAll
  static void stopServers() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (broker != null) {
      broker.close();
    }
    if (run != null) {
      run.close();
    }
  }

  private static String record(String user, int number) {
    return "{\"user\":\"%s\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":%d}"
        .formatted(user, FIRST_MILLIS + number);
  }

  /** Status of the answer to a record. */
  private int push(String record) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/v1/records/json"))
                .timeout(ANSWER_LIMIT)
                .POST(HttpRequest.BodyPublishers.ofString(record))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Devices that send a record after the other, by HTTP and by MQTT, and write down each yes. */
  private final class Fleet implements AutoCloseable {
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2 * DEVICES);
    private final Set<String> acknowledgedByHttp = ConcurrentHashMap.newKeySet();
    private final Set<String> acknowledgedByMqtt = ConcurrentHashMap.newKeySet();
    private final Map<Integer, AtomicInteger> otherAnswers = new ConcurrentHashMap<>();

    /** Without them, fewer devices would send, and nobody would know. */
    private final Queue<RuntimeException> defects = new ConcurrentLinkedQueue<>();

    Fleet() {
      for (int device = 0; device < DEVICES; device++) {
        String http = "http-" + device;
        AtomicInteger sentByHttp = new AtomicInteger();
        every(Duration.ofMillis(10), () -> pushNext(record(http, sentByHttp.incrementAndGet())));
        String mqtt = "mqtt-" + device;
        AtomicInteger sentByMqtt = new AtomicInteger();
        every(
            Duration.ofMillis(30),
            () ->
                MqttPublisher.publish(
                    broker.endpoint(),
                    "lastfix/v1/" + mqtt + "/records/json",
                    IntStream.range(0, 5)
                        .mapToObj(i -> record(mqtt, sentByMqtt.incrementAndGet()))
                        .toList(),
                    acknowledgedByMqtt::add));
      }
    }

    private interface Step {
      void run() throws IOException, InterruptedException;
    }

    private void every(Duration delay, Step step) {
      var unused =
          threads.scheduleWithFixedDelay(
              () -> {
                try {
                  step.run();
                } catch (IOException serverIsAway) {
                  otherAnswer(0);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                } catch (RuntimeException e) {
                  defects.add(e);
                }
              },
              0,
              delay.toMillis(),
              TimeUnit.MILLISECONDS);
    }

    private void pushNext(String record) throws IOException, InterruptedException {
      int status = push(record);
      if (status == 202) {
        acknowledgedByHttp.add(record);
      } else {
        otherAnswer(status);
      }
    }

    /** Counts an answer that says nothing of durability; 0 is none at all. */
    private void otherAnswer(int status) {
      otherAnswers.computeIfAbsent(status, any -> new AtomicInteger()).incrementAndGet();
    }

    Map<Integer, AtomicInteger> otherAnswers() {
      return new TreeMap<>(otherAnswers);
    }

    /** Waits until HTTP and MQTT have each acknowledged that number of further records. */
    void awaitAcknowledged(int more) {
      int http = acknowledgedByHttp.size() + more;
      int mqtt = acknowledgedByMqtt.size() + more;
      await("acknowledgements on both ways")
          .atMost(LIMIT)
          .until(() -> acknowledgedByHttp.size() >= http && acknowledgedByMqtt.size() >= mqtt);
    }

    Set<String> acknowledged() {
      Set<String> all = new HashSet<>(acknowledgedByHttp);
      all.addAll(acknowledgedByMqtt);
      return all;
    }

    @Override
    public void close() {
      threads.shutdown();
      await("the devices have ended").atMost(LIMIT).until(threads::isTerminated);
      assertThat(defects).as("defects of the devices").isEmpty();
    }
  }

  private enum Victim {
    GATEWAY,
    KAFKA,
    MQTT_BROKER,
    TASK_MANAGER
  }

  @Test
  void whateverIsKilledOrRestartedEachRecordThatWasAcknowledgedIsStored() throws Exception {
    int rounds = Chaos.shortOrLong(1, 20);
    Random random = new Random(SEED);
    String job = run.submit();
    Fleet fleet = new Fleet();
    try (fleet) {
      for (int round = 0; round < rounds; round++) {
        List<Victim> victims = new ArrayList<>(Arrays.asList(Victim.values()));
        Collections.shuffle(victims, random);
        for (Victim victim : victims) {
          fleet.awaitAcknowledged(BETWEEN_KILLS + random.nextInt(BETWEEN_KILLS));
          kill(victim, job);
        }
      }
      fleet.awaitAcknowledged(BETWEEN_KILLS);
    }

    Set<String> acknowledged = fleet.acknowledged();
    await("each acknowledged record is stored")
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(missing(acknowledged)).as("acknowledged, not stored").isEmpty());
    run.drain(job);
    List<String> stored = stored();
    assertThat(run.rejected()).isEmpty();
    FaultReport.of(
            "Gateway, Kafka and TaskManager killed, MQTT broker restarted, %d times each"
                .formatted(rounds))
        .count(acknowledged.size(), "records acknowledged")
        .count(stored.size(), "stored")
        .print();
    System.out.println("[fault] answers other than yes, 0 for none: " + fleet.otherAnswers());
  }

  private void kill(Victim victim, String job) throws IOException {
    switch (victim) {
      case GATEWAY -> restart(gateway);
      case KAFKA -> {
        restart(stack.broker());
        gateway.awaitReady(LIMIT);
      }
      case MQTT_BROKER -> {
        broker.processes().forEach(process -> process.stop(LIMIT));
        broker.start();
        broker.awaitReady(LIMIT);
      }
      case TASK_MANAGER -> {
        long before = run.restarts(job);
        ServerProcess taskManager = stack.cluster().taskManagerProcesses().get(0);
        taskManager.kill();
        taskManager.start();
        run.awaitRestart(job, before);
      }
    }
  }

  private static void restart(StackService server) {
    server.processes().forEach(ServerProcess::kill);
    server.start();
    server.awaitReady(LIMIT);
  }

  private Set<String> missing(Set<String> acknowledged) {
    Set<String> missing = new HashSet<>(acknowledged);
    stored().forEach(missing::remove);
    return missing;
  }

  /** The records of History, as the devices sent them. */
  private List<String> stored() {
    List<String> records = new ArrayList<>();
    for (BsonDocument document :
        run.database().getCollection("history", BsonDocument.class).find()) {
      records.add(
          record(
              document.getString("user").getValue(),
              (int) (document.getDateTime("ts").getValue() - FIRST_MILLIS)));
    }
    return records;
  }

  @Test
  void whileKafkaIsAwayTheAnswerIs503AndTheHeapDoesNotGrow() throws Exception {
    Duration outage = Duration.ofSeconds(Chaos.shortOrLong(12, 600));
    Fleet fleet = new Fleet();
    long early;
    long late;
    try (fleet) {
      fleet.awaitAcknowledged(BETWEEN_KILLS);
      stack.broker().processes().forEach(ServerProcess::kill);
      try {
        Instant began = Instant.now();
        // What is in flight ends within kafka.delivery-timeout.
        Chaos.last(began, Duration.ofSeconds(6));
        early = LiveHeap.bytes(gateway.processes().get(0).pid());
        int acknowledged = fleet.acknowledgedByHttp.size();
        Chaos.last(began, outage);
        late = LiveHeap.bytes(gateway.processes().get(0).pid());
        assertThat(fleet.acknowledgedByHttp).as("acknowledged without Kafka").hasSize(acknowledged);
      } finally {
        stack.broker().start();
        stack.broker().awaitReady(LIMIT);
      }
      gateway.awaitReady(LIMIT);
      fleet.awaitAcknowledged(BETWEEN_KILLS);
    }
    assertThat(late - early).as("growth of the live heap").isLessThan(MOST_HEAP_GROWTH);
    assertThat(fleet.otherAnswers()).as("answers other than yes").containsOnlyKeys(503);
    FaultReport.of("Kafka away for %d s".formatted(outage.toSeconds()))
        .count((late - early) >> 10, "KiB more alive on the gateway's heap")
        .count(fleet.otherAnswers().get(503).get(), "times 503")
        .print();
  }

  @Test
  void connectionsThatSayNothingCostLittleAndKeepNobodyOut() throws Exception {
    int count = Chaos.shortOrLong(500, 10_000);
    assertThat(push(record("before", 1))).isEqualTo(202);
    long pid = gateway.processes().get(0).pid();
    long before = LiveHeap.bytes(pid);
    URI address = URI.create(gateway.endpoint());
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new Socket(address.getHost(), address.getPort()));
      }
      assertThat(push(record("between", 1))).isEqualTo(202);
      long with = LiveHeap.bytes(pid);

      assertThat((with - before) / count)
          .as("bytes of heap for a connection")
          .isLessThan(MOST_BYTES_PER_CONNECTION);
      FaultReport.of("%d idle connections".formatted(count))
          .count((with - before) / count, "bytes of heap for each")
          .print();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
