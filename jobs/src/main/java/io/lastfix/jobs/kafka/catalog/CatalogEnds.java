package io.lastfix.jobs.kafka.catalog;

import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.messages.LargeBytesInterceptor;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds where the catalogue ends for a consumer.
 *
 * <p>The topic's end offset is not suitable: the last entry may be followed by a transaction
 * marker, or by entries of an aborted transaction, which no consumer receives. So this class reads
 * the last entries with the job's own consumer properties. With {@code
 * isolation.level=read_committed} it sees what the source sees, and the end is the last stable
 * offset.
 *
 * <p>It reads only the tail, as long as that holds an entry. It drops the same large values as the
 * catalogue's source, because it uses the JobManager's heap.
 *
 * <p>Each call creates a consumer and is bounded by {@link #LIMIT}.
 */
public record CatalogEnds(KafkaOptions kafka) implements Serializable {
  /** The time limit of a call. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final long FIRST_STEP = 64;

  /**
   * The end of one partition.
   *
   * @param topicEnd the partition's end offset at the first call
   * @param afterLastEntry the offset after the last entry before that
   * @param endNow the partition's end offset at this call
   */
  public record End(long topicEnd, long afterLastEntry, long endNow) {}

  /**
   * The ends by partition, without partitions that hold no entry.
   *
   * @param known the result of an earlier call. Later entries are ignored, so that a wait for these
   *     ends terminates; entries deleted since are not waited for. Empty at the first call.
   * @throws org.apache.kafka.common.KafkaException if Kafka does not answer in time
   * @throws IllegalStateException if the topic does not exist, or cannot be read in time
   */
  public Map<Integer, End> find(Map<Integer, End> known) {
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            properties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      List<TopicPartition> partitions = partitions(consumer, known);
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, LIMIT);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, LIMIT);
      Map<Integer, End> found = new HashMap<>();
      for (TopicPartition partition : partitions) {
        End before = known.get(partition.partition());
        long endNow = ends.get(partition);
        // A topic that was deleted and created again may end before; then all its entries are new.
        long end = before == null ? endNow : Math.min(before.topicEnd(), endNow);
        long afterLast = afterLastEntry(consumer, partition, begins.get(partition), end, deadline);
        if (afterLast > 0) {
          found.put(partition.partition(), new End(end, afterLast, endNow));
        }
      }
      return found;
    }
  }

  Properties properties() {
    Properties properties = kafka.clientProperties();
    properties.putAll(
        LargeBytesInterceptor.properties(kafka.properties(), CellEntryJson.MAX_BYTES));
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    properties.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    return properties;
  }

  private List<TopicPartition> partitions(
      Consumer<byte[], byte[]> consumer, Map<Integer, End> known) {
    List<PartitionInfo> partitions = consumer.partitionsFor(kafka.cellsTopic(), LIMIT);
    if (partitions == null || partitions.isEmpty()) {
      throw new IllegalStateException("Kafka has no topic " + kafka.cellsTopic());
    }
    return partitions.stream()
        .filter(partition -> known.isEmpty() || known.containsKey(partition.partition()))
        .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
        .toList();
  }

  /** The offset after the last entry; 0 if there is no entry. */
  private long afterLastEntry(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long begin,
      long end,
      long deadline) {
    consumer.assign(List.of(partition));
    long step = FIRST_STEP;
    for (long to = end; to > begin; step *= 4) {
      long from = Math.max(begin, to - step);
      long last = lastOffset(consumer, partition, from, to, deadline);
      if (last >= 0) {
        return last + 1;
      }
      to = from;
    }
    return 0;
  }

  /** The last offset with a record in that range; -1 if there is none. */
  private long lastOffset(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long from,
      long to,
      long deadline) {
    consumer.seek(partition, from);
    long last = -1;
    while (consumer.position(partition, LIMIT) < to) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "The end of %s was not read within %d s: check that Kafka at %s answers"
                .formatted(partition, LIMIT.toSeconds(), kafka.bootstrapServers()));
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < to) {
          last = record.offset();
        }
      }
    }
    return last;
  }
}
