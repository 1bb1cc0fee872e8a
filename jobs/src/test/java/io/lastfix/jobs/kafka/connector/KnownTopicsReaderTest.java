package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Splits of a savepoint whose topic no longer has a profile. */
class KnownTopicsReaderTest {
  private static final KafkaPartitionSplit KNOWN =
      new KafkaPartitionSplit(new TopicPartition("lastfix.location.json", 0), 5);
  private static final KafkaPartitionSplit REMOVED =
      new KafkaPartitionSplit(new TopicPartition("lastfix.location.mlp", 1), 7);

  private final SplitsOnly source = new SplitsOnly();
  private final Ends ends = new Ends();
  private final KnownTopicsReader<String> reader =
      new KnownTopicsReader<>(
          source, List.of("lastfix.location.json"), ends, new UnregisteredMetricsGroup());

  @Test
  void areNotRead() {
    reader.addSplits(List.of(REMOVED, KNOWN));

    assertThat(source.splits).containsExactly(KNOWN);
    assertThat(ends.queried).containsExactly(REMOVED.getTopicPartition());
  }

  @Test
  void stayInEveryCheckpointSoThatTheProfileMayComeBack() {
    reader.addSplits(List.of(REMOVED, KNOWN));

    assertThat(reader.snapshotState(1)).containsExactlyInAnyOrder(KNOWN, REMOVED);
    assertThat(reader.snapshotState(2)).containsExactlyInAnyOrder(KNOWN, REMOVED);
  }

  @Test
  void areNotResumedEither() {
    reader.addSplits(List.of(REMOVED, KNOWN));

    reader.pauseOrResumeSplits(List.of(), Set.of(KNOWN.splitId(), REMOVED.splitId()));

    assertThat(source.resumed).containsExactly(KNOWN.splitId());
  }

  @Test
  void aReaderWithNoOthersIsGivenNone() {
    reader.addSplits(List.of(REMOVED));

    assertThat(source.additions).isZero();
    assertThat(reader.snapshotState(1)).containsExactly(REMOVED);
  }

  @Test
  void withAProfileForEachTopicNothingIsLookedUp() {
    reader.addSplits(List.of(KNOWN));

    assertThat(ends.queried).isEmpty();
  }

  @Test
  void closesWhatLooksThemUp() throws Exception {
    reader.close();

    assertThat(ends.isClosed).isTrue();
  }

  /** Answers at once. */
  private static final class Ends extends EndOffsets {
    private final List<TopicPartition> queried = new ArrayList<>();
    private boolean isClosed;

    Ends() {
      super(LocationJobConfig.load(null, List.of(), name -> null).kafka());
    }

    @Override
    CompletionStage<Map<TopicPartition, Long>> of(Set<TopicPartition> partitions) {
      queried.addAll(partitions);
      return CompletableFuture.completedFuture(Map.of(REMOVED.getTopicPartition(), 9L));
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
