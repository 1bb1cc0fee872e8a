package io.lastfix.store.query.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.counts.WindowCount.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangedCountsTest {
  private final ChangedCounts changed = new ChangedCounts();

  private static WindowCount count(long window, String key, long n, State state, long rev) {
    return new WindowCount(window, CountBy.CELL, key, n, state, rev);
  }

  @Test
  void theFirstReadingIsAllNew() {
    List<WindowCount> read =
        List.of(count(0, "a", 1, State.OPEN, 0), count(0, "b", 1, State.OPEN, 0));

    assertThat(changed.of(read, 0)).isEqualTo(read);
    assertThat(changed.of(read, 0)).isEmpty();
  }

  @Test
  void anotherNumberAndAnotherStateAreChangesAndARevisionIsNone() {
    var unused = changed.of(List.of(count(0, "a", 1, State.OPEN, 0)), 0);

    assertThat(changed.of(List.of(count(0, "a", 2, State.OPEN, 1)), 0)).hasSize(1);
    assertThat(changed.of(List.of(count(0, "a", 2, State.CLOSED, 2)), 0)).hasSize(1);
    assertThat(changed.of(List.of(count(0, "a", 2, State.CLOSED, 3)), 0)).isEmpty();
  }

  @Test
  void windowsBeforeTheRangeAreForgotten() {
    var unused = changed.of(List.of(count(0, "a", 1, State.CLOSED, 0)), 0);

    assertThat(changed.of(List.of(), 10_000)).isEmpty();
    assertThat(changed.of(List.of(count(0, "a", 1, State.CLOSED, 0)), 0)).hasSize(1);
  }
}
