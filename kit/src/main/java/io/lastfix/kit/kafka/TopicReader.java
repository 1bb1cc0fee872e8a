package io.lastfix.kit.kafka;

import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of topics, each partition in the order of its offsets, without a consumer group.
 *
 * @param clientProperties returns new properties of a client at each call
 */
public record TopicReader(Supplier<Properties> clientProperties) {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(60);
  private static final int FETCH_BYTES = 8 * 1024 * 1024;
  private static final int MESSAGES_PER_POLL = 20;

  /**
   * Processes messages.
   *
   * @param <E> the exception that it may throw besides {@link IOException}
   */
  @FunctionalInterface
  public interface Handler<E extends Exception> {
    void message(ConsumerRecord<byte @Nullable [], byte @Nullable []> message)
        throws IOException, E;
  }

  /**
   * Passes every message of those ranges to the handler.
   *
   * @throws IOException if Kafka does not answer, or has deleted messages of the ranges
   */
  public <E extends Exception> void read(Map<TopicPartition, Range> ranges, Handler<E> handler)
      throws IOException, E {
    Map<TopicPartition, Long> ends = new HashMap<>();
    ranges.forEach(
        (partition, range) -> {
          if (range.begin() < range.end()) {
            ends.put(partition, range.end());
          }
        });
    Properties properties = properties();
    try (Consumer<byte @Nullable [], byte @Nullable []> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(ends.keySet());
      ends.keySet().forEach(partition -> consumer.seek(partition, ranges.get(partition).begin()));
      long lastAnswer = System.nanoTime();
      while (!ends.isEmpty()) {
        var messages = consumer.poll(POLL);
        if (!messages.isEmpty()) {
          lastAnswer = System.nanoTime();
        } else if (System.nanoTime() - lastAnswer > SILENCE_LIMIT.toNanos()) {
          throw new IOException(
              "Kafka at %s returned nothing from %s for %d s: check that its brokers run"
                  .formatted(
                      properties.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG),
                      ends.keySet(),
                      SILENCE_LIMIT.toSeconds()));
        }
        for (var message : messages) {
          Long end = ends.get(new TopicPartition(message.topic(), message.partition()));
          if (end != null && message.offset() < end) {
            handler.message(message);
          }
        }
        if (ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue())) {
          consumer.assign(ends.keySet());
        }
      }
    } catch (OffsetOutOfRangeException e) {
      throw new IOException(
          "Kafka deleted messages before they were read: run the command again", e);
    } catch (KafkaException e) {
      throw new IOException("Kafka: " + e.getMessage(), e);
    }
  }

  private Properties properties() {
    Properties properties = clientProperties.get();
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    // Limits the memory for prefetched data. A larger message still arrives, alone. The limit
    // counts compressed bytes; only the messages of one poll are decompressed.
    properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MESSAGES_PER_POLL);
    return properties;
  }
}
