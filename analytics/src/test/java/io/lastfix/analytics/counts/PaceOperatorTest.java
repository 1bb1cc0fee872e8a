package io.lastfix.analytics.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.serialization.TestBytes;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.counts.WindowCount.State;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaceOperatorTest {
  @AutoClose private OneInputStreamOperatorTestHarness<WindowCount, WindowCount> harness;

  @BeforeEach
  void start() throws Exception {
    harness = new OneInputStreamOperatorTestHarness<>(new PaceOperator());
    harness.setup(TestBytes.serializer(Types.POJO(WindowCount.class)));
    harness.open();
    harness.setProcessingTime(1_000);
  }

  private static WindowCount count(int group, long n, State state) {
    return new WindowCount(0, CountBy.CELL, "cell" + group, n, state, n - 1);
  }

  private void process(WindowCount... counts) throws Exception {
    for (WindowCount count : counts) {
      harness.processElement(count, count.windowMillis());
    }
  }

  private List<WindowCount> forwarded() {
    List<WindowCount> found = List.copyOf(harness.extractOutputValues());
    harness.getOutput().clear();
    return found;
  }

  private void pass(long millis) throws Exception {
    harness.setProcessingTime(harness.getProcessingTime() + millis);
  }

  /** Lets one group's number go, and begins the pause of a number of groups. */
  private void begin(int groups) throws Exception {
    process(
        IntStream.range(0, groups)
            .mapToObj(group -> count(group, 1, State.OPEN))
            .toArray(WindowCount[]::new));
    pass(1);
    assertThat(forwarded()).hasSize(groups);
  }

  @Test
  void anOpenNumberOfAQuietStreamIsForwardedAtOnce() throws Exception {
    begin(1);
    pass(1_000);

    process(count(0, 2, State.OPEN));
    pass(1);

    assertThat(forwarded()).containsExactly(count(0, 2, State.OPEN));
  }

  @Test
  void ofTheOpenNumbersOfAPauseTheNewestIsForwarded() throws Exception {
    begin(300);

    process(count(0, 2, State.OPEN));
    pass(300);
    process(count(0, 3, State.OPEN), count(1, 2, State.OPEN));
    pass(298);
    assertThat(forwarded()).isEmpty();
    pass(2);

    assertThat(forwarded()).containsExactly(count(0, 3, State.OPEN), count(1, 2, State.OPEN));
  }

  @Test
  void aPauseIsNotLongerThanAWindow() throws Exception {
    begin(20_000);
    process(count(0, 2, State.OPEN));

    pass(WindowCount.WINDOW_MILLIS);

    assertThat(forwarded()).containsExactly(count(0, 2, State.OPEN));
  }

  @Test
  void aClosedNumberIsForwardedAtOnceInsteadOfItsOpenOne() throws Exception {
    begin(300);
    process(count(0, 2, State.OPEN), count(0, 2, State.CLOSED));

    assertThat(forwarded()).containsExactly(count(0, 2, State.CLOSED));
    pass(WindowCount.WINDOW_MILLIS);
    assertThat(forwarded()).isEmpty();
  }

  @Test
  void nothingIsHeldWhenACheckpointIsTakenNorAtTheEnd() throws Exception {
    begin(300);
    process(count(0, 2, State.OPEN));
    harness.prepareSnapshotPreBarrier(1);
    assertThat(forwarded()).containsExactly(count(0, 2, State.OPEN));

    process(count(0, 3, State.OPEN));
    harness.endInput();
    assertThat(forwarded()).containsExactly(count(0, 3, State.OPEN));
  }

  @Test
  void aCheckpointBeginsAPauseOfItsOwn() throws Exception {
    begin(300);
    for (int group = 0; group < 200; group++) {
      process(count(group, 2, State.OPEN));
    }
    pass(500);
    harness.prepareSnapshotPreBarrier(1);
    assertThat(forwarded()).hasSize(200);

    process(count(0, 3, State.OPEN));
    pass(300);
    assertThat(forwarded()).as("600 ms after the first ones").isEmpty();
    pass(100);
    assertThat(forwarded()).containsExactly(count(0, 3, State.OPEN));
  }

  @Test
  void aBoundedNumberOfGroupsIsHeld() throws Exception {
    begin(300);
    for (int group = 0; group < PaceOperator.MOST_HELD; group++) {
      process(count(group, 2, State.OPEN));
    }

    assertThat(forwarded()).hasSize(PaceOperator.MOST_HELD);
  }
}
