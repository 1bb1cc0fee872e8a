package io.lastfix.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.bench.stage.StageJob.Stage;
import io.lastfix.jobs.CollectingSink;
import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.parse.RawMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StageJobTest {
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .setConfiguration(METRICS.addToConfiguration(new Configuration()))
              .build());

  private static final int RECORDS = 1_000;
  private static final int WARM_UP = 300;

  @AfterAll
  static void closeTheReporter() {
    METRICS.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyStageTellsHowManyRecordsReachedItsEndAndWhen(Stage until) throws Exception {
    long beforeMillis = System.currentTimeMillis();
    StreamExecutionEnvironment environment = environment();
    define(environment, until);
    JobID job = environment.execute(until.name()).getJobID();
    long afterMillis = System.currentTimeMillis();

    assertThat(sum(job, MeasuringSink.RECORDS)).isEqualTo(RECORDS);
    // Each of two subtasks has its own warm-up, rounded up.
    assertThat(sum(job, MeasuringSink.RECORDS_AT_BEGIN))
        .isBetween((long) WARM_UP, WARM_UP + 2L * MeasuringWriter.RECORDS_PER_CLOCK_READING);
    assertThat(values(job, MeasuringSink.BEGIN_MILLIS))
        .hasSize(2)
        .allMatch(begin -> begin >= beforeMillis);
    assertThat(values(job, MeasuringSink.END_MILLIS))
        .hasSize(2)
        .allMatch(end -> end <= afterMillis);
  }

  @Test
  void theWholeJobHasTheOperatorsOfTheLocationJob() {
    StreamExecutionEnvironment real = environment();
    LocationJob.defineWorkflow(
        real,
        config(),
        locations(),
        null,
        TestMessages.cells(RECORDS),
        RemovalRetention.DEFAULT,
        new CollectingSink<>(),
        new CollectingSink<>(),
        new CollectingSink<>(),
        null);
    StreamExecutionEnvironment measured = environment();
    define(measured, Stage.SINKS);

    Set<String> expected = uids(real);
    expected.remove("last-known-location");
    expected.add(MeasuringSink.NAME);
    assertThat(uids(measured)).isEqualTo(expected);
  }

  private static Set<String> uids(StreamExecutionEnvironment environment) {
    Set<String> uids = new TreeSet<>();
    for (StreamNode node : environment.getStreamGraph(false).getStreamNodes()) {
      uids.add(node.getTransformationUID());
    }
    return uids;
  }

  private static void define(StreamExecutionEnvironment environment, Stage until) {
    StageJob.defineWorkflow(
        environment, config(), locations(), TestMessages.cells(RECORDS), until, WARM_UP);
  }

  private static LocationJobConfig config() {
    return LocationJobConfig.load(null, List.of("job.parallelism=2"), name -> null);
  }

  private static StreamExecutionEnvironment environment() {
    return StreamExecutionEnvironment.getExecutionEnvironment(
        LocationJob.flinkConfiguration(config()));
  }

  private static List<Long> values(JobID job, String metric) {
    List<Long> values = new ArrayList<>();
    METRICS
        .findMetrics(job, MeasuringSink.NAME + ": Writer\\.\\d+\\." + metric + "$")
        .forEach((id, value) -> values.add(((Number) ((Gauge<?>) value).getValue()).longValue()));
    return values;
  }

  private static long sum(JobID job, String metric) {
    return values(job, metric).stream().mapToLong(Long::longValue).sum();
  }

  /** Records of as many users as cells, so that each subtask has its share. */
  private static DataGeneratorSource<RawMessage> locations() {
    return TestMessages.locations(
        RECORDS,
        i -> "{\"user\":\"user-%d\",\"cell\":\"1-1-1-%d\",\"ts\":1767225600000}".formatted(i, i));
  }
}
