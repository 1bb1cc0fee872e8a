package io.lastfix.jobs.kafka;

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
 * Lets go of keys and values that nobody down the stream would take, as soon as Kafka's client
 * hands them out. Without it they would wait, some at a time, in the queue between the thread that
 * fetches and the task: five of 100 MB for each source, before the first of them is looked at.
 *
 * <p>What is left is a record without that key or value, whose {@link
 * ConsumerRecord#serializedKeySize()} and {@link ConsumerRecord#serializedValueSize()} still say
 * how many bytes there were.
 *
 * <p>Runs on the consumer's thread. A key is too large when a rejected message could not carry it;
 * a value, when that is so and the reader would refuse it, too.
 */
public final class LargeBytesInterceptor implements ConsumerInterceptor<byte[], byte[]> {
  /** The consumer's property that says how many bytes of a value are kept at the most. */
  static final String MAX_VALUE_BYTES = "lastfix.max.value.bytes";

  private static final int MAX_KEY_BYTES = RejectedMessage.MAX_BYTES;

  private int maxValueBytes = RejectedMessage.MAX_BYTES;

  /**
   * Properties of a consumer that uses it, after the interceptors that the user may have named.
   *
   * @param readerTakes the largest value that the reader does not refuse, in bytes
   */
  static Properties properties(Map<String, String> usersOwn, int readerTakes) {
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
