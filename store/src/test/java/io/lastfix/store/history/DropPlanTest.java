package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which partitions a plan drops and keeps, and when it fails. */
class DropPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-20T00:05:00Z");
  private static final List<HistoryPartition> DAYS =
      Stream.of(
              "history_2026_11_08",
              "history_2026_11_09",
              "history_2026_11_10",
              "history_2026_11_20")
          .map(name -> HistoryPartition.parse("history", name).orElseThrow())
          .toList();
  private static final HistoryRetention TEN_DAYS =
      HistoryRetention.of(PartitionPeriod.DAY, Duration.ofDays(10), Duration.ZERO);

  private static DropPlan plan(
      Duration olderThan, @Nullable HistoryRetention retention, boolean isForced)
      throws IOException {
    return DropPlan.of(DAYS, NOW.minus(olderThan), NOW, retention, isForced);
  }

  @Test
  void whatIsExpiredIsDroppedAndWhatRecordsMayBeOnTheirWayToIsKept() throws Exception {
    // The second ended ten days and five minutes ago; the grace is ten minutes.
    assertThat(plan(Duration.ofDays(10), TEN_DAYS, false))
        .isEqualTo(new DropPlan(DAYS.subList(0, 1), DAYS.subList(1, 2)));
    assertThat(plan(Duration.ofDays(11), TEN_DAYS, false))
        .isEqualTo(new DropPlan(DAYS.subList(0, 1), List.of()));
    assertThat(plan(Duration.ofDays(90), TEN_DAYS, false))
        .isEqualTo(new DropPlan(List.of(), List.of()));
  }

  @Test
  void whatTheJobStillTakesRecordsForIsRefusedAndTheMessageSaysWhatToDo() {
    assertThatThrownBy(() -> plan(Duration.ofDays(10), null, false))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "history.retention is not set, so the job accepts records of any age: a running job"
                + " would create a dropped partition again, without its index and its shards. Set"
                + " history.retention to --older-than or less and restart the job, or add --force if"
                + " no job runs");
    assertThatThrownBy(() -> plan(Duration.ofDays(9), TEN_DAYS, false))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("history.retention is longer than --older-than, so the job still");
  }

  @Test
  void byForceAllThatIsAsOldIsDroppedAndNeverWhatIsNotOver() throws Exception {
    assertThat(plan(Duration.ofDays(10), null, true))
        .isEqualTo(new DropPlan(DAYS.subList(0, 2), List.of()));
    assertThat(plan(Duration.ofMillis(1), TEN_DAYS, true))
        .isEqualTo(new DropPlan(DAYS.subList(0, 3), List.of()));
  }
}
