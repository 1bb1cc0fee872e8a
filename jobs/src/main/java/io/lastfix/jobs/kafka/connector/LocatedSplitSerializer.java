package io.lastfix.jobs.kafka.connector;

import io.lastfix.analytics.time.PartitionTime;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes the event time with each split, and how many records Kafka had deleted before they were
 * read; and reads a {@link LocatedSplit}. The values: long epoch milliseconds that are reached,
 * boolean whether the partition is live, long number of records.
 */
final class LocatedSplitSerializer extends ExtendedSplitSerializer {
  static final int VERSION = 1;

  /**
   * @param connectors the connector's own
   */
  LocatedSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> connectors) {
    super(connectors, VERSION, "The position in the topic of located records");
  }

  @Override
  void write(KafkaPartitionSplit split, DataOutputView target) throws IOException {
    PartitionTime time = LocatedSplit.timeOf(split);
    target.writeLong(time.reachedMillis());
    target.writeBoolean(time.isLive());
    target.writeLong(LocatedSplit.recordsLostOf(split));
  }

  @Override
  UnaryOperator<KafkaPartitionSplit> read(int written, DataInputView source) throws IOException {
    PartitionTime time = new PartitionTime(source.readLong(), source.readBoolean());
    long recordsLost = source.readLong();
    return split -> new LocatedSplit(split, time, recordsLost);
  }
}
