package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.KafkaFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Removes devices from the compacted topic of presence: a message without a value makes Kafka drop
 * the device's messages at its next compaction.
 *
 * @param limit for each request to Kafka
 */
public record PresenceTombstones(KafkaOptions kafka, String topic, Duration limit) {
  /**
   * Removes a device. A topic that does not exist holds none.
   *
   * @return why the device may still be there; empty if it is removed
   */
  public Optional<String> write(String device) throws InterruptedException {
    try {
      if (exists()) {
        send(device);
      }
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(KafkaFailure.explain(e.getCause()));
    } catch (TimeoutException e) {
      return Optional.of(
          "Kafka at %s did not answer within %d s"
              .formatted(kafka.bootstrapServers(), limit.toSeconds()));
    }
  }

  private boolean exists() throws InterruptedException, ExecutionException, TimeoutException {
    Admin admin = KafkaAdmin.connect(kafka);
    try {
      return admin
          .listTopics()
          .names()
          .get(limit.toMillis(), TimeUnit.MILLISECONDS)
          .contains(topic);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  private void send(String device)
      throws InterruptedException, ExecutionException, TimeoutException {
    Properties properties = kafka.clientProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.toString(limit.toMillis()));
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      var unused =
          producer
              .send(new ProducerRecord<>(topic, device.getBytes(UTF_8), null))
              .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
