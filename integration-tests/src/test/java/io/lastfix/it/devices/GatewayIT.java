package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.Ports;
import io.lastfix.local.ServerSite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

/** A gateway as a process of its own, in front of a real Kafka and the location job. */
class GatewayIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private TestStack stack;
  private LocationRun run;
  private GatewayServer gateway;

  @BeforeEach
  void start(@TempDir Path directory, TestInfo test) throws Exception {
    stack = TestStack.shared();
    String name = LocationRun.nameFor(test.getTestMethod().orElseThrow().getName());
    run = new LocationRun(stack, directory, name, "profiles.names=json,osmand,owntracks");
    gateway =
        new GatewayServer(
            ServerSite.fresh(directory.resolve("gateway")),
            stack.kafka(),
            List.of(
                "profiles.names=json,osmand,owntracks",
                "kafka.location-topic-prefix=" + name + ".location."));
    gateway.start();
    gateway.awaitReady(LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (run != null) {
      run.close();
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(gateway.endpoint() + path)).timeout(ANSWER_LIMIT);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.BodyPublisher text(String body) {
    return HttpRequest.BodyPublishers.ofString(body);
  }

  @Test
  void gatewayRunExitsWithZeroAfterAnOrderlyStop(@TempDir Path home) throws Exception {
    int port = new Ports().choose(Ports.ANY);
    String prefix = run.config().kafka().locationTopicPrefix();
    try (LastfixProcess.Running command =
        new LastfixProcess(home, home)
            .start(
                "gateway",
                "run",
                "--set",
                "kafka.bootstrap-servers=" + stack.kafka(),
                "--set",
                "http.port=" + port,
                "--set",
                "http.lame-duck=1 ms",
                "--set",
                "profiles.names=json",
                "--set",
                "kafka.location-topic-prefix=" + prefix)) {
      URI ready = URI.create("http://127.0.0.1:" + port + "/ready");
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> send(HttpRequest.newBuilder(ready)).statusCode() == 200);

      command.terminate();

      command.await(LIMIT).mustExitWith(0);
    }
  }

  @Test
  void whatDevicesPushIsTheirLastKnownLocation() throws Exception {
    HttpResponse<String> traccar =
        send(
            request("/osmand?id=48241179&timestamp=1795176001&lat=37.75&lon=-122.25&accuracy=6.5"));
    HttpResponse<String> owntracks =
        send(
            request("/pub")
                .header("X-Limit-U", "jane")
                .header("X-Limit-D", "phone")
                .POST(
                    text(
                        "{\"_type\":\"location\",\"tid\":\"ph\","
                            + "\"lat\":37.5,\"lon\":-122.5,\"acc\":11,\"tst\":1795176001}")));
    HttpResponse<String> batch =
        send(
            request("/v1/records/json")
                .header("Lastfix-Device", "350000000007919")
                .POST(
                    text(
                        "[{\"user\":\"350000000007919\",\"position\":{\"lon\":-122,\"lat\":37},"
                            + "\"ts\":1795176031001},{\"user\":\"350000000007919\",\"position\":"
                            + "{\"lon\":-121,\"lat\":36},\"ts\":1795176001001}]")));

    assertThat(traccar.statusCode()).isEqualTo(200);
    assertThat(owntracks.body()).isEqualTo("[]");
    assertThat(batch.statusCode()).isEqualTo(202);
    run.drain(run.submit());
    assertThat(lastKnown()).containsOnlyKeys("48241179", "owntracks/jane/phone", "350000000007919");
    assertThat(lastKnown())
        .containsEntry("48241179", "-122.25 37.75")
        .containsEntry("owntracks/jane/phone", "-122.5 37.5")
        .containsEntry("350000000007919", "-122.0 37.0");
  }

  private Map<String, String> lastKnown() {
    Map<String, String> places = new HashMap<>();
    for (Document document : run.database().getCollection("last_known_location").find()) {
      Document place = document.get("last", Document.class).get("loc", Document.class);
      places.put(document.getString("_id"), place.getDouble("lon") + " " + place.getDouble("lat"));
    }
    return places;
  }

  /** One push, and what became of it; the body names it. */
  private record Push(String body, CompletableFuture<HttpResponse<String>> answer) {}

  @Test
  void whatWasAcknowledgedIsInKafkaThoughTheBrokerWasKilled() throws Exception {
    List<Push> pushes = new ArrayList<>();
    push(pushes, 200);
    await("some acknowledgements").atMost(LIMIT).until(() -> accepted(pushes).size() > 20);
    push(pushes, 200);
    stack.broker().processes().get(0).kill();
    push(pushes, 200);
    stack.broker().start();
    stack.broker().awaitReady(LIMIT);
    await("the gateway has found the broker again")
        .atMost(LIMIT)
        .until(() -> send(request("/ready")).statusCode() == 200);
    int before = pushes.size();
    push(pushes, 50);
    CompletableFuture.allOf(pushes.stream().map(Push::answer).toArray(CompletableFuture[]::new))
        .join();

    assertThat(pushes)
        .allSatisfy(push -> assertThat(push.answer().join().statusCode()).isIn(202, 503));
    assertThat(pushes.subList(before, pushes.size()))
        .allSatisfy(push -> assertThat(push.answer().join().statusCode()).isEqualTo(202));
    Map<String, String> stored = read(run.config().kafka().locationTopic("json"));
    ObjectMapper json = new ObjectMapper();
    for (Push push : accepted(pushes)) {
      JsonNode place = json.readTree(push.answer().join().body());
      assertThat(stored)
          .containsEntry(
              place.path("partition").asInt() + "/" + place.path("offset").asLong(), push.body());
    }
  }

  private void push(List<Push> pushes, int count) {
    for (int i = 0; i < count; i++) {
      String body =
          "{\"user\":\"u%d\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":%d}"
              .formatted(pushes.size(), 1795176001001L + pushes.size());
      pushes.add(
          new Push(
              body,
              client.sendAsync(
                  request("/v1/records/json").POST(text(body)).build(),
                  HttpResponse.BodyHandlers.ofString())));
    }
  }

  private static List<Push> accepted(List<Push> pushes) {
    return pushes.stream()
        .filter(push -> push.answer().isDone() && !push.answer().isCompletedExceptionally())
        .filter(push -> push.answer().join().statusCode() == 202)
        .toList();
  }

  /** A topic's bodies, by partition and offset. */
  private Map<String, String> read(String topic) {
    Map<String, String> bodies = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            run.config().kafka().clientProperties(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      await("the topic's end")
          .atMost(LIMIT)
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record :
                    consumer.poll(Duration.ofMillis(100))) {
                  bodies.put(
                      record.partition() + "/" + record.offset(),
                      new String(record.value(), UTF_8));
                }
                return partitions.stream()
                    .allMatch(partition -> consumer.position(partition) >= ends.get(partition));
              });
    }
    return bodies;
  }
}
