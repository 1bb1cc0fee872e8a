package io.lastfix.jobs.kafka.messages;

import io.lastfix.parse.RejectedMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Drops keys and values that are too large for every later step, as soon as Kafka's client returns
 * them. Otherwise several would wait in the queue between the fetching thread and the task: five of
 * 100 MB for each source, before the first is checked.
 *
 * <p>The record stays without that key or value. Its {@link ConsumerRecord#serializedKeySize()} and
 * {@link ConsumerRecord#serializedValueSize()} still return the size in bytes.
 *
 * <p>Kafka calls it on the consumer's thread. A key is too large if a rejected message could not
 * carry it. A value is too large if, in addition, the reader would reject it.
 */
public final class LargeBytesInterceptor implements ConsumerInterceptor<byte[], byte[]> {
  /** The consumer's property for the largest value that is kept, in bytes. */
  public static final String MAX_VALUE_BYTES = "lastfix.max.value.bytes";

  private static final int MAX_KEY_BYTES = RejectedMessage.MAX_BYTES;

  private int maxValueBytes = RejectedMessage.MAX_BYTES;

  /**
   * Properties of a consumer with this interceptor, after those that the user may have configured.
   *
   * @param readerTakes the largest value that the reader accepts, in bytes
   */
  public static Properties properties(Map<String, String> usersOwn, int readerTakes) {
    Properties properties = new Properties();
    String others = usersOwn.getOrDefault(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, "").strip();
    String own = LargeBytesInterceptor.class.getName();
    properties.setProperty(
        ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, others.isEmpty() ? own : others + "," + own);
    properties.setProperty(
        MAX_VALUE_BYTES, Integer.toString(Math.max(RejectedMessage.MAX_BYTES, readerTakes)));
    return properties;
  }

  @Override
  public void configure(Map<String, ?> properties) {
    maxValueBytes = Integer.parseInt(String.valueOf(properties.get(MAX_VALUE_BYTES)));
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    boolean isAnyLarge = false;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      isAnyLarge |= isLarge(record);
    }
    if (!isAnyLarge) {
      return records;
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> smaller = new LinkedHashMap<>();
    for (TopicPartition partition : records.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> kept = new ArrayList<>();
      records
          .records(partition)
          .forEach(record -> kept.add(isLarge(record) ? withoutLarge(record) : record));
      smaller.put(partition, kept);
    }
    return new ConsumerRecords<>(smaller);
  }

  private boolean isLarge(ConsumerRecord<byte[], byte[]> record) {
    return record.serializedKeySize() > MAX_KEY_BYTES
        || record.serializedValueSize() > maxValueBytes;
  }

  private ConsumerRecord<byte[], byte[]> withoutLarge(ConsumerRecord<byte[], byte[]> record) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.serializedKeySize() > MAX_KEY_BYTES ? null : record.key(),
        record.serializedValueSize() > maxValueBytes ? null : record.value(),
        record.headers(),
        record.leaderEpoch());
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}
}
