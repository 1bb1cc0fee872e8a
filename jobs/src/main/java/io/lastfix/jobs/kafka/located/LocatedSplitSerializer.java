package io.lastfix.jobs.kafka.located;

import io.lastfix.analytics.time.PartitionTime;
import io.lastfix.jobs.kafka.splits.ExtendedSplitSerializer;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes the event time with each split, and reads a {@link LocatedSplit}. The values: long epoch
 * milliseconds that are reached, boolean whether the partition is live.
 */
public final class LocatedSplitSerializer extends ExtendedSplitSerializer {
  /**
   * @param connectors the connector's own
   */
  public LocatedSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> connectors) {
    super(connectors, "The position in the topic of located records");
  }

  @Override
  protected void write(KafkaPartitionSplit split, DataOutputView target) throws IOException {
    PartitionTime time = LocatedSplit.timeOf(split);
    target.writeLong(time.reachedMillis());
    target.writeBoolean(time.isLive());
  }

  @Override
  protected UnaryOperator<KafkaPartitionSplit> read(DataInputView source) throws IOException {
    PartitionTime time = new PartitionTime(source.readLong(), source.readBoolean());
    return split -> new LocatedSplit(split, time);
  }
}
