package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.analytics.time.PartitionTime;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LocatedSplitSerializerTest {
  private static final KafkaPartitionSplit SPLIT =
      new KafkaPartitionSplit(new TopicPartition("lastfix.located", 3), 17);

  private final LocatedSplitSerializer serializer =
      new LocatedSplitSerializer(new KafkaPartitionSplitSerializer());

  @Test
  void writesAndReadsTheEventTimeAndTheLostRecords() throws IOException {
    PartitionTime time = new PartitionTime(1_764_000_000_000L, true);

    byte[] bytes = serializer.serialize(new LocatedSplit(SPLIT, time, 42));
    KafkaPartitionSplit read = serializer.deserialize(serializer.getVersion(), bytes);

    assertThat(LocatedSplit.timeOf(read)).isEqualTo(time);
    assertThat(LocatedSplit.recordsLostOf(read)).isEqualTo(42);
    assertThat(read.getTopicPartition()).isEqualTo(SPLIT.getTopicPartition());
    assertThat(read.getStartingOffset()).isEqualTo(17);
    assertThat(read.getStoppingOffset()).isEmpty();
  }

  @Test
  void aSplitOfTheEnumeratorHasNoEventTime() throws IOException {
    KafkaPartitionSplit read =
        serializer.deserialize(LocatedSplitSerializer.VERSION, serializer.serialize(SPLIT));

    assertThat(LocatedSplit.timeOf(read)).isEqualTo(PartitionTime.NONE);
  }

  @Test
  void rejectsALaterFormat() {
    assertThatThrownBy(
            () -> serializer.deserialize(LocatedSplitSerializer.VERSION + 1, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is in format version 2, this build reads 1");
  }
}
