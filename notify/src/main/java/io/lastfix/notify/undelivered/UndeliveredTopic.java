package io.lastfix.notify.undelivered;

import io.lastfix.kit.kafka.KafkaFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes what is given up to its topic. */
public final class UndeliveredTopic implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private final Producer<byte[], byte[]> producer;
  private final String topic;

  /**
   * Writes by that producer.
   *
   * @param producer closed with this
   */
  public UndeliveredTopic(Producer<byte[], byte[]> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  /**
   * Connects in the background.
   *
   * @param client properties of Kafka clients
   * @param maxBytes of a message
   */
  public static UndeliveredTopic connect(Map<String, Object> client, String topic, int maxBytes) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "lastfix-notify-undelivered");
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxBytes);
    // A caller without room for a message tries again later.
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    return new UndeliveredTopic(
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()),
        topic);
  }

  /**
   * Writes an alert; if Kafka refuses it as too large, its place instead.
   *
   * @param partition of the alert's message
   * @param offset of the alert's message
   * @return completes once Kafka has acknowledged it; it may fail
   */
  public CompletableFuture<Void> write(UndeliveredAlert undelivered, int partition, long offset) {
    String reason = undelivered.receiverName() + ": " + undelivered.reason();
    return write(
        UndeliveredCodec.key(undelivered),
        UndeliveredCodec.value(undelivered),
        new UndeliveredMessage(partition, offset, null, reason, undelivered.at()));
  }

  /**
   * Writes a message; if Kafka refuses it as too large, its place only.
   *
   * @return completes once Kafka has acknowledged it; it may fail
   */
  public CompletableFuture<Void> write(UndeliveredMessage undelivered) {
    return write(null, UndeliveredCodec.value(undelivered), undelivered);
  }

  private CompletableFuture<Void> write(
      byte @Nullable [] key, byte[] value, UndeliveredMessage message) {
    return send(key, value)
        .exceptionallyCompose(
            failure ->
                failure.getCause() instanceof RecordTooLargeException
                    ? send(null, UndeliveredCodec.value(message.tooLarge()))
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Void> send(byte @Nullable [] key, byte[] value) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try {
      var unused =
          producer.send(
              new ProducerRecord<>(topic, key, value),
              (place, failure) -> {
                if (failure == null) {
                  written.complete(null);
                } else {
                  written.completeExceptionally(
                      new KafkaException(KafkaFailure.explain(failure), failure));
                }
              });
    } catch (RuntimeException e) {
      written.completeExceptionally(e);
    }
    return written;
  }

  @Override
  public void close() {
    producer.close(CLOSE_LIMIT);
  }
}
