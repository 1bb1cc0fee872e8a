package io.lastfix.bench.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SizingTest {
  /** 1,000 requests a second of 10 kB with two records each, and twice as many at the peak. */
  private static final Fleet FLEET = new Fleet(60_000, 60, 10_000, 2, 2, false);

  private static final Figures FIGURES =
      Figures.ofThisBuild()
          .with(
              Map.of(
                  "gateway.request-cpu-micros", 100.0,
                  "gateway.kilobyte-cpu-micros", 10.0,
                  "kafka.record-overhead-bytes", 0.0,
                  "kafka.replicas", 3.0,
                  "kafka.retention-days", 1.0,
                  "node.disk-use", 0.5,
                  "node.cores", 4.0,
                  "node.cpu-use", 0.5,
                  "node.disk-tb", 1.0));

  @Test
  void theLoadIsTheFleetsOwn() {
    List<SizeLine> lines = Sizing.of(FLEET, FIGURES);

    assertThat(lines.subList(0, 5))
        .containsExactly(
            new SizeLine("load", "average", 1_000, "requests/s", "given"),
            new SizeLine("load", "peak", 2_000, "requests/s", "given"),
            new SizeLine("load", "peak", 20, "MB/s", "given"),
            new SizeLine("load", "a day", 0.864, "TB", "given"),
            new SizeLine("load", "peak", 4_000, "records/s", "given"));
  }

  @Test
  void coresFollowThePeakAndNodesTheirCores() {
    // 2,000 × (100 + 10 × 10) µs: 0.4 cores of a node's 2, and a spare one.
    assertThat(value(FLEET, "gateway", "requests")).isCloseTo(0.4, within(1e-9));
    assertThat(value(FLEET, "gateway", "nodes")).isEqualTo(2);
    // Ten times as much: 4 cores, two nodes, and the spare one.
    Fleet larger = new Fleet(600_000, 60, 10_000, 2, 2, false);
    assertThat(value(larger, "gateway", "nodes")).isEqualTo(3);
  }

  @Test
  void disksFollowTheAverageAndNodesTheirDisks() {
    // 0.864 TB a day, three copies, half of each disk: 5.2 TB, so six nodes of one.
    assertThat(value(FLEET, "kafka", "disks")).isCloseTo(5.184, within(1e-9));
    assertThat(value(FLEET, "kafka", "nodes")).isEqualTo(6);
  }

  @Test
  void aConnectionForEachRequestAddsItsHandshake() {
    Fleet reconnecting = new Fleet(60_000, 60, 10_000, 2, 2, true);

    assertThat(Sizing.of(FLEET, FIGURES)).noneMatch(line -> line.what().equals("TLS connections"));
    assertThat(value(reconnecting, "gateway", "TLS connections")).isPositive();
  }

  @Test
  void heartbeatsAloneStoreNoHistory() {
    Fleet agents = new Fleet(100_000, 60, 500, 0, 1, false);

    assertThat(value(agents, "load", "peak", "records/s")).isZero();
    assertThat(value(agents, "mongodb", "disks, all members")).isLessThan(0.001);
    assertThat(value(agents, "flink", "both jobs")).isPositive();
  }

  @Test
  void aLineNamesWhatItIsComputedFrom() {
    List<SizeLine> lines = Sizing.of(FLEET, Figures.ofThisBuild());

    assertThat(basis(lines, "gateway", "requests"))
        .isEqualTo("measured: docs/performance/gateway.md");
    assertThat(basis(lines, "gateway", "nodes"))
        .isEqualTo("assumed: the lines above, node.cores, node.cpu-use, gateway.spare-nodes");
    assertThat(basis(lines, "total", "cost"))
        .isEqualTo("assumed: the lines above, node.price, disk.price");
    assertThat(lines)
        .allSatisfy(
            line -> assertThat(line.basis()).containsPattern("^(given|measured: |assumed: )"));
    Figures own = Figures.ofThisBuild().with(Map.of("gateway.request-cpu-micros", 1.0));
    assertThat(basis(Sizing.of(FLEET, own), "gateway", "requests"))
        .isEqualTo("measured: docs/performance/gateway.md; given: gateway.request-cpu-micros");
  }

  @Test
  void eachFigureIsUsedAndIsMeasuredOrAssumed() {
    Map<String, Figure> all = Figures.ofThisBuild().all();

    assertThat(all.values()).noneMatch(Figure::isSet);
    Fleet fleet = new Fleet(10_000_000, 1, 33_000, 10, 1, true);
    List<Double> before = values(fleet, Figures.ofThisBuild());
    for (Map.Entry<String, Figure> figure : all.entrySet()) {
      Map<String, Double> own = new LinkedHashMap<>();
      own.put(figure.getKey(), figure.getValue().value() * 3);
      assertThat(values(fleet, Figures.ofThisBuild().with(own)))
          .as(figure.getKey())
          .isNotEqualTo(before);
    }
  }

  @Test
  void anUnknownFigureIsRefused() {
    assertThatThrownBy(() -> Figures.ofThisBuild().with(Map.of("node.core", 1.0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--set node.core: unknown figure, expected one of gateway.");
    assertThatThrownBy(() -> Figures.ofThisBuild().with(Map.of("node.cores", -1.0)))
        .hasMessage("--set node.cores: expected a number of 0 or more, found -1.0");
  }

  @Test
  void aFleetWithoutDevicesIsRefused() {
    assertThatThrownBy(() -> new Fleet(0, 1, 1, 1, 1, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--devices: expected 1 or more, found 0");
    assertThatThrownBy(() -> new Fleet(1, 1, 1, 1, 0.5, false))
        .hasMessage("--peak: expected 1 or more, found 0.5");
  }

  private static List<Double> values(Fleet fleet, Figures figures) {
    return Sizing.of(fleet, figures).stream().map(SizeLine::value).toList();
  }

  private static double value(Fleet fleet, String part, String what) {
    return Sizing.of(fleet, FIGURES).stream()
        .filter(line -> line.part().equals(part) && line.what().equals(what))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static double value(Fleet fleet, String part, String what, String unit) {
    return Sizing.of(fleet, FIGURES).stream()
        .filter(
            line ->
                line.part().equals(part) && line.what().equals(what) && line.unit().equals(unit))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static String basis(List<SizeLine> lines, String part, String what) {
    return lines.stream()
        .filter(line -> line.part().equals(part) && line.what().equals(what))
        .findFirst()
        .orElseThrow()
        .basis();
  }
}
