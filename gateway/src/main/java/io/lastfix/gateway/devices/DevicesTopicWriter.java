package io.lastfix.gateway.devices;

import io.lastfix.gateway.kafka.KafkaSender;
import io.lastfix.gateway.kafka.OutgoingRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes to {@code lastfix.devices} with a producer of its own. A message that cannot be written
 * fails with {@link io.lastfix.gateway.kafka.NotStoredException}, as soon as no client waits for
 * its answer any longer.
 *
 * @param topic its name
 * @param sender closed with this
 */
public record DevicesTopicWriter(String topic, KafkaSender sender) implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  /**
   * A writer with a producer of its own.
   *
   * @param properties of Kafka clients; the writer adds what durability needs
   * @param deliveryTimeout also the longest wait of a message before it is sent
   */
  public DevicesTopicWriter(
      String topic, Map<String, Object> properties, Duration deliveryTimeout) {
    this(
        topic,
        new KafkaSender(
            new KafkaProducer<>(
                producerProperties(properties),
                new ByteArraySerializer(),
                new ByteArraySerializer()),
            deliveryTimeout,
            System::nanoTime));
  }

  static Map<String, Object> producerProperties(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A burst of registrations becomes few requests; a single one waits this long.
    all.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    // Registrations are rare, and each would wait for metadata that was dropped meanwhile.
    all.putIfAbsent(ProducerConfig.METADATA_MAX_IDLE_CONFIG, 86_400_000);
    return all;
  }

  /**
   * Writes a message without blocking.
   *
   * @return completes once Kafka has acknowledged it; fails if it has not
   */
  public CompletableFuture<Void> write(DevicesMessage message) {
    byte[] value =
        Objects.requireNonNull(DevicesCodec.value(message), "a key is never removed here");
    return sender
        .send(new OutgoingRecord(topic, message.key(), value, Map.of()))
        .thenAccept(stored -> {});
  }

  /** Sends what waits, for some ten seconds at most. */
  @Override
  public void close() {
    sender.close(CLOSE_LIMIT);
  }
}
