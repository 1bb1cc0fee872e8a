package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Devices that report all the time, straight to Kafka and each second once through a gateway. */
final class DeviceTraffic implements AutoCloseable {
  private static final int USUAL_PER_SECOND = 50;
  private static final long TICK_MILLIS = 20;

  private final String topic;
  private final URI gateway;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Producer<byte[], byte[]> producer;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

  private volatile int perSecond = USUAL_PER_SECOND;
  private volatile boolean isHalfBroken;

  // Of the sender's thread.
  private double due;
  private long sent;

  DeviceTraffic(String kafka, String topic, String gateway) {
    this.topic = topic;
    this.gateway = URI.create(gateway + "/v1/records/json");
    Properties properties = new Properties();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
    // While Kafka is away, messages are given up soon: the devices send the next.
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 6_000);
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  void start() {
    var unusedSends =
        threads.scheduleAtFixedRate(this::send, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    var unusedPosts = threads.scheduleAtFixedRate(this::post, 0, 1, TimeUnit.SECONDS);
  }

  /** Sets how many records it sends each second, from now on. */
  void rate(int recordsPerSecond) {
    perSecond = recordsPerSecond;
  }

  /** Sends as many records as at first, all of them whole. */
  void calm() {
    perSecond = USUAL_PER_SECOND;
    isHalfBroken = false;
  }

  /** From now on half of the records are broken. */
  void breakHalf() {
    isHalfBroken = true;
  }

  /** Sends one message to any topic. */
  void send(String other, String message) {
    var unused = producer.send(new ProducerRecord<>(other, message.getBytes(UTF_8)));
  }

  private void send() {
    due += perSecond * TICK_MILLIS / 1e3;
    for (; due >= 1; due--) {
      sent++;
      String record = isHalfBroken && sent % 2 == 0 ? "{\"user\":" : record(sent % 1_000);
      var unused = producer.send(new ProducerRecord<>(topic, record.getBytes(UTF_8)));
    }
  }

  private static String record(long user) {
    return "{\"user\":\"%d\",\"cell\":\"1-1-1-%d\",\"ts\":%d}"
        .formatted(user, user, System.currentTimeMillis());
  }

  private void post() {
    HttpRequest request =
        HttpRequest.newBuilder(gateway)
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofString(record(0)))
            .build();
    // Each on its own, as of many devices: one that waits does not hold up the next.
    var unused = client.sendAsync(request, BodyHandlers.discarding());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
