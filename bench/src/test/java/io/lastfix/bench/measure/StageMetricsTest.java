package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StageMetricsTest {
  private static final String JOB = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String METRICS = "/jobs/" + JOB + "/vertices/v/subtasks/metrics";

  private final CannedCluster cluster = new CannedCluster();

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  /** Two subtasks: from 1,000 ms and from 1,200 ms, to 3,000 and 3,100. */
  @Test
  void theSubtasksBecomeOneMeasurement() throws IOException {
    answer(1_000);

    StageMetrics metrics = StageMetrics.read(new FlinkRest(cluster.url()), JOB);

    assertThat(metrics).isEqualTo(new StageMetrics(1_000, 300, 1_100, 3_100));
  }

  @Test
  void aSubtaskThatIsNotWarmMakesItNoMeasurement() {
    answer(0);

    assertThatThrownBy(() -> StageMetrics.read(new FlinkRest(cluster.url()), JOB))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "a subtask received no more records than its warm-up: raise --records or lower"
                + " --parallelism");
  }

  @Test
  void theWarmUpIsNeitherInTheRecordsNorInTheTimeNorInTheCpu() {
    CpuTimeline cpu = new CpuTimeline();
    cpu.add(0, new Reading(Map.of(Server.FLINK, 10.0), 0));
    cpu.add(1_000, new Reading(Map.of(Server.FLINK, 20.0), 0));
    cpu.add(3_000, new Reading(Map.of(Server.FLINK, 20.07), 0));

    Measurement measurement = new StageMetrics(1_000, 300, 1_000, 3_000).measurement(cpu);

    assertThat(measurement.records()).isEqualTo(700);
    assertThat(measurement.rate()).isEqualTo(350);
    assertThat(Math.round(measurement.micros(Server.FLINK))).isEqualTo(100);
  }

  private void answer(long smallestBegin) {
    cluster.answers("/jobs/" + JOB, "{\"vertices\":[{\"id\":\"v\"}]}");
    cluster.answers(
        METRICS,
        """
        [{"id":"parse.records"},{"id":"measured__Writer.beginMillis"},{"id":"measured__Writer.endMillis"},
         {"id":"measured__Writer.records"},{"id":"measured__Writer.recordsAtBegin"}]
        """);
    aggregate("min", Map.of("beginMillis", smallestBegin));
    aggregate("avg", Map.of("beginMillis", 1_100L));
    aggregate("max", Map.of("endMillis", 3_100L));
    aggregate("sum", Map.of("records", 1_000L, "recordsAtBegin", 300L));
  }

  private void aggregate(String how, Map<String, Long> values) {
    StringBuilder json = new StringBuilder();
    new TreeMap<>(values)
        .forEach(
            (name, value) ->
                json.append(json.isEmpty() ? "[" : ",")
                    .append(
                        "{\"id\":\"measured__Writer.%s\",\"%s\":%d}".formatted(name, how, value)));
    cluster.answers(
        METRICS
            + "?get=measured__Writer.beginMillis,measured__Writer.endMillis,measured__Writer.records,"
            + "measured__Writer.recordsAtBegin&agg="
            + how,
        json.append("]").toString());
  }
}
