package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.MqttServer;
import io.lastfix.local.ServerSite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that subscribes to a broker, in front of a real Kafka and the location job. */
abstract class MqttBrokerContract {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String TOPIC = "lastfix/v1/350000000007919/records/json";

  private LocationRun run;
  private MqttServer broker;
  private GatewayServer gateway;
  private Path servers;

  /** The broker, not started yet. */
  abstract MqttServer broker(ServerSite site);

  final String brokerEndpoint() {
    return broker.endpoint();
  }

  @BeforeEach
  void start(@TempDir Path directory, TestInfo test) throws Exception {
    TestStack stack = TestStack.shared();
    String name = LocationRun.nameFor(test.getTestMethod().orElseThrow().getName());
    run = new LocationRun(stack, directory, name, "profiles.names=json,owntracks");
    servers = directory.resolve("servers");
    ServerSite site = ServerSite.fresh(servers);
    broker = broker(site);
    broker.start();
    broker.awaitReady(LIMIT);
    List<String> settings = new ArrayList<>(GatewayServer.subscribingTo(broker));
    settings.add("profiles.names=json,owntracks");
    settings.add("kafka.location-topic-prefix=" + name + ".location.");
    settings.add("mqtt.reconnect-max=1 s");
    gateway = new GatewayServer(site, stack.kafka(), settings);
    gateway.start();
    gateway.awaitReady(LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
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

  final Path brokerData() {
    return servers.resolve("data").resolve(MqttServer.NAME);
  }

  final void publish(String topic, List<String> payloads) throws IOException {
    MqttPublisher.publish(broker.endpoint(), topic, payloads);
  }

  static List<String> records(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                "{\"user\":\"350000000007919\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":%d}"
                    .formatted(1795176001001L + i))
        .toList();
  }

  @Test
  void anOwnTracksMessageEndsAsALastKnownLocation() throws Exception {
    publish(
        "owntracks/jane/phone",
        List.of(
            "{\"_type\":\"location\",\"tid\":\"ph\",\"lat\":37.5,\"lon\":-122.5,\"acc\":11,"
                + "\"tst\":1795176001}"));
    awaitInKafka("owntracks", 1);

    run.drain(run.submit());

    Document stored = run.database().getCollection("last_known_location").find().first();
    assertThat(stored.getString("_id")).isEqualTo("owntracks/jane/phone");
    Document place = stored.get("last", Document.class).get("loc", Document.class);
    assertThat(place.getDouble("lon")).isEqualTo(-122.5);
    assertThat(place.getDouble("lat")).isEqualTo(37.5);
  }

  @Test
  void nothingIsLostThoughTheGatewayIsKilled() throws Exception {
    publish(TOPIC, records(0, 200));
    gateway.processes().get(0).kill();
    publish(TOPIC, records(200, 400));
    gateway.start();
    gateway.awaitReady(LIMIT);
    publish(TOPIC, records(400, 500));

    assertThat(awaitInKafka("json", 500)).containsExactlyInAnyOrderElementsOf(records(0, 500));
  }

  @Test
  void theGatewayFindsABrokerThatWasKilledAgain() throws Exception {
    publish(TOPIC, records(0, 10));
    awaitInKafka("json", 10);

    broker.processes().get(0).kill();
    await("the gateway notices")
        .atMost(LIMIT)
        .until(() -> !GatewayClient.isReady(HttpClient.newHttpClient(), gateway.endpoint(), LIMIT));
    broker.start();
    broker.awaitReady(LIMIT);
    gateway.awaitReady(LIMIT);
    publish(TOPIC, records(10, 20));

    assertThat(awaitInKafka("json", 20)).containsExactlyInAnyOrderElementsOf(records(0, 20));
  }

  @Test
  void aClientThatGuessesTheGatewaysClientIdTakesNothing() throws Exception {
    gateway.processes().get(0).kill();
    publish(TOPIC, records(0, 60));

    for (String guess :
        List.of("lastfix-gateway", "lastfix-gateway-" + InetAddress.getLocalHost().getHostName())) {
      MqttPublisher.takeOver(broker.endpoint(), guess);
    }
    gateway.start();
    gateway.awaitReady(LIMIT);

    assertThat(awaitInKafka("json", 60)).containsExactlyInAnyOrderElementsOf(records(0, 60));
  }

  @Test
  void aTakeoverWithTheIdItselfIsSeen() throws Exception {
    String id = Files.readString(servers.resolve("data/gateway/mqtt-client-id")).strip();

    MqttPublisher.takeOver(broker.endpoint(), id);

    await("the takeover in /ready")
        .atMost(LIMIT)
        .until(() -> gatewayPage("/ready").contains("\"mqttTakenOver\":"));
    gateway.awaitReady(LIMIT);
    assertThat(gatewayPage("/metrics")).contains("\nlastfix_gateway_mqtt_taken_over_total 1.0\n");
  }

  private String gatewayPage(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(gateway.endpoint() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Waits until a profile's topic has that number of different messages, and returns them. */
  final Set<String> awaitInKafka(String profile, int count) {
    Set<String> bodies = new TreeSet<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            run.config().kafka().clientProperties(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(run.config().kafka().locationTopic(profile)).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await(count + " messages of " + profile)
          .atMost(LIMIT)
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record :
                    consumer.poll(Duration.ofMillis(100))) {
                  bodies.add(new String(record.value(), UTF_8));
                }
                return bodies.size() >= count;
              });
    }
    return bodies;
  }
}
