package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.lastfix.analytics.time.PartitionTime;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.clock.ManualClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LocatedReaderTest {
  private static final long NOW = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();
  private static final TopicPartition A = new TopicPartition("located", 0);
  private static final TopicPartition B = new TopicPartition("located", 1);

  private final ManualClock clock = new ManualClock(NOW * 1_000_000);
  private final PartitionTimes times = new PartitionTimes(Duration.ofSeconds(10), clock);
  private final Gauges metrics = new Gauges();
  private final LostRecords lost = new LostRecords(metrics);
  private final EmptyReader flinks = new EmptyReader();
  private final LocatedReader reader = new LocatedReader(flinks, "located", times, lost, clock);
  private final Output output = new Output("main");
  private final List<String> emitted = new ArrayList<>();

  @Test
  void emitsEachPartitionsWatermark() throws Exception {
    reader.addSplits(List.of(split(A), split(B)));
    times.onRecord(A, NOW - 1_000, Arrival.UNKNOWN);
    times.onRecord(B, NOW - 2_000, Arrival.UNKNOWN);

    poll();

    assertThat(emitted)
        .containsExactlyInAnyOrder("located-0 " + (NOW - 11_001), "located-1 " + (NOW - 12_001));
  }

  @Test
  void aSavepointOfAnotherTopicIsRefusedWithWhatToDo() {
    assertThatThrownBy(
            () -> reader.addSplits(List.of(split(A), split(new TopicPartition("former", 0)))))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .hasMessageContaining("it read the topic former, and located.topic is located")
        .hasMessageContaining("submit the job without --resume");
  }

  @Test
  void emitsFiveTimesASecond() throws Exception {
    reader.addSplits(List.of(split(A)));
    times.onRecord(A, NOW, Arrival.UNKNOWN);

    for (int i = 0; i < 1_000; i++) {
      clock.advanceTime(Duration.ofMillis(1));
      var unused = reader.pollNext(output);
    }

    assertThat(emitted).hasSize(5);
  }

  @Test
  void learnsOfThePartitionsEndsAfterTheRecordsOfTheFetch() throws Exception {
    reader.addSplits(List.of(split(A)));
    PartitionEnds fetch = ends(true);
    poll();
    assertThat(emitted).isEmpty();

    fetch.recycle();
    poll();

    assertThat(emitted).containsExactly("located-0 idle", "main idle");
  }

  /** Without it, other subtasks would not wait for its next records. */
  @Test
  void theSubtaskIsActiveAgainWithItsFirstActivePartition() throws Exception {
    reader.addSplits(List.of(split(A), split(B)));
    times.onFetched(ends(true));
    poll();
    assertThat(emitted).contains("main idle");
    emitted.clear();

    times.onRecord(B, NOW, Arrival.UNKNOWN);
    poll();
    assertThat(emitted)
        .containsExactlyInAnyOrder(
            "located-0 idle", "located-1 active", "located-1 " + (NOW - 10_001), "main active");
  }

  @Test
  void aCheckpointContainsTheEventTime() throws Exception {
    reader.addSplits(List.of(split(A), split(B)));
    times.onRecord(A, NOW, Arrival.UNKNOWN);

    List<KafkaPartitionSplit> snapshot = reader.snapshotState(1);

    assertThat(snapshot)
        .extracting(KafkaPartitionSplit::getTopicPartition, LocatedSplit::timeOf)
        .containsExactly(tuple(A, new PartitionTime(NOW, true)), tuple(B, PartitionTime.NONE));

    LocatedReader restored = new LocatedReader(flinks, "located", times, lost, clock);
    restored.addSplits(snapshot);
    clock.advanceTime(Duration.ofSeconds(1));
    var unused = restored.pollNext(output);
    assertThat(emitted).containsExactly("located-0 " + (NOW - 10_001));
  }

  @Test
  void aRestartKeepsHowManyRecordsKafkaHadDeleted() throws Exception {
    reader.addSplits(List.of(split(A), split(B)));
    lost.onGap(new OffsetGap(A, 10, 13, 20, 13));
    lost.onGap(new OffsetGap(A, 20, 21, 30, 21));
    assertThat(metrics.value("located.recordsLost")).isEqualTo(4L);

    LocatedSplitSerializer serializer =
        new LocatedSplitSerializer(new KafkaPartitionSplitSerializer());
    Gauges ofTheRestart = new Gauges();
    LocatedReader restored =
        new LocatedReader(flinks, "located", times, new LostRecords(ofTheRestart), clock);
    for (KafkaPartitionSplit split : reader.snapshotState(1)) {
      byte[] bytes = serializer.serialize(split);
      restored.addSplits(List.of(serializer.deserialize(serializer.getVersion(), bytes)));
    }

    assertThat(ofTheRestart.value("located.recordsLost")).isEqualTo(4L);
  }

  @Test
  void aSubtaskWithoutPartitionsIsIdleAfterTenSeconds() throws Exception {
    clock.advanceTime(Duration.ofMillis(9_700));
    poll();
    assertThat(emitted).isEmpty();

    poll();
    assertThat(emitted).containsExactly("main idle");
  }

  @Test
  void isAvailableForItsWatermarksToo() throws Exception {
    CompletableFuture<Void> quiet = reader.isAvailable();
    assertThat(quiet).isNotDone();
    assertThat(quiet.get(10, TimeUnit.SECONDS)).isNull();

    flinks.available.complete(null);
    assertThat(reader.isAvailable()).isDone();
  }

  private void poll() throws Exception {
    clock.advanceTime(Duration.ofMillis(200));
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
  }

  /** A fetch without records. */
  private PartitionEnds ends(boolean isAtEnd) {
    return new PartitionEnds(
        new RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>>().build(),
        Map.of(A, isAtEnd, B, isAtEnd),
        clock.relativeTimeMillis(),
        times::onFetched);
  }

  private static KafkaPartitionSplit split(TopicPartition partition) {
    return new KafkaPartitionSplit(partition, KafkaPartitionSplit.EARLIEST_OFFSET);
  }

  /** Writes down what it is given. */
  private final class Output implements ReaderOutput<LocatedRecord> {
    private final String name;

    Output(String name) {
      this.name = name;
    }

    @Override
    public void collect(LocatedRecord record) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void collect(LocatedRecord record, long timestampMillis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      emitted.add(name + " " + watermark.getTimestamp());
    }

    @Override
    public void markIdle() {
      emitted.add(name + " idle");
    }

    @Override
    public void markActive() {
      emitted.add(name + " active");
    }

    @Override
    public SourceOutput<LocatedRecord> createOutputForSplit(String split) {
      return new Output(split);
    }

    @Override
    public void releaseOutputForSplit(String split) {}
  }

  /** A reader without records. */
  private static final class EmptyReader
      implements SourceReader<LocatedRecord, KafkaPartitionSplit> {
    private final CompletableFuture<Void> available = new CompletableFuture<>();
    private List<KafkaPartitionSplit> splits = List.of();

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<LocatedRecord> output) {
      return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return splits;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return available;
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> added) {
      splits = added;
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
  }

  /** Keeps gauges, to be read by their group and name. */
  private static final class Gauges extends UnregisteredMetricsGroup {
    private final Map<String, Gauge<?>> gauges = new HashMap<>();

    @Override
    public MetricGroup addGroup(String group) {
      return new UnregisteredMetricsGroup() {
        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
          gauges.put(group + "." + name, gauge);
          return gauge;
        }
      };
    }

    @Nullable Object value(String name) {
      return Objects.requireNonNull(gauges.get(name)).getValue();
    }
  }
}
