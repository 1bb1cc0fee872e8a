package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.bench.measure.Goal;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** With results in the form of JMH 1.37. */
class DecoderResultsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void aDecoderIsHeldAgainstTheBareLoopOverTheSameBytes() throws IOException {
    DecoderResults results =
        results(
            xml("bareAalto", "arcanum", 1_700),
            xml("bareAalto", "mlp", 9_000),
            xml("decoder", "arcanum", 2_000),
            xml("decoder", "mlp", 12_000));

    JsonNode rows = results.table().toJson(JSON);

    assertThat(rows)
        .extracting(
            row -> row.path("of").asText(),
            row -> row.path("benchmark").asText(),
            row -> row.path("micros").asDouble(),
            row -> row.path("shareOfBare").asDouble())
        .containsExactly(
            tuple("XmlDecoder", "bareAalto profile=arcanum recordsPerMessage=1", 1.7, 1.0),
            tuple("XmlDecoder", "bareAalto profile=mlp recordsPerMessage=1", 9.0, 1.0),
            tuple("XmlDecoder", "decoder profile=arcanum recordsPerMessage=1", 2.0, 0.85),
            tuple("XmlDecoder", "decoder profile=mlp recordsPerMessage=1", 12.0, 0.75));
    assertThat(rows.path(2).path("allocatedBytes").asDouble()).isEqualTo(136.5);
    assertThat(rows.path(2).path("error").asDouble()).isEqualTo(0.05, within(1e-9));
  }

  @Test
  void onlyTheDecodersOfTheBenchmarksOwnFormatsHaveGoals() throws IOException {
    DecoderResults results =
        results(
            xml("bareAalto", "arcanum", 1_700),
            xml("bareAalto", "mlp", 9_000),
            xml("decoder", "arcanum", 2_000),
            xml("decoder", "mlp", 12_000),
            benchmark("Serializer", "serialize", "{\"type\":\"RawMessage\"}", 30, "ns/op"));

    assertThat(results.goals(new Goals.Decoders(0.85)))
        .containsExactly(
            Goal.atLeast(
                "XmlDecoder: speed of the decoder, ratio to bareAalto (arcanum, 1)", 0.85, 0.85));
  }

  @Test
  void aBenchmarkWithoutBareLoopHasNoShare() throws IOException {
    JsonNode rows =
        results(benchmark("Serializer", "serialize", "{\"type\":\"RawMessage\"}", 30, "ns/op"))
            .table()
            .toJson(JSON);

    assertThat(rows.path(0).path("shareOfBare").isNull()).isTrue();
  }

  @Test
  void anotherUnitIsRefused() {
    assertThatThrownBy(() -> results(benchmark("Xml", "decoder", "{}", 5, "ops/s")))
        .isInstanceOf(IOException.class)
        .hasMessage("expected JMH's results in ns/op, found: ops/s");
  }

  private static DecoderResults results(String... benchmarks) throws IOException {
    return DecoderResults.of(JSON.readTree("[" + String.join(",", benchmarks) + "]"));
  }

  private static String xml(String method, String profile, double nanos) {
    return benchmark(
        "XmlDecoder",
        method,
        "{\"profile\":\"%s\",\"recordsPerMessage\":\"1\"}".formatted(profile),
        nanos,
        "ns/op");
  }

  private static String benchmark(
      String group, String method, String parameters, double nanos, String unit) {
    return """
        {"benchmark":"io.lastfix.microbenchmarks.%sBenchmark.%s","mode":"avgt","params":%s,
         "primaryMetric":{"score":%s,"scoreError":50.0,"scoreUnit":"%s"},
         "secondaryMetrics":{"gc.alloc.rate.norm":{"score":136.5,"scoreError":"NaN","scoreUnit":"B/op"}}}
        """
        .formatted(group, method, parameters, nanos, unit);
  }
}
