package io.lastfix.analytics.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.serialization.TestBytes;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.WindowState;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommittedResultsOperatorTest {
  private static final TypeInformation<DensityCount> TYPE = Types.POJO(DensityCount.class);
  private static final DensityCount A1 = count("a", 1);
  private static final DensityCount A2 = count("a", 2);
  private static final DensityCount B1 = count("b", 1);
  private static final DensityCount NO_A =
      new DensityCount(0, PlaceKind.CELL, "a", 0, WindowState.DELETED);

  @AutoClose private OneInputStreamOperatorTestHarness<DensityCount, DensityCount> harness;

  private static DensityCount count(String place, int devices) {
    return new DensityCount(0, PlaceKind.CELL, place, devices, WindowState.OPEN);
  }

  @BeforeEach
  void start() throws Exception {
    harness = operator();
    harness.open();
  }

  private static OneInputStreamOperatorTestHarness<DensityCount, DensityCount> operator()
      throws Exception {
    OneInputStreamOperatorTestHarness<DensityCount, DensityCount> operator =
        new OneInputStreamOperatorTestHarness<>(new CommittedResultsOperator<>(TYPE));
    operator.setup(TestBytes.serializer(TYPE));
    return operator;
  }

  private List<DensityCount> forwarded() {
    List<DensityCount> found = List.copyOf(harness.extractOutputValues());
    harness.getOutput().clear();
    return found;
  }

  private void restore(OperatorSubtaskState checkpoint) throws Exception {
    harness.close();
    harness = operator();
    harness.initializeState(checkpoint);
    harness.open();
  }

  @Test
  void aResultWaitsForTheCheckpointThatContainsIt() throws Exception {
    harness.processElement(A1, 0);
    assertThat(forwarded()).isEmpty();
    harness.snapshot(1, 1);
    harness.processElement(B1, 0);
    assertThat(forwarded()).isEmpty();

    harness.notifyOfCompletedCheckpoint(1);
    assertThat(forwarded()).containsExactly(A1);

    harness.snapshot(2, 2);
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(forwarded()).containsExactly(B1);
  }

  @Test
  void theLastOfOneDocumentIsForwardedAlone() throws Exception {
    harness.processElement(A1, 0);
    harness.processElement(B1, 0);
    harness.processElement(A2, 0);
    harness.snapshot(1, 1);
    // Not reported: it failed, or the report was lost.
    harness.processElement(NO_A, 0);
    harness.snapshot(2, 2);
    harness.notifyOfCompletedCheckpoint(2);

    assertThat(forwarded()).containsExactlyInAnyOrder(NO_A, B1);
  }

  /** The restored attempt need not come to the same result again, and would not delete it. */
  @Test
  void whatAnAttemptComputedSinceItsLastCheckpointIsNeverForwarded() throws Exception {
    OperatorSubtaskState checkpoint = harness.snapshot(1, 1);
    harness.processElement(A1, 0);

    restore(checkpoint);
    harness.processElement(B1, 0);
    harness.snapshot(2, 2);
    harness.notifyOfCompletedCheckpoint(2);

    assertThat(forwarded()).containsExactly(B1);
  }

  @Test
  void afterARestoreTheCheckpointsResultsAreForwardedFirst() throws Exception {
    harness.processElement(A1, 0);
    OperatorSubtaskState checkpoint = harness.snapshot(1, 1);

    restore(checkpoint);
    assertThat(forwarded()).containsExactly(A1);

    harness.processElement(NO_A, 0);
    harness.snapshot(2, 2);
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(forwarded()).containsExactly(NO_A);
  }

  /** The sink flushes before a checkpoint, so what was forwarded before it is stored. */
  @Test
  void aCheckpointHoldsNothingThatWasForwardedBefore() throws Exception {
    harness.processElement(A1, 0);
    harness.snapshot(1, 1);
    harness.notifyOfCompletedCheckpoint(1);
    OperatorSubtaskState checkpoint = harness.snapshot(2, 2);

    restore(checkpoint);

    assertThat(forwarded()).isEmpty();
  }

  @Test
  void atTheEndAllIsForwarded() throws Exception {
    harness.processElement(A1, 0);
    harness.snapshot(1, 1);
    harness.processElement(NO_A, 0);
    harness.endInput();

    assertThat(forwarded()).containsExactly(NO_A);
  }
}
