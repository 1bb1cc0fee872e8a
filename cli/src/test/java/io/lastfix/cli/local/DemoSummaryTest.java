package io.lastfix.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

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
        pushed,
        counts,
        historyGrowth,
        counts.rejected(),
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
  void countsThatAddUpReconcile() {
    DemoSummary summary = summary(PUSHED, COUNTS, HISTORY_GROWTH);

    assertThat(summary.reconciles()).isTrue();
    assertThat(summary.difference()).isEmpty();
    assertThat(summary.toText()).contains("as many as records in");
  }

  @Test
  void aLostRecordIsADifference() {
    DemoSummary summary =
        summary(PUSHED, counts(COUNTS.rejectedByReason(), 1_094, 200), HISTORY_GROWTH - 1);

    assertThat(summary.reconciles()).isFalse();
    assertThat(summary.difference())
        .isEqualTo("1,300 records pushed, but 1,299 stored, duplicate and rejected");
    assertThat(summary.toText()).contains(summary.difference());
  }

  @Test
  void aGoodRecordThatWasRejectedIsADifference() {
    DemoSummary summary =
        summary(
            PUSHED,
            counts(Map.of("malformed", 4L, "bad-value", 2L), 1_094, 200),
            HISTORY_GROWTH - 1);

    assertThat(summary.difference())
        .isEqualTo("6 rejected by the job, but 5 pushed to be rejected");
  }

  @Test
  void aDocumentThatHistoryDoesNotHaveIsADifference() {
    DemoSummary summary = summary(PUSHED, COUNTS, HISTORY_GROWTH - 1);

    assertThat(summary.difference())
        .isEqualTo("1,095 documents added by the job, but 1,094 new documents in History");
  }

  @Test
  void aRejectedRecordThatIsNotInTheTopicIsADifference() {
    DemoSummary summary =
        new DemoSummary(
            PUSHED,
            COUNTS,
            HISTORY_GROWTH,
            4,
            260.4,
            Duration.ofMillis(120),
            Duration.ofMillis(480));

    assertThat(summary.difference())
        .isEqualTo("5 rejected by the job, but 4 new messages in the rejected topic");
  }

  @Test
  void everyDifferenceIsNamed() {
    DemoSummary summary =
        new DemoSummary(
            PUSHED,
            counts(Map.of(), 1_095, 200),
            0,
            1,
            260.4,
            Duration.ofMillis(120),
            Duration.ofMillis(480));

    assertThat(summary.difference().split("; ")).hasSize(4);
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
}
