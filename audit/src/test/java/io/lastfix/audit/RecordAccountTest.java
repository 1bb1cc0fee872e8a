package io.lastfix.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.JobCounts;
import io.lastfix.workload.PushSummary;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An account finds each count that does not agree with another one. */
class RecordAccountTest {
  private static final PushSummary PUSHED = new PushSummary(120, 1_300, 200, 5, 99_000, 2.5);
  private static final JobCounts COUNTS =
      new JobCounts(new TreeMap<>(Map.of("malformed", 3L, "bad-value", 2L)), 1_095, 200, 7, 1_295);
  private static final long HISTORY_GROWTH = 1_095;

  private static RecordAccount account(JobCounts counts, long historyGrowth) {
    return new RecordAccount(PUSHED, counts, historyGrowth, counts.rejected());
  }

  private static JobCounts counts(Map<String, Long> rejected, long inserted, long duplicates) {
    return new JobCounts(rejected, inserted, duplicates, COUNTS.unlocated(), COUNTS.records());
  }

  @Test
  void countsThatAddUpReconcile() {
    RecordAccount account = account(COUNTS, HISTORY_GROWTH);

    assertThat(account.reconciles()).isTrue();
    assertThat(account.difference()).isEmpty();
  }

  @Test
  void aLostRecordIsADifference() {
    RecordAccount account =
        account(counts(COUNTS.rejectedByReason(), 1_094, 200), HISTORY_GROWTH - 1);

    assertThat(account.reconciles()).isFalse();
    assertThat(account.difference())
        .isEqualTo("1,300 records pushed, but 1,299 stored, duplicate and rejected");
  }

  @Test
  void aGoodRecordThatWasRejectedIsADifference() {
    RecordAccount account =
        account(counts(Map.of("malformed", 4L, "bad-value", 2L), 1_094, 200), HISTORY_GROWTH - 1);

    assertThat(account.difference())
        .isEqualTo("6 rejected by the job, but 5 pushed to be rejected");
  }

  @Test
  void aDocumentThatHistoryDoesNotHaveIsADifference() {
    RecordAccount account = account(COUNTS, HISTORY_GROWTH - 1);

    assertThat(account.difference())
        .isEqualTo("1,095 documents added by the job, but 1,094 new documents in History");
  }

  @Test
  void aRejectedRecordThatIsNotInTheTopicIsADifference() {
    RecordAccount account = new RecordAccount(PUSHED, COUNTS, HISTORY_GROWTH, 4);

    assertThat(account.difference())
        .isEqualTo("5 rejected by the job, but 4 new messages in the rejected topic");
  }

  @Test
  void everyDifferenceIsNamed() {
    RecordAccount account = new RecordAccount(PUSHED, counts(Map.of(), 1_095, 200), 0, 1);

    assertThat(account.difference().split("; ")).hasSize(4);
  }
}
