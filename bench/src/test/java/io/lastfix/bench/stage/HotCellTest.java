package io.lastfix.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.parse.RawMessage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** 30 % of the records name one cell: one subtask joins them, but all subtasks write. */
class HotCellTest {
  private static final int PARALLELISM = 4;
  private static final int RECORDS = 60_000;
  private static final int CELLS = 2_000;
  private static final int USERS = 20_000;

  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(PARALLELISM)
              .setConfiguration(METRICS.addToConfiguration(new Configuration()))
              .build());

  @AfterAll
  static void closeTheReporter() {
    METRICS.close();
  }

  @Test
  void aHotCellBurdensOneSubtaskOfTheJoinAndNoneOfTheSinks() throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("job.parallelism=" + PARALLELISM), name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    LocationJob.defineWorkflow(
        environment,
        config,
        locations(),
        null,
        TestMessages.cells(CELLS),
        RemovalRetention.DEFAULT,
        new DiscardingSink<>(),
        new MeasuringSink<>(0),
        new MeasuringSink<>(0),
        null);
    JobID job = environment.execute("hot cell").getJobID();

    long[] joined = bySubtask(job, "locate\\.\\d+\\.locate\\.records$");
    long[] history = bySubtask(job, "history: Writer\\.\\d+\\." + MeasuringSink.RECORDS + "$");
    long[] lastKnown =
        bySubtask(job, "last known location: Writer\\.\\d+\\." + MeasuringSink.RECORDS + "$");
    System.out.printf(
        "[hot cell] 30 %% of %,d records in one cell of %,d, parallelism %d: the busiest subtask has"
            + " %.1f %% of the join, %.1f %% of History, %.1f %% of Last Known Location%n",
        RECORDS,
        CELLS,
        PARALLELISM,
        100 * largestShare(joined),
        100 * largestShare(history),
        100 * largestShare(lastKnown));
    assertThat(largestShare(joined)).as("the join's busiest subtask").isGreaterThan(0.4);
    assertThat(largestShare(history)).as("History's busiest subtask").isLessThan(0.3);
    assertThat(largestShare(lastKnown)).as("Last Known Location's").isLessThan(0.3);
  }

  private static double largestShare(long[] bySubtask) {
    assertThat(bySubtask).hasSize(PARALLELISM);
    assertThat(LongStream.of(bySubtask).sum()).isEqualTo(RECORDS);
    return Arrays.stream(bySubtask).max().orElseThrow() / (double) RECORDS;
  }

  private static long[] bySubtask(JobID job, String metric) {
    return METRICS.findMetrics(job, metric).values().stream()
        .mapToLong(HotCellTest::value)
        .toArray();
  }

  private static long value(Metric metric) {
    return metric instanceof Counter counter
        ? counter.getCount()
        : ((Number) ((Gauge<?>) metric).getValue()).longValue();
  }

  private static DataGeneratorSource<RawMessage> locations() {
    return TestMessages.locations(
        RECORDS,
        i ->
            "{\"user\":\"user-%d\",\"cell\":\"1-1-1-%d\",\"ts\":%d}"
                .formatted(i % USERS, i % 10 < 3 ? 0 : i % CELLS, 1_767_225_600_000L + i));
  }
}
