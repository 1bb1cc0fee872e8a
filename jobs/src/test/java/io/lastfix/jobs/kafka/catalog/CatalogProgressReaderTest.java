package io.lastfix.jobs.kafka.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.kafka.connector.DatedSplitSerializer;
import io.lastfix.jobs.kafka.connector.SplitsOnly;
import io.lastfix.jobs.kafka.connector.TestReaderContext;
import io.lastfix.locate.RemovalRetention;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * The restored positions of the catalogue that are discarded, so that the catalogue is read anew.
 */
class CatalogProgressReaderTest {
  private static final Instant STOPPED = Instant.parse("2026-11-01T12:00:00Z");
  private static final RemovalRetention REMOVALS = new RemovalRetention(Duration.ofDays(30));
  private static final KafkaPartitionSplit READ = split(0, 700);
  private static final KafkaPartitionSplit AT_BEGINNING =
      split(0, KafkaPartitionSplit.EARLIEST_OFFSET);

  private final SplitsOnly source = new SplitsOnly();
  private final TestReaderContext context =
      new TestReaderContext() {
        @Override
        public SourceReaderMetricGroup metricGroup() {
          return new Gauges();
        }
      };
  private final Map<String, Gauge<?>> gauges = new HashMap<>();
  private Instant now = STOPPED;

  @Test
  void aRestartOfTheJobContinuesWhereItWas() throws Exception {
    restore(REMOVALS, Duration.ofMinutes(10), READ);

    assertThat(source.splits).containsExactly(READ);
    assertThat(readAnew()).isZero();
    assertThat(context.sent).containsExactly(new CatalogPositions(Map.of(0, 700L), true));
  }

  @Test
  void aPositionOlderThanHalfTheRetentionIsGivenUpAndNotTold() throws Exception {
    restore(REMOVALS, Duration.ofDays(15), READ);

    assertThat(source.splits).containsExactly(AT_BEGINNING);
    assertThat(readAnew()).isEqualTo(1);
    assertThat(context.sent).as("what location records may begin by").isEmpty();
  }

  @Test
  void aPositionJustYoungerIsKept() throws Exception {
    restore(REMOVALS, Duration.ofDays(15).minusMillis(1), READ);

    assertThat(source.splits).containsExactly(READ);
  }

  @Test
  void eachPartitionIsJudgedByItself() throws Exception {
    DatedSplitSerializer serializer = serializer();
    byte[] old = serializer.serialize(READ);
    now = STOPPED.plus(Duration.ofDays(20));
    byte[] young = serializer.serialize(split(1, 5));
    now = STOPPED.plus(Duration.ofDays(21));

    reader(REMOVALS)
        .addSplits(
            List.of(
                serializer.deserialize(serializer.getVersion(), old),
                serializer.deserialize(serializer.getVersion(), young)));

    assertThat(source.splits).containsExactly(AT_BEGINNING, split(1, 5));
  }

  @Test
  void theNextCheckpointHasAPositionOfItsOwnDateAndIsContinuedFrom() throws Exception {
    restore(REMOVALS, Duration.ofDays(40), READ);
    source.splits.clear();
    source.splits.add(split(0, 20));

    DatedSplitSerializer serializer = serializer();
    byte[] bytes = serializer.serialize(reader(REMOVALS).snapshotState(1).get(0));
    source.splits.clear();
    reader(REMOVALS).addSplits(List.of(serializer.deserialize(serializer.getVersion(), bytes)));

    assertThat(source.splits).containsExactly(split(0, 20));
  }

  @Test
  void aPartitionThatHasNotBeenReadYetIsAtItsBeginningAlready() throws Exception {
    restore(REMOVALS, Duration.ofDays(40), AT_BEGINNING);

    assertThat(source.splits).containsExactly(AT_BEGINNING);
    assertThat(readAnew()).isZero();
  }

  /**
   * Otherwise, a catalogue that takes longer to read than the retention would never be read to its
   * end.
   */
  @Test
  void aShortRetentionLeavesTimeToReadTheCatalogueInSeveralAttempts() throws Exception {
    restore(new RemovalRetention(Duration.ofMinutes(66)), Duration.ofMinutes(20), READ);

    assertThat(source.splits).containsExactly(READ);
  }

  // If this fails, raise the serializer's VERSION, keep reading the old one, then update.
  @Test
  void theLayoutOfAPositionIsThatOfVersion1() throws Exception {
    DatedSplitSerializer serializer = serializer();
    assertThat(serializer.getVersion()).isEqualTo(1);

    assertThat(serializer.serialize(READ))
        .asHexString()
        .isEqualTo(
            "000001A196FB1600"
                + "00000000"
                + "0005"
                + "63656C6C73"
                + "00000000"
                + "00000000000002BC"
                + "8000000000000000");
  }

  @Test
  void aPositionOfALaterReleaseIsRefused() {
    assertThatThrownBy(() -> serializer().deserialize(2, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "The catalogue's position is in format version 2, this build reads 1."
                + " Restore the state with the release that wrote it, or a later one.");
  }

  /** Writes positions when the job stops, and restores them after that time. */
  private void restore(RemovalRetention removals, Duration later, KafkaPartitionSplit... splits)
      throws IOException {
    DatedSplitSerializer serializer = serializer();
    List<KafkaPartitionSplit> restored = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      restored.add(serializer.deserialize(serializer.getVersion(), serializer.serialize(split)));
    }
    now = STOPPED.plus(later);
    reader(removals).addSplits(restored);
  }

  private DatedSplitSerializer serializer() {
    return new DatedSplitSerializer(new KafkaPartitionSplitSerializer(), clock());
  }

  private InstantSource clock() {
    return () -> now;
  }

  private CatalogProgressReader<String> reader(RemovalRetention removals) {
    return new CatalogProgressReader<>(source, context, removals, clock());
  }

  private int readAnew() {
    return (Integer) gauges.get(CatalogProgressReader.METRIC).getValue();
  }

  private static KafkaPartitionSplit split(int partition, long offset) {
    return new KafkaPartitionSplit(new TopicPartition("cells", partition), offset);
  }

  /** Keeps the gauges. */
  private final class Gauges extends UnregisteredMetricsGroup implements SourceReaderMetricGroup {
    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(name, gauge);
      return gauge;
    }

    @Override
    public Counter getNumRecordsInErrorsCounter() {
      return new SimpleCounter();
    }

    @Override
    public void setPendingBytesGauge(Gauge<Long> pendingBytes) {}

    @Override
    public void setPendingRecordsGauge(Gauge<Long> pendingRecords) {}

    @Override
    public OperatorIOMetricGroup getIOMetricGroup() {
      return UnregisteredMetricsGroup.createOperatorIOMetricGroup();
    }
  }
}
