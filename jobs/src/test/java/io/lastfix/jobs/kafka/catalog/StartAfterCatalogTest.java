package io.lastfix.jobs.kafka.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.config.CatalogTimeout;
import io.lastfix.jobs.kafka.catalog.CatalogEnds.End;
import io.lastfix.jobs.kafka.catalog.StartAfterCatalogReader.CatalogSignal;
import io.lastfix.jobs.kafka.connector.EmittedRecords;
import io.lastfix.jobs.kafka.connector.SplitsOnly;
import io.lastfix.jobs.kafka.connector.TestReaderContext;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.locate.RemovalRetention;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases in which location records are held back: both sources, without Kafka and Flink. */
class StartAfterCatalogTest {
  private static final CatalogGroup SUBMISSION = new CatalogGroup("group-cells-00000001");
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int LOCATIONS = 3;
  private static final int CELLS = 5;

  private final Map<Integer, End> topic = new HashMap<>();
  private final Coordinator coordinator = new Coordinator();
  private final CatalogProgressEnumerator<KafkaPartitionSplit, String> cells =
      new CatalogProgressEnumerator<>(new NoEnumerator(), CatalogProgress.of(SUBMISSION));
  private StartAfterCatalogEnumerator<KafkaPartitionSplit, String> locations = locations(true);
  private long nowNanos;

  /** The position of the catalogue's reader. */
  private long position;

  @BeforeEach
  void startEnumerators() {
    cells.start();
    locations.start();
  }

  @AfterEach
  void closeEnumerators() throws Exception {
    locations.close();
    cells.close();
  }

  /** A restore adds its splits before the start. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReaderGivesOutNothingBeforeItIsToldTo(boolean isRestored) throws Exception {
    ReaderContext context = new ReaderContext();
    StartAfterCatalogReader<String, KafkaPartitionSplit> reader =
        new StartAfterCatalogReader<>(new OneMessage(), context);
    if (isRestored) {
      reader.addSplits(List.of(new KafkaPartitionSplit(new TopicPartition("any", 0), 7)));
    }
    reader.start();
    EmittedRecords<String> output = new EmittedRecords<>();

    assertThat(context.sent).containsExactly(CatalogSignal.AWAITED);
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(reader.isAvailable()).isNotDone();
    assertThat(reader.snapshotState(1)).as("a barrier passes").isEmpty();

    reader.handleSourceEvents(CatalogSignal.LOADED);

    assertThat(reader.isAvailable()).isDone();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    assertThat(output.records()).hasSize(1);
  }

  @Test
  void anEmptyCatalogueHoldsNothingBack() {
    begin(LOCATIONS);
    poll();

    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  @Test
  void whatHasBeenReadCountsOnlyWhenACheckpointHoldsIt() throws Exception {
    topic.put(0, new End(12, 10, 12));
    CatalogProgressReader<String> reader = cellsReader();
    begin(LOCATIONS);
    begin(LOCATIONS + 1);
    poll();
    position = 10;
    reader.snapshotState(1);
    poll();
    assertThat(coordinator.loaded).isEmpty();

    reader.notifyCheckpointComplete(1);
    poll();
    assertThat(coordinator.loaded).containsExactly(LOCATIONS, LOCATIONS + 1);
  }

  @Test
  void whatAnAbortedCheckpointHeldDoesNotCount() throws Exception {
    topic.put(0, new End(10, 10, 10));
    CatalogProgressReader<String> reader = cellsReader();
    begin(LOCATIONS);
    position = 10;
    reader.snapshotState(1);
    reader.notifyCheckpointAborted(1);
    reader.notifyCheckpointComplete(2);
    poll();

    assertThat(coordinator.loaded).isEmpty();
  }

  @Test
  void aRestoredPositionAtTheEndIsEnough() throws Exception {
    topic.put(0, new End(10, 10, 10));
    cellsReader().addSplits(List.of(split(10)));
    begin(LOCATIONS);
    poll();

    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  @Test
  void aRestoredPositionBehindTheEndIsNot() throws Exception {
    topic.put(0, new End(10, 10, 10));
    cellsReader().addSplits(List.of(split(9)));
    begin(LOCATIONS);
    poll();

    assertThat(coordinator.loaded).isEmpty();
  }

  /** The topic was deleted and created again while the job was down. */
  @Test
  void aRestoredPositionThatTheTopicDoesNotHaveSaysNothingOfTheEntriesThereAreNow()
      throws Exception {
    topic.put(0, new End(5_000, 5_000, 5_000));
    CatalogProgressReader<String> reader = cellsReader();
    reader.addSplits(List.of(split(300_000)));
    begin(LOCATIONS);
    poll();
    poll();
    assertThat(coordinator.loaded).as("the position of a former topic").isEmpty();

    position = 4_000;
    reader.snapshotState(1);
    reader.notifyCheckpointComplete(1);
    poll();
    assertThat(coordinator.loaded).as("the reader has begun again").isEmpty();

    position = 5_000;
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(2);
    poll();
    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  /** The reader reported its position after the first query. */
  @Test
  void aPositionOfAFormerTopicThatIsToldLateOpensNothingEither() throws Exception {
    topic.put(0, new End(5_000, 5_000, 5_000));
    begin(LOCATIONS);
    poll();
    cellsReader().addSplits(List.of(split(300_000)));
    poll();
    poll();
    poll();

    assertThat(coordinator.loaded).isEmpty();
  }

  /** Entries that arrived after the first query have been read, too. */
  @Test
  void aPositionBehindTheEndThatWasFoundIsEnoughWhereTheCatalogueHasGrown() throws Exception {
    topic.put(0, new End(10, 10, 10));
    CatalogProgressReader<String> reader = cellsReader();
    begin(LOCATIONS);
    poll();
    topic.put(0, new End(10, 10, 15));
    position = 15;
    reader.snapshotState(1);
    reader.notifyCheckpointComplete(1);
    poll();
    poll();

    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  @Test
  void ifTheTopicWasMadeAnewAndIsNotReadInTimeTheFailureTellsWhatIsReadOfItNow() throws Exception {
    topic.put(0, new End(5_000, 5_000, 5_000));
    cellsReader().addSplits(List.of(split(300_000)));
    begin(LOCATIONS);
    poll();
    nowNanos = LIMIT.toNanos() + 1;

    assertThatThrownBy(this::poll)
        .hasMessageContaining(
            "partition 0 read to offset 0 of 5000 at 0 offsets/s, and to 0 in a completed checkpoint");
  }

  /** The catalogue grew while the job was down. */
  @Test
  void eachRestartWaitsForTheEndThatItFinds() throws Exception {
    topic.put(0, new End(10, 10, 10));
    cellsReader().addSplits(List.of(split(10)));
    begin(LOCATIONS);
    poll();
    coordinator.loaded.clear();

    topic.put(0, new End(20, 20, 20));
    locations.addSplitsBack(List.of(), LOCATIONS);
    cells.addSplitsBack(List.of(), CELLS);
    CatalogProgressReader<String> restarted = cellsReader();
    restarted.addSplits(List.of(split(10)));
    begin(LOCATIONS);
    poll();
    assertThat(coordinator.loaded).isEmpty();

    position = 20;
    restarted.snapshotState(7);
    restarted.notifyCheckpointComplete(7);
    poll();
    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  @Test
  void aReaderThatWasSetBackHasNothingInStateUntilItSaysSo() throws Exception {
    topic.put(0, new End(10, 10, 10));
    cellsReader().addSplits(List.of(split(10)));
    cells.addSplitsBack(List.of(), CELLS);
    begin(LOCATIONS);
    poll();

    assertThat(coordinator.loaded).isEmpty();
  }

  /** A compaction, or a deletion of records, removed the awaited entry. */
  @Test
  void anEntryThatGoesDuringTheWaitIsNotWaitedForAnyLonger() throws Exception {
    topic.put(0, new End(10, 10, 10));
    cellsReader().addSplits(List.of(split(8)));
    begin(LOCATIONS);
    poll();
    topic.put(0, new End(10, 8, 10));
    for (int i = 0; i < StartAfterCatalogEnumerator.POLLS_BETWEEN_QUERIES; i++) {
      poll();
    }

    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  @Test
  void whereTheEndIsNotReachedInTimeTheJobFailsAndSaysHowFarItWasAndHowFast() throws Exception {
    topic.put(0, new End(1_000, 1_000, 1_000));
    CatalogProgressReader<String> reader = cellsReader();
    reader.addSplits(List.of(split(100)));
    begin(LOCATIONS);
    poll();
    position = 700;
    reader.snapshotState(1);
    nowNanos = LIMIT.toNanos() + 1;

    assertThatThrownBy(this::poll)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The catalogue in lastfix.cells was not read to its end within PT10M: partition 0"
                + " read to offset 700 of 1000 at 1 offsets/s, and to 100 in a completed checkpoint."
                + " The job has read no location records, because they could get outdated"
                + " coordinates. It continues from its last checkpoint. If this repeats, raise"
                + " source.catalog-timeout, or set source.on-catalog-timeout: continue");
    assertThat(coordinator.loaded).isEmpty();
  }

  @Test
  void ifSoConfiguredTheRecordsAreReadThenAllTheSame() throws Exception {
    locations.close();
    locations = locations(false);
    locations.start();
    topic.put(0, new End(1_000, 1_000, 1_000));
    begin(LOCATIONS);
    poll();
    assertThat(coordinator.loaded).isEmpty();
    nowNanos = LIMIT.toNanos() + 1;
    poll();

    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  @Test
  void whileKafkaDoesNotAnswerItIsAskedAgainUntilTheTimeIsOver() throws Exception {
    coordinator.isKafkaAway = true;
    begin(LOCATIONS);
    poll();
    assertThat(coordinator.loaded).isEmpty();
    nowNanos = LIMIT.toNanos() + 1;
    assertThatThrownBy(this::poll).hasMessageContaining("its end is unknown");

    coordinator.isKafkaAway = false;
    begin(LOCATIONS);
    poll();
    assertThat(coordinator.loaded).containsExactly(LOCATIONS);
  }

  private CatalogProgressReader<String> cellsReader() {
    ReaderContext context = new ReaderContext();
    context.enumerator = cells;
    return new CatalogProgressReader<>(
        new OneMessage() {
          @Override
          public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
            return List.of(split(position));
          }
        },
        context,
        RemovalRetention.DEFAULT,
        InstantSource.system());
  }

  private static KafkaPartitionSplit split(long offset) {
    return new KafkaPartitionSplit(new TopicPartition("lastfix.cells", 0), offset);
  }

  private StartAfterCatalogEnumerator<KafkaPartitionSplit, String> locations(boolean failsJob) {
    return new StartAfterCatalogEnumerator<>(
        new NoEnumerator(),
        coordinator,
        CatalogProgress.of(SUBMISSION),
        known -> {
          if (coordinator.isKafkaAway) {
            throw new IllegalStateException("Kafka is away");
          }
          return new HashMap<>(topic);
        },
        "lastfix.cells",
        new CatalogTimeout(LIMIT, failsJob),
        () -> nowNanos);
  }

  private void begin(int subtask) {
    coordinator.readers.put(subtask, new ReaderInfo(subtask, "here"));
    locations.handleSourceEvent(subtask, CatalogSignal.AWAITED);
  }

  private void poll() {
    coordinator.poll.run();
  }

  /** The coordinator of the location source, whose worker runs when the test calls it. */
  private static final class Coordinator implements SplitEnumeratorContext<KafkaPartitionSplit> {
    private final Map<Integer, ReaderInfo> readers = new HashMap<>();
    private final List<Integer> loaded = new ArrayList<>();
    private Runnable poll = () -> {};
    private boolean isKafkaAway;

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
      return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
      assertThat(event).isEqualTo(CatalogSignal.LOADED);
      loaded.add(subtask);
    }

    @Override
    public int currentParallelism() {
      return 1;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
      return readers;
    }

    @Override
    public void assignSplits(SplitsAssignment<KafkaPartitionSplit> assignment) {}

    @Override
    public void signalNoMoreSplits(int subtask) {}

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> void callAsync(
        Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
      poll =
          () -> {
            T result;
            try {
              result = callable.call();
            } catch (Exception e) {
              handler.accept(null, e);
              return;
            }
            handler.accept(result, null);
          };
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
      runnable.run();
    }
  }

  private static final class NoEnumerator implements SplitEnumerator<KafkaPartitionSplit, String> {
    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {}

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {}

    @Override
    public void addReader(int subtask) {}

    @Override
    public String snapshotState(long checkpointId) {
      return "";
    }

    @Override
    public void close() {}
  }

  /** Always has one more. */
  private static class OneMessage extends SplitsOnly {
    @Override
    public InputStatus pollNext(ReaderOutput<String> output) {
      output.collect("message");
      return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return List.of();
    }
  }

  /** Passes the events on to an enumerator. */
  private static final class ReaderContext extends TestReaderContext {
    private @Nullable SplitEnumerator<KafkaPartitionSplit, String> enumerator;

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {
      super.sendSourceEventToCoordinator(event);
      if (enumerator != null) {
        enumerator.handleSourceEvent(CELLS, event);
      }
    }
  }
}
