package io.lastfix.jobs.kafka.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.jobs.config.CatalogTimeout;
import io.lastfix.jobs.kafka.catalog.CatalogEnds.End;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.locate.RemovalRetention;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.CoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The wait for the catalogue in a running job, with topics that the test simulates. */
@Timeout(120)
class StartAfterCatalogJobTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final CatalogGroup SUBMISSION = new CatalogGroup("job-test-cells-00000001");
  private static final String FAIL = "fail";

  /** The numbers of entries and records in the topics; the job runs in this JVM. */
  private static final AtomicLong ENTRIES = new AtomicLong();

  private static final AtomicLong RECORDS = new AtomicLong();

  /** For each record the number of entries in the join, or {@link #FAIL} if it failed. */
  private static final Queue<String> JOINED = new ConcurrentLinkedQueue<>();

  @Test
  void recordsMeetAllThatWasInTheCatalogueAtTheStartAndAfterAFailureWhatCameMeanwhile()
      throws Exception {
    ENTRIES.set(2_000);
    RECORDS.set(1);
    Configuration flink = new Configuration();
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(2, flink);
    environment.enableCheckpointing(100);
    environment
        .fromSource(
            new StartAfterCatalogSource<>(
                new Topic("records", false),
                "entries",
                known -> endingAt(ENTRIES.get()),
                SUBMISSION,
                new CatalogTimeout(LIMIT, true)),
            WatermarkStrategy.noWatermarks(),
            "records")
        .connect(
            environment
                .fromSource(
                    new CatalogProgressSource<>(
                        new Topic("entries", true), SUBMISSION, RemovalRetention.DEFAULT),
                    WatermarkStrategy.noWatermarks(),
                    "entries")
                .rebalance())
        .process(new Join())
        .setParallelism(1)
        .print();

    JobClient job = environment.executeAsync();
    try {
      await("the first record").atMost(LIMIT).until(() -> JOINED.contains("2000"));

      // The next record makes the job fail; the catalogue grows before the restart.
      RECORDS.set(2);
      await("after the restart").atMost(LIMIT).until(() -> JOINED.contains("4000"));
      List<String> joined = List.copyOf(JOINED);
      assertThat(joined.subList(0, joined.indexOf(FAIL))).containsOnly("2000");
      assertThat(joined.subList(joined.indexOf(FAIL) + 1, joined.size())).containsOnly("4000");
    } finally {
      job.cancel().get();
    }
  }

  private static Map<Integer, End> endingAt(long end) {
    return Map.of(0, new End(end, end, end));
  }

  /** Counts the entries, and notes their number at each record. */
  private static final class Join extends CoProcessFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1L;

    private long highest;

    @Override
    public void processElement1(Long record, Context context, Collector<Long> out) {
      if (record == 1 && !JOINED.contains(FAIL)) {
        JOINED.add(FAIL);
        ENTRIES.set(4_000);
        throw new IllegalStateException("as the test wants it");
      }
      JOINED.add(Long.toString(highest));
    }

    @Override
    public void processElement2(Long entry, Context context, Collector<Long> out) {
      highest = Math.max(highest, entry + 1);
    }
  }

  /** A topic with one partition, whose records are their offsets. */
  private static final class Topic
      implements Source<Long, KafkaPartitionSplit, Boolean>, ResultTypeQueryable<Long> {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final boolean isCatalogue;

    Topic(String name, boolean isCatalogue) {
      this.name = name;
      this.isCatalogue = isCatalogue;
    }

    @Override
    public Boundedness getBoundedness() {
      return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Long, KafkaPartitionSplit> createReader(SourceReaderContext context) {
      return new Reader(isCatalogue ? ENTRIES : RECORDS);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, Boolean> createEnumerator(
        SplitEnumeratorContext<KafkaPartitionSplit> context) {
      return new Enumerator(context, new TopicPartition(name, 0), false);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, Boolean> restoreEnumerator(
        SplitEnumeratorContext<KafkaPartitionSplit> context, Boolean isAssigned) {
      return new Enumerator(context, new TopicPartition(name, 0), isAssigned);
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
      return new KafkaPartitionSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
      return new Flag();
    }

    @Override
    public TypeInformation<Long> getProducedType() {
      return Types.LONG;
    }
  }

  private static final class Flag implements SimpleVersionedSerializer<Boolean> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Boolean flag) {
      return ByteBuffer.allocate(1).put((byte) (flag ? 1 : 0)).array();
    }

    @Override
    public Boolean deserialize(int version, byte[] bytes) {
      return bytes[0] == 1;
    }
  }

  /** Assigns the partition to the first subtask. */
  private static final class Enumerator implements SplitEnumerator<KafkaPartitionSplit, Boolean> {
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;
    private final TopicPartition partition;
    private boolean isAssigned;

    Enumerator(
        SplitEnumeratorContext<KafkaPartitionSplit> context,
        TopicPartition partition,
        boolean isAssigned) {
      this.context = context;
      this.partition = partition;
      this.isAssigned = isAssigned;
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {}

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
      isAssigned &= splits.isEmpty();
    }

    @Override
    public void addReader(int subtask) {
      if (subtask == 0 && !isAssigned) {
        isAssigned = true;
        context.assignSplit(
            new KafkaPartitionSplit(partition, KafkaPartitionSplit.EARLIEST_OFFSET), 0);
      }
    }

    @Override
    public Boolean snapshotState(long checkpointId) {
      return isAssigned;
    }

    @Override
    public void close() {}
  }

  private static final class Reader implements SourceReader<Long, KafkaPartitionSplit> {
    private final AtomicLong end;
    private @Nullable TopicPartition partition;
    private long next = KafkaPartitionSplit.EARLIEST_OFFSET;

    Reader(AtomicLong end) {
      this.end = end;
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<Long> output) {
      if (partition == null || Math.max(next, 0) >= end.get()) {
        return InputStatus.NOTHING_AVAILABLE;
      }
      next = Math.max(next, 0) + 1;
      output.collect(next - 1);
      return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return partition == null ? List.of() : List.of(new KafkaPartitionSplit(partition, next));
    }

    /** Polled repeatedly, because the test does not signal that it has added something. */
    @Override
    public CompletableFuture<Void> isAvailable() {
      return CompletableFuture.supplyAsync(
          () -> null, CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS));
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
      for (KafkaPartitionSplit split : splits) {
        partition = split.getTopicPartition();
        next = split.getStartingOffset();
      }
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
  }
}
