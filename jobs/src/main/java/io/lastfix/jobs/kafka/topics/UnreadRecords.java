package io.lastfix.jobs.kafka.topics;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds the partitions in which a consumer would still receive a record. Offsets alone are not
 * sufficient: the last record may be followed by a transaction marker, or by records of an aborted
 * transaction. So the consumer reads until it receives a record or has passed the end. It has the
 * job's own properties: with {@code isolation.level=read_committed} it sees what the source would
 * see.
 *
 * @param connect creates a consumer, which is closed here
 */
record UnreadRecords(Supplier<Consumer<byte[], byte[]>> connect, Duration limit) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** A fetch returns at least one batch, however large, and one is enough. */
  private static final String FETCH_BYTES = "65536";

  /**
   * @param limit for each call; a partition not read to its end by then counts as one with a record
   */
  UnreadRecords(KafkaOptions kafka, Duration limit) {
    this(
        () ->
            new KafkaConsumer<>(
                properties(kafka), new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        limit);
  }

  /**
   * The result.
   *
   * @param partitions with a record in their range of offsets, with an open transaction, or that
   *     this user may not read
   * @param forbiddenTopics those that this user may not read
   */
  record Found(List<TopicPartition> partitions, Set<String> forbiddenTopics) {}

  /**
   * Finds the partitions with an unread record.
   *
   * @param ranges for each partition the first unread offset, and the topic's end
   * @throws org.apache.kafka.common.KafkaException if Kafka does not answer
   */
  Found find(Map<TopicPartition, Range> ranges) {
    List<TopicPartition> partitions = new ArrayList<>();
    Set<String> forbidden = new TreeSet<>();
    if (ranges.isEmpty()) {
      return new Found(partitions, forbidden);
    }
    try (Consumer<byte[], byte[]> consumer = connect.get()) {
      long deadline = System.nanoTime() + limit.toNanos();
      for (Map.Entry<TopicPartition, Range> entry : ranges.entrySet()) {
        TopicPartition partition = entry.getKey();
        if (forbidden.contains(partition.topic())) {
          partitions.add(partition);
          continue;
        }
        try {
          if (isUnread(consumer, partition, entry.getValue(), deadline)) {
            partitions.add(partition);
          }
        } catch (TopicAuthorizationException e) {
          // The topic's profile was removed, so its permissions may be gone, too.
          forbidden.addAll(e.unauthorizedTopics());
          forbidden.add(partition.topic());
          partitions.add(partition);
        }
      }
    }
    return new Found(partitions, forbidden);
  }

  private boolean isUnread(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, Range range, long deadline) {
    if (System.nanoTime() - deadline >= 0) {
      return true;
    }
    long readableEnd = consumer.endOffsets(List.of(partition), limit).getOrDefault(partition, 0L);
    // If the readable end is lower, a transaction is open, and its records cannot be read yet.
    return readableEnd < range.end() || hasRecord(consumer, partition, range, deadline);
  }

  private static boolean hasRecord(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, Range range, long deadline) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, range.begin());
    while (System.nanoTime() - deadline < 0) {
      var records = consumer.poll(POLL).records(partition);
      if (!records.isEmpty()) {
        return records.get(0).offset() < range.end();
      }
      if (consumer.position(partition, POLL) >= range.end()) {
        return false;
      }
    }
    return true;
  }

  private static Properties properties(KafkaOptions kafka) {
    Properties properties = kafka.clientProperties();
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    properties.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1");
    properties.setProperty(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    return properties;
  }
}
