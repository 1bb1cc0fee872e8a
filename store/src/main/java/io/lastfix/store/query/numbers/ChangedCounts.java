package io.lastfix.store.query.numbers;

import io.lastfix.store.counts.WindowCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds what is new or has changed from one reading of counts to the next. */
public final class ChangedCounts {
  private final Map<WindowCount.Id, WindowCount> known = new HashMap<>();

  /**
   * Returns the counts that were not in the last readings, or had another number or state. Forgets
   * windows before the first one of this reading's range.
   */
  public List<WindowCount> of(List<WindowCount> read, long firstWindowMillis) {
    known.keySet().removeIf(id -> id.windowMillis() < firstWindowMillis);
    List<WindowCount> changed = new ArrayList<>();
    for (WindowCount count : read) {
      WindowCount before = known.put(count.id(), count);
      if (before == null || before.n() != count.n() || before.state() != count.state()) {
        changed.add(count);
      }
    }
    return changed;
  }
}
