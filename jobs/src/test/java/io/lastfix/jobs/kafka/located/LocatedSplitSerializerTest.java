package io.lastfix.jobs.kafka.located;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.analytics.time.PartitionTime;
import java.io.IOException;
import java.util.HexFormat;
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
  void readsTheFormatWithoutLostRecords() throws IOException {
    byte[] written =
        HexFormat.of()
            .parseHex(
                "0000019ab697e80001" // the event time, which is live
                    + "00000000" // version of the connector's serializer, and its bytes
                    + "000f6c6173746669782e6c6f6361746564000000030000000000000011"
                    + "8000000000000000");

    KafkaPartitionSplit read = serializer.deserialize(1_000, written);

    assertThat(read.getTopicPartition()).isEqualTo(SPLIT.getTopicPartition());
    assertThat(read.getStartingOffset()).isEqualTo(17);
    assertThat(LocatedSplit.timeOf(read)).isEqualTo(new PartitionTime(1_764_000_000_000L, true));
    assertThat(LocatedSplit.recordsLostOf(read)).isZero();
  }

  @Test
  void readsWhatFlinksOwnSourceWrote() throws IOException {
    KafkaPartitionSplitSerializer connectors = new KafkaPartitionSplitSerializer();

    KafkaPartitionSplit read =
        serializer.deserialize(connectors.getVersion(), connectors.serialize(SPLIT));

    assertThat(read).isEqualTo(SPLIT);
    assertThat(LocatedSplit.timeOf(read)).isEqualTo(PartitionTime.NONE);
  }

  @Test
  void rejectsALaterFormat() {
    assertThatThrownBy(
            () -> serializer.deserialize(LocatedSplitSerializer.VERSION + 1, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is in format version 1002, this build reads up to 1001");
  }
}
