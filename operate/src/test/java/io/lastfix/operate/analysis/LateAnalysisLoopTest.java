package io.lastfix.operate.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateAnalysisLoopTest {
  private static final LateAnalysis.Result NOTHING = new LateAnalysis.Result(0, 0, 0, 0);

  private final Deque<LateAnalysisLoop.Attempt> attempts = new ArrayDeque<>();
  private final List<String> events = new ArrayList<>();
  private final LateAnalysisLoop loop =
      new LateAnalysisLoop(() -> attempts.remove().run(), events::add);

  private void fails(String message) {
    attempts.add(
        () -> {
          throw new IOException(message);
        });
  }

  @Test
  void aLineSaysWhatWasAddedAndNoneThatThereWasNothing() throws Exception {
    attempts.add(() -> NOTHING);
    attempts.add(() -> new LateAnalysis.Result(2, 199_288, 1_268, 0));

    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.SHORTEST_PAUSE);
    assertThat(events).isEmpty();
    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.SHORTEST_PAUSE);
    assertThat(events)
        .containsExactly(
            "Added up to 1,268 records that came too late, from 199,288 records of History");
  }

  /** It was told when they were added. */
  @Test
  void aSecondAnalysisOfTheSameRecordsIsSilent() throws Exception {
    attempts.add(() -> new LateAnalysis.Result(1, 199_288, 0, 0));

    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.SHORTEST_PAUSE);
    assertThat(events).isEmpty();
  }

  @Test
  void aFailureIsToldOnceAndTriedAgain() throws Exception {
    fails("no slot");
    fails("no slot");
    attempts.add(() -> NOTHING);
    fails("no slot");

    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.PAUSE_AFTER_FAILURE);
    assertThat(events)
        .containsExactly("late records are not added: no slot; trying again in 10 min");
    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.PAUSE_AFTER_FAILURE);
    assertThat(events).hasSize(1);
    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.SHORTEST_PAUSE);
    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.PAUSE_AFTER_FAILURE);
    assertThat(events).as("after a time that went well").hasSize(2);
  }

  @Test
  void anUnexpectedFailureDoesNotEndIt() throws Exception {
    attempts.add(
        () -> {
          throw new IllegalStateException("broken");
        });

    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.PAUSE_AFTER_FAILURE);
    assertThat(events).singleElement().asString().contains("broken");
  }

  @Test
  void aMissingClassDoesNotEndIt() throws Exception {
    attempts.add(
        () -> {
          throw new NoClassDefFoundError("io/lastfix/Replaced");
        });

    assertThat(loop.once()).isEqualTo(LateAnalysisLoop.PAUSE_AFTER_FAILURE);
    assertThat(events).singleElement().asString().contains("io/lastfix/Replaced");
  }

  @Test
  void aStopIsNoFailure() {
    attempts.add(
        () -> {
          Thread.currentThread().interrupt();
          throw new IOException("Interrupted while Flink collected metrics");
        });

    assertThatThrownBy(loop::once).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).as("cleared for what follows").isTrue();
    assertThat(events).isEmpty();
  }

  @Test
  void theLineSaysWhatStillWaits() {
    assertThat(new LateAnalysis.Result(0, 0, 0, 12).text())
        .isEqualTo(
            "No late records to add; up to 12 wait, because the stream still rewrites the numbers"
                + " of their hours, or they are too new");
  }
}
