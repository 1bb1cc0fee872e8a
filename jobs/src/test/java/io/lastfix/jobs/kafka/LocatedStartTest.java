package io.lastfix.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer.PartitionOffsetsRetriever;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocatedStartTest {
  private static final TopicPartition PARTITION = new TopicPartition("lastfix.located", 0);
  private static final long COMMITTED = 5;
  private static final long END = 9;

  /** Its numbers are a function of all that the topic holds, unless the user wants otherwise. */
  @ParameterizedTest
  @CsvSource({
    "committed, " + KafkaPartitionSplit.EARLIEST_OFFSET,
    "earliest, " + KafkaPartitionSplit.EARLIEST_OFFSET,
    "latest, " + END,
    "1970-01-01T00:00:07Z, 7"
  })
  void theJobBeginsAtTheBeginningUnlessTheEndOrATimeIsConfigured(String start, long offset) {
    assertThat(
            new KafkaConnectors(
                    LocationJobConfig.load(null, List.of("source.start=" + start), it -> null))
                .locatedStart()
                .getPartitionOffsets(List.of(PARTITION), new Offsets()))
        .containsExactly(Map.entry(PARTITION, offset));
  }

  /** The offset of a time is its seconds since 1970. */
  private static final class Offsets implements PartitionOffsetsRetriever {
    @Override
    public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
      return Map.of(PARTITION, COMMITTED);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
      return Map.of(PARTITION, END);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
      return Map.of(PARTITION, 0L);
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> timestamps) {
      long millis = timestamps.get(PARTITION);
      return Map.of(PARTITION, new OffsetAndTimestamp(millis / 1000, millis));
    }
  }
}
