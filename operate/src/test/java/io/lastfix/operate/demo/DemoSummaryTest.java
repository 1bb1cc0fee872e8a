package io.lastfix.operate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.RecordAccount;
import io.lastfix.cluster.flink.JobCounts;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountQueries.GroupSum;
import io.lastfix.store.query.numbers.LateRecords;
import io.lastfix.workload.PushSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DemoSummaryTest {
  private static final PushSummary PUSHED = new PushSummary(120, 1_300, 200, 5, 99_000, 2.5);
  private static final JobCounts COUNTS =
      new JobCounts(new TreeMap<>(Map.of("malformed", 3L, "bad-value", 2L)), 1_095, 200, 7, 1_295);
  private static final long HISTORY_GROWTH = 1_095;

  private static DemoSummary summary(PushSummary pushed, JobCounts counts, long historyGrowth) {
    return new DemoSummary(
        new RecordAccount(pushed, counts, historyGrowth, counts.rejected()),
        260.4,
        Duration.ofMillis(120),
        Duration.ofMillis(480));
  }

  private static JobCounts counts(Map<String, Long> rejected, long inserted, long duplicates) {
    return new JobCounts(rejected, inserted, duplicates, COUNTS.unlocated(), COUNTS.records());
  }

  @Test
  void theResultHasElevenLinesOfWhichEachCommandBeginsAsTheUserCalledIt() {
    assertThat(result(HISTORY_GROWTH).toText("./lastfix").lines())
        .hasSize(11)
        .contains(
            "Records       1,300 sent: 1,095 stored, 200 were there already, 5 broken ones rejected; none lost",
            "Positions     44 more, of cells that were loaded later",
            "Busiest cell  1-2-3-4, 92 records from 2008-05-25T23:50:00Z to 2008-05-26T00:00:00Z",
            "Last seen     taxi 41, 2008-05-25T23:59:00Z, at 37.78768, -122.43030",
            "Alerts        4 departures from the airport: ./lastfix alerts; also: alerts --follow",
            "Map           http://127.0.0.1:1/  (the taxis drive on, as if today)",
            "Ask           ./lastfix where 41; also: history 41, counts --plot",
            "Watch         ./lastfix top; also: status",
            "Keep running  ./lastfix supervise --config config/demo.yaml",
            "Stop          ./lastfix down");
  }

  @Test
  void theResultNamesALostRecord() {
    DemoSummary summary =
        summary(PUSHED, counts(COUNTS.rejectedByReason(), 1_094, 200), HISTORY_GROWTH - 1);

    assertThat(summary.lines().get(0))
        .contains("1,300 records pushed, but 1,299 stored, duplicate and rejected");
  }

  private static DemoResult result(long historyGrowth) {
    Sighting last =
        new Sighting(
            "41",
            Instant.parse("2008-05-25T23:59:00Z"),
            "1-2-3-4",
            new Position(-122.430302, 37.787675),
            PositionSource.CELL,
            null,
            null,
            null,
            false,
            null);
    return new DemoResult(
        summary(PUSHED, COUNTS, historyGrowth),
        OptionalLong.of(44),
        List.of(new LastKnownLocation(last, null)),
        new TimeRange(Instant.parse("2008-05-25T23:50:00Z"), Instant.parse("2008-05-26T00:00:00Z")),
        List.of(new GroupSum("1-2-3-4", 92, Completeness.NONE)),
        true,
        LateRecords.NONE,
        OptionalLong.of(4),
        Optional.of("http://127.0.0.1:1"),
        true);
  }

  @Test
  void jsonHoldsEveryCountAndWhetherTheyReconcile() {
    assertThat(summary(PUSHED, COUNTS, HISTORY_GROWTH).toJson())
        .hasToString(
            "{\"recordsIn\":1300,\"messages\":120,\"stored\":1095,\"duplicates\":200,"
                + "\"rejected\":5,\"rejectedByReason\":{\"bad-value\":2,\"malformed\":3},"
                + "\"unlocated\":7,\"historyGrowth\":1095,\"reconciles\":true,\"rejectedTopicGrowth\":5,"
                + "\"recordsPerSecond\":260,\"endToEndLatencyMillisMedian\":120,"
                + "\"endToEndLatencyMillisP95\":480}");
  }

  @Test
  void whatAJobCountedSinceAnEarlierMomentLeavesOutReasonsThatDidNotGrow() {
    JobCounts later =
        new JobCounts(
            Map.of("malformed", 10L, "bad-value", 2L, "missing-field", 1L), 2_000, 500, 9, 3_000);

    assertThat(later.since(COUNTS))
        .isEqualTo(new JobCounts(Map.of("malformed", 7L, "missing-field", 1L), 905, 300, 2, 1_705));
  }

  @Test
  void aClassPathIsShortenedToFolders() {
    assertThat(TaxiDrive.shortened("/t/cli.jar:/t/lib/a.jar:/t/lib/b.jar:/u/classes:/u/test"))
        .isEqualTo("/t/cli.jar:/t/lib/*:/u/classes:/u/test");
  }
}
