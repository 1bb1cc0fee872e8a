package io.lastfix.locate;

import io.lastfix.model.CellEntry;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;

/**
 * The known cells of the current key in keyed state, and the timers that expire removals. The state
 * keeps a removal for {@link #REMOVAL_KEPT}, the topic's default retention of removals. It
 * therefore holds no more removals than were published in that time, each of some 20 bytes and a
 * timer.
 */
final class KnownCellsState implements Triggerable<Long, VoidNamespace> {
  /** Savepoints contain this name of the timer service: do not change it. */
  static final String TIMERS = "removed-cells";

  static final Duration REMOVAL_KEPT = Duration.ofDays(30);

  private final ValueState<KnownCells> state;
  private final InternalTimerService<VoidNamespace> timers;

  /** Returns the operator's timer service with that name and trigger. */
  interface Timers {
    InternalTimerService<VoidNamespace> of(String name, Triggerable<Long, VoidNamespace> triggered);
  }

  KnownCellsState(ValueState<KnownCells> state, Timers timers) {
    this.state = state;
    this.timers = timers.of(TIMERS, this);
  }

  KnownCells get() throws IOException {
    KnownCells known = state.value();
    return known == null ? KnownCells.NONE : known;
  }

  /** Adds an entry. Returns true if the towers of the key have changed. */
  boolean add(CellEntry entry) throws IOException {
    KnownCells before = get();
    long nowMillis = timers.currentProcessingTime();
    KnownCells after = before.with(entry, nowMillis);
    if (after.equals(before)) {
      return false;
    }
    state.update(after);
    if (entry.towers().isEmpty()) {
      timers.registerProcessingTimeTimer(
          VoidNamespace.INSTANCE, nowMillis + REMOVAL_KEPT.toMillis());
    }
    return !after.towers().equals(before.towers());
  }

  /**
   * Removes the cells of the current key and keeps the removals: an older entry in another
   * partition must not bring a removed cell back.
   *
   * @return number of areas that had a tower
   */
  static int dropCells(ValueState<KnownCells> ofKey) throws IOException {
    KnownCells known = ofKey.value();
    KnownCells removals = known.removals();
    if (removals.isEmpty()) {
      ofKey.clear();
    } else {
      ofKey.update(removals);
    }
    return known.areas().size() - removals.areas().size();
  }

  /** Discards the removals that have reached {@link #REMOVAL_KEPT}. */
  @Override
  public void onProcessingTime(InternalTimer<Long, VoidNamespace> timer) throws IOException {
    KnownCells known =
        get().withoutRemovalsBefore(timer.getTimestamp() - REMOVAL_KEPT.toMillis() + 1);
    if (known.isEmpty()) {
      state.clear();
    } else {
      state.update(known);
    }
  }

  @Override
  public void onEventTime(InternalTimer<Long, VoidNamespace> timer) {
    throw new IllegalStateException("Expected no event-time timer: none is ever set");
  }
}
