package io.lastfix.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

class LedgerOperatorTest {
  /** Of every term another number. */
  private static final LedgerEntry SOME = new LedgerEntry(34, 16, 8, 1, 2, 4, 3, 1);

  @Test
  void theSumsOfACheckpointAreReportedOnceItIsCompleted() throws Exception {
    try (LedgerHarness ledger = new LedgerHarness(null)) {
      ledger.entry(LedgerEntry.ofIn(5)).entry(LedgerEntry.ofStored(3, 1)).snapshot();
      ledger.entry(LedgerEntry.ofIn(7));
      assertThat(ledger.reported("in")).isZero();

      ledger.complete();

      assertThat(ledger.reported())
          .containsEntry("checkpoint", 1L)
          .containsEntry("in", 5L)
          .containsEntry("stored", 3L)
          .containsEntry("duplicates", 1L)
          .containsEntry("unaccounted", 1L);
    }
  }

  @Test
  void anAbortedCheckpointIsNotReportedAndItsEntriesAreInTheNext() throws Exception {
    try (LedgerHarness ledger = new LedgerHarness(null)) {
      ledger.entry(LedgerEntry.ofIn(5)).snapshot();
      ledger.abort().complete();
      assertThat(ledger.reported("in")).isZero();

      ledger.entry(LedgerEntry.ofRejected(5)).snapshot();
      ledger.complete();

      assertThat(ledger.reported())
          .containsEntry("checkpoint", 2L)
          .containsEntry("in", 5L)
          .containsEntry("rejected", 5L)
          .containsEntry("unaccounted", 0L);
    }
  }

  @Test
  void restoredSumsAreReportedAtOnceAndRestoredRecordsThatWaitAreNotCountedTwice()
      throws Exception {
    OperatorSubtaskState state;
    try (LedgerHarness ledger = new LedgerHarness(null)) {
      state = ledger.entry(SOME).snapshot();
    }
    try (LedgerHarness ledger = new LedgerHarness(state)) {
      assertThat(ledger.reported()).containsEntry("in", 34L).containsEntry("waiting", 3L);

      // Two of the join's subtasks, of which one has released a record meanwhile.
      ledger.entry(LedgerEntry.ofWaiting(1)).entry(LedgerEntry.ofWaiting(1));
      ledger.entry(LedgerEntry.ofStored(1, 0)).snapshot();
      ledger.complete();

      assertThat(ledger.reported())
          .containsEntry("in", 34L)
          .containsEntry("waiting", 2L)
          .containsEntry("stored", 17L)
          .containsEntry("unaccounted", 0L);
    }
  }

  @Test
  void recordsThatWaitedAndAreGoneAfterARestoreAreUnaccounted() throws Exception {
    OperatorSubtaskState state;
    try (LedgerHarness ledger = new LedgerHarness(null)) {
      state = ledger.entry(SOME).snapshot();
    }
    try (LedgerHarness ledger = new LedgerHarness(state)) {
      ledger.entry(LedgerEntry.ofWaiting(1)).snapshot();
      ledger.complete();

      assertThat(ledger.reported("unaccounted")).isEqualTo(2);
    }
  }

  /** Records in flight are in such a checkpoint, and nobody has counted their end. */
  @Test
  void withUnalignedCheckpointsThereIsNothingToReport() throws Exception {
    try (LedgerHarness ledger = new LedgerHarness(null, true)) {
      ledger.entry(LedgerEntry.ofIn(5)).snapshot();
      ledger.complete();

      assertThat(ledger.reported()).isEmpty();
    }
  }

  @Test
  void afterUnalignedCheckpointsTheLedgerBeginsAtTheFirstAlignedOne() throws Exception {
    OperatorSubtaskState unaligned;
    try (LedgerHarness ledger = new LedgerHarness(null, true)) {
      unaligned = ledger.entry(LedgerEntry.ofIn(9)).entry(LedgerEntry.ofStored(2, 0)).snapshot();
    }
    OperatorSubtaskState aligned;
    try (LedgerHarness ledger = new LedgerHarness(unaligned)) {
      // In flight at that barrier: an entry of locate, and two records that are stored now.
      ledger.entryOf(LedgerHarness.RESTORED, LedgerEntry.ofWaiting(3));
      ledger.entry(LedgerEntry.ofWaiting(6)).entry(LedgerEntry.ofIn(4));
      ledger.entry(LedgerEntry.ofStored(5, 0));
      assertThat(ledger.reported("unaccounted")).isZero();
      aligned = ledger.snapshot();
      ledger.complete();

      assertThat(ledger.reported())
          .containsEntry("in", 11L)
          .containsEntry("stored", 5L)
          .containsEntry("waiting", 6L)
          .containsEntry("unaccounted", 0L);

      ledger.entry(LedgerEntry.ofIn(2)).entry(LedgerEntry.ofStored(1, 0)).snapshot();
      ledger.complete();

      assertThat(ledger.reported("unaccounted")).isEqualTo(1);
    }
    try (LedgerHarness ledger = new LedgerHarness(aligned)) {
      ledger.entry(LedgerEntry.ofWaiting(6)).snapshot();
      ledger.complete();

      assertThat(ledger.reported()).containsEntry("in", 11L).containsEntry("unaccounted", 0L);
    }
  }

  /** Flink does not tell a task without state from which checkpoint it resumes. */
  @Test
  void theEntryOfASinkWhoseInputEndsBeforeTheFirstBarrierAfterARestoreCounts() throws Exception {
    OperatorSubtaskState state;
    try (LedgerHarness ledger = new LedgerHarness(null)) {
      state = ledger.entry(LedgerEntry.ofIn(2)).entry(LedgerEntry.ofStored(2, 0)).snapshot();
    }
    try (LedgerHarness ledger = new LedgerHarness(state)) {
      ledger.entryOf(LedgerEntry.END, LedgerEntry.ofIn(3));
      ledger.entryOf(1, LedgerEntry.ofStored(3, 0));
      ledger.snapshot();
      ledger.complete();

      assertThat(ledger.reported()).containsEntry("in", 5L).containsEntry("unaccounted", 0L);
    }
  }

  @Test
  void afterAnAbortedFirstCheckpointItHasBegunAllTheSame() throws Exception {
    OperatorSubtaskState unaligned;
    try (LedgerHarness ledger = new LedgerHarness(null, true)) {
      unaligned = ledger.snapshot();
    }
    try (LedgerHarness ledger = new LedgerHarness(unaligned)) {
      ledger.entry(LedgerEntry.ofStored(5, 0)).snapshot();
      ledger.abort();
      ledger.entry(LedgerEntry.ofIn(2)).entry(LedgerEntry.ofStored(1, 0)).snapshot();
      ledger.complete();

      assertThat(ledger.reported()).containsEntry("in", 7L).containsEntry("unaccounted", 1L);
    }
  }

  @Test
  void anEntryOfASinkIsReadAsItWasWritten() throws Exception {
    var serializer = new LedgerEntrySerializer.OfSink();

    assertThat(serializer.deserialize(serializer.getVersion(), serializer.serialize(SOME)))
        .isEqualTo(SOME);
  }
}
