package io.lastfix.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.RecordAccount;
import io.lastfix.stack.flink.JobCounts;
import io.lastfix.workload.PushSummary;
import java.time.Duration;
import java.util.Map;
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
  void theClosingTextRepeatsHowTheUserCalledItAndSupervisesWithTheDemosOwnConfiguration() {
    assertThat(DemoCommand.nextCommands("./lastfix", "41"))
        .contains(
            " ./lastfix where 41\n",
            " ./lastfix history 41 --limit 10\n",
            " ./lastfix supervise location --config config/demo.yaml\n")
        .endsWith(" ./lastfix down");
  }

  @Test
  void theTextSaysThatCountsAddUp() {
    DemoSummary summary = summary(PUSHED, COUNTS, HISTORY_GROWTH);

    assertThat(summary.toText()).contains("as many as records in");
  }

  @Test
  void theTextNamesALostRecord() {
    DemoSummary summary =
        summary(PUSHED, counts(COUNTS.rejectedByReason(), 1_094, 200), HISTORY_GROWTH - 1);

    assertThat(summary.toText())
        .contains("1,300 records pushed, but 1,299 stored, duplicate and rejected");
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
    assertThat(DemoCommand.shortened("/t/cli.jar:/t/lib/a.jar:/t/lib/b.jar:/u/classes:/u/test"))
        .isEqualTo("/t/cli.jar:/t/lib/*:/u/classes:/u/test");
  }
}
