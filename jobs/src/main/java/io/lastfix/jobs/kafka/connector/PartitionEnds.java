package io.lastfix.jobs.kafka.connector;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records of a fetch, and which partitions it has read to their end.
 *
 * <p>The task's thread learns the latter after the last of the records, in {@link #recycle}.
 *
 * @param isAtEnd of each partition that is assigned
 * @param fetchedMillis relative time of the clock
 * @param listener is called on the task's thread
 */
record PartitionEnds(
    RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> records,
    Map<TopicPartition, Boolean> isAtEnd,
    long fetchedMillis,
    Consumer<PartitionEnds> listener)
    implements RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> {
  @Override
  public @Nullable String nextSplit() {
    return records.nextSplit();
  }

  @Override
  public @Nullable ConsumerRecord<byte[], byte[]> nextRecordFromSplit() {
    return records.nextRecordFromSplit();
  }

  @Override
  public Set<String> finishedSplits() {
    return records.finishedSplits();
  }

  @Override
  public void recycle() {
    records.recycle();
    listener.accept(this);
  }
}
