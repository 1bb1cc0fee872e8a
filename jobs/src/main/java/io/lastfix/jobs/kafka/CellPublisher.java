package io.lastfix.jobs.kafka;

import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.model.CellEntry;
import java.io.IOException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes entries of the catalogue to the topic {@code lastfix.cells}.
 *
 * @param kafka the brokers and the topic's name
 */
public record CellPublisher(KafkaOptions kafka) {
  /**
   * Publishes entries, and returns once Kafka has acknowledged all of them.
   *
   * @param sent called after each entry
   * @throws IOException if Kafka does not accept every entry; some may be published then
   */
  @SuppressWarnings("FutureReturnValueIgnored") // The callback receives the same result.
  public void publish(List<CellEntry> entries, Runnable sent) throws IOException {
    Properties properties = kafka.clientProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, "20");
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (Producer<byte[], byte @Nullable []> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (CellEntry entry : entries) {
        producer.send(
            new ProducerRecord<>(
                kafka.cellsTopic(), CellEntryJson.key(entry), CellEntryJson.value(entry)),
            (metadata, exception) -> {
              if (exception != null) {
                failure.compareAndSet(null, exception);
              }
            });
        sent.run();
        if (failure.get() != null) {
          break;
        }
      }
      producer.flush();
    }
    Exception cause = failure.get();
    if (cause != null) {
      throw new IOException(
          "Kafka did not accept every entry: %s. Import the file again: accepted entries count as unchanged"
              .formatted(cause.getMessage()),
          cause);
    }
  }
}
