package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.stage.StageJob.Stage;
import io.lastfix.workload.MessageFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageTablesTest {
  private static final long RECORDS = 1_000_000;

  @Test
  void aStageCostsWhatItAddsToTheOneBefore() {
    ResultTable table =
        StagesPart.table(
            2,
            Map.of(
                MessageFormat.ARCANUM,
                List.of(stages(4, 6, 9, 9.5), stages(4, 7, 9, 9.5), stages(5, 7, 9.5, 9.5))),
            Map.of());

    JsonNode rows = table.toJson(new ObjectMapper());
    assertThat(rows)
        .extracting(row -> row.path("ownMicros").asDouble())
        .containsExactly(4.0, 2.0, 2.5, 0.5);
    assertThat(rows)
        .extracting(row -> row.path("flinkMicros").asDouble())
        .containsExactly(4.0, 7.0, 9.0, 9.5);
    assertThat(rows.path(0).path("recordsPerSecond").asDouble()).isEqualTo(RECORDS / 5.0);
    assertThat(rows.path(0).path("flinkSpread").asText()).isEqualTo("4.00–5.00");
  }

  @Test
  void aJoinOnRocksDbCostsWhatItAddsToParsing() {
    ResultTable table =
        StagesPart.table(
            2,
            Map.of(MessageFormat.ARCANUM, List.of(stages(4, 6, 9, 9.5), stages(5, 7, 9.5, 9.5))),
            Map.of(MessageFormat.ARCANUM, List.of(measured(5, 8), measured(5, 10))));

    JsonNode rows = table.toJson(new ObjectMapper());
    assertThat(rows)
        .last()
        .satisfies(
            row -> {
              assertThat(row.path("stage").asText())
                  .isEqualTo("shuffle by cell and join, on RocksDB");
              assertThat(row.path("flinkMicros").asDouble()).isEqualTo(9);
              assertThat(row.path("ownMicros").asDouble()).isEqualTo(4.5);
            });
    assertThat(rows).hasSize(5);
  }

  @Test
  void efficiencyIsTheRateAgainstAsManyTimesThatOfOneSubtask() {
    ResultTable table =
        ScalePart.table(
            2,
            List.of(
                Map.of(1, measured(10, 5), 2, measured(5, 5)),
                Map.of(1, measured(8, 5), 2, measured(8, 5)),
                Map.of(1, measured(8, 5), 2, measured(5, 5))));

    JsonNode rows = table.toJson(new ObjectMapper());
    assertThat(table.title()).contains("on 2 cores");
    assertThat(rows)
        .extracting(row -> row.path("efficiency").asDouble())
        .containsExactlyInAnyOrder(1.0, 0.8);
  }

  private static Map<Stage, Measurement> stages(
      double parse, double locate, double shuffle, double sinks) {
    return Map.of(
        Stage.PARSE, measured(5, parse),
        Stage.LOCATE, measured(6, locate),
        Stage.SHUFFLE, measured(7, shuffle),
        Stage.SINKS, measured(8, sinks));
  }

  /** N seconds, and N seconds of Flink's CPU, give N microseconds a record. */
  private static Measurement measured(double seconds, double flinkSeconds) {
    return new Measurement(RECORDS, seconds, new Reading(Map.of(Server.FLINK, flinkSeconds), 0));
  }
}
