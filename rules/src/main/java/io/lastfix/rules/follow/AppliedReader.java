package io.lastfix.rules.follow;

import io.lastfix.kit.kafka.KafkaClients;
import io.lastfix.kit.kafka.KafkaFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads {@code lastfix.rules.applied}, beginning with the messages of a short time ago. */
public final class AppliedReader implements AppliedReadings {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Consumer<byte @Nullable [], byte @Nullable []> consumer;
  private final TopicPartition partition;
  private final Instant since;
  private boolean isPlaced;

  /**
   * Prepares to read.
   *
   * @param clientProperties of Kafka clients
   * @param since older messages are left out
   */
  public AppliedReader(Properties clientProperties, String topic, Instant since) {
    this(KafkaClients.consumer(clientProperties, LIMIT, "earliest"), topic, since);
  }

  AppliedReader(
      Consumer<byte @Nullable [], byte @Nullable []> consumer, String topic, Instant since) {
    this.consumer = consumer;
    partition = new TopicPartition(topic, 0);
    this.since = since;
  }

  @Override
  public List<Applied> read() throws IOException {
    try {
      if (!isPlaced && !place()) {
        return List.of();
      }
      List<Applied> found = new ArrayList<>();
      long end = end();
      long began = System.nanoTime();
      while (consumer.position(partition) < end) {
        if (System.nanoTime() - began > LIMIT.toNanos()) {
          throw new IOException(
              "Kafka returned nothing from %s for %d s: check that its brokers run"
                  .formatted(partition.topic(), LIMIT.toSeconds()));
        }
        consumer
            .poll(POLL)
            .forEach(message -> AppliedCodec.read(message.value()).ifPresent(found::add));
      }
      return found;
    } catch (KafkaException e) {
      throw new IOException(
          "%s cannot be read: %s".formatted(partition.topic(), KafkaFailure.explain(e)), e);
    }
  }

  /** Goes to the first message; false if there is no such topic. */
  private boolean place() {
    if (consumer.partitionsFor(partition.topic()).isEmpty()) {
      return false;
    }
    consumer.assign(List.of(partition));
    // Before the query for the first one: a message that comes in between is read.
    long end = end();
    OffsetAndTimestamp first =
        consumer.offsetsForTimes(Map.of(partition, since.toEpochMilli())).get(partition);
    consumer.seek(partition, first == null ? end : first.offset());
    isPlaced = true;
    return true;
  }

  private long end() {
    return consumer.endOffsets(List.of(partition)).get(partition);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
