package io.lastfix.operate.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SizingTest {
  /** 1,000 requests a second of 10 kB with two records each, and twice as many at the peak. */
  private static final Fleet FLEET = new Fleet(60_000, 60, 10_000, 2, false, 2, false);

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
                  "node.disk-tb", 1.0))
          .with(Map.of("kafka.sign-bytes", 0.0));

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
    Fleet larger = new Fleet(600_000, 60, 10_000, 2, false, 2, false);
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
    Fleet reconnecting = new Fleet(60_000, 60, 10_000, 2, false, 2, true);

    assertThat(Sizing.of(FLEET, FIGURES)).noneMatch(line -> line.what().equals("TLS connections"));
    assertThat(value(reconnecting, "gateway", "TLS connections")).isPositive();
  }

  @Test
  void connectionsAreThoseOfAllDevicesOrThoseOfTheIdleTime() {
    assertThat(value(FLEET, "gateway", "open connections, if clients keep them")).isEqualTo(60_000);
    Fleet seldom = new Fleet(60_000, 600, 10_000, 2, false, 1, true);
    // 100 requests a second, each connection for 60 s.
    assertThat(value(seldom, "gateway", "open connections, if clients keep them")).isEqualTo(6_000);
    // Two nodes for 4 cores, and the spare one has to replace one of them.
    Fleet larger = new Fleet(600_000, 60, 10_000, 2, false, 2, false);
    assertThat(value(larger, "gateway", "http.max-connections that this needs")).isEqualTo(300_000);
  }

  @Test
  void kafkaKeepsNoBodyOfAHeartbeatAndASignBesideEachRecord() {
    Figures figures =
        FIGURES.with(Map.of("kafka.sign-bytes", 100.0, "kafka.record-overhead-bytes", 500.0));
    Fleet agents = new Fleet(60_000, 60, 400, 0, true, 1, false);
    Fleet metrics = new Fleet(60_000, 60, 400, 0, false, 1, false);

    assertThat(value(Sizing.of(agents, figures), "kafka", "written at the peak"))
        .as("1,000 a second, three copies, in MB")
        .isCloseTo(0.3, within(1e-9));
    assertThat(value(Sizing.of(metrics, figures), "kafka", "written at the peak"))
        .isCloseTo(3, within(1e-9));
  }

  @Test
  void aDeviceThatPushesSeldomAndSendsNoHeartbeatsChangesTwiceAPush() {
    Figures figures = FIGURES.with(Map.of("mongodb.presence-cpu-micros", 1_000.0));

    assertThat(
            value(
                Sizing.of(new Fleet(3_600_000, 3_600, 1, 0, false, 1, true), figures),
                "mongodb",
                "primaries"))
        .isCloseTo(2, within(1e-9));
    assertThat(
            value(
                Sizing.of(new Fleet(3_600_000, 3_600, 1, 0, true, 1, true), figures),
                "mongodb",
                "primaries"))
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void heartbeatsHaveNoRecords() {
    assertThatThrownBy(() -> new Fleet(1, 1, 1, 1, true, 1, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--heartbeats: expected without --records");
  }

  @Test
  void heartbeatsAloneStoreNoHistory() {
    Fleet agents = new Fleet(100_000, 60, 500, 0, true, 1, false);

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
    List<Double> before = valuesOfTwo(Figures.ofThisBuild());
    for (Map.Entry<String, Figure> figure : all.entrySet()) {
      Map<String, Double> own = new LinkedHashMap<>();
      own.put(figure.getKey(), figure.getValue().value() * 3);
      assertThat(valuesOfTwo(Figures.ofThisBuild().with(own)))
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
  void zeroIsRefusedWhereNodesWouldBeInfinitelyMany() {
    for (String divisor : List.of("node.cores", "node.cpu-use", "node.disk-tb", "node.disk-use")) {
      assertThatThrownBy(() -> Figures.ofThisBuild().with(Map.of(divisor, 0.0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("--set " + divisor + ": expected a number above 0, found 0");
    }
    Map<String, Double> zeros = new LinkedHashMap<>();
    Figures.ofThisBuild().all().keySet().stream()
        .filter(key -> !key.startsWith("node.c") && !key.startsWith("node.d"))
        .forEach(key -> zeros.put(key, 0.0));

    assertThat(values(FLEET, Figures.ofThisBuild().with(zeros))).allMatch(Double::isFinite);
  }

  @Test
  void aFleetWithoutDevicesIsRefused() {
    assertThatThrownBy(() -> new Fleet(0, 1, 1, 1, false, 1, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--devices: expected 1 or more, found 0");
    assertThatThrownBy(() -> new Fleet(1, 1, 1, 1, false, 0.5, false))
        .hasMessage("--peak: expected 1 or more, found 0.5");
  }

  /** One that pushes often, and one that pushes seldom. */
  private static List<Double> valuesOfTwo(Figures figures) {
    List<Double> values =
        new ArrayList<>(values(new Fleet(500_000_000, 100, 33_000, 10, false, 1, true), figures));
    values.addAll(values(new Fleet(1_000_000, 3_600, 33_000, 10, false, 1, true), figures));
    return values;
  }

  private static List<Double> values(Fleet fleet, Figures figures) {
    return Sizing.of(fleet, figures).stream().map(SizeLine::value).toList();
  }

  private static double value(Fleet fleet, String part, String what) {
    return value(Sizing.of(fleet, FIGURES), part, what);
  }

  private static double value(List<SizeLine> lines, String part, String what) {
    return lines.stream()
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
