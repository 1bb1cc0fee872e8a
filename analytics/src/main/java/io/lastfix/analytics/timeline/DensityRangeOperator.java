package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.WindowState;
import java.util.Objects;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the density of a range of windows, with an anchor at its begin. There is a result only
 * if the number changes. So a number that does not change at the begin would have to be looked up
 * before the range, where another job has stored other numbers. The anchor repeats it in the first
 * window, unless that window has a result of its own, or the place is empty.
 *
 * <p>For batch mode: the results must come place by place, and those of one place in the order of
 * their windows, as {@link DensityFunction} puts them out in batch mode. It has no state.
 */
public final class DensityRangeOperator extends AbstractStreamOperator<DensityCount>
    implements OneInputStreamOperator<DensityCount, DensityCount>, BoundedOneInput {
  private final long fromMillis;
  private final long toMillis;

  /** The last result before the range, of the place whose results are coming. */
  private transient @Nullable DensityCount before;

  /**
   * @param fromMillis start of the first window, in milliseconds since 1970
   * @param toMillis start of the first window after the range
   */
  public DensityRangeOperator(long fromMillis, long toMillis) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  @Override
  public void processElement(StreamRecord<DensityCount> element) {
    DensityCount result = element.getValue();
    if (before != null && !isOfOnePlace(before, result)) {
      forwardAnchor();
    }
    if (result.windowMillis() < fromMillis) {
      before = result;
      return;
    }
    if (result.windowMillis() == fromMillis) {
      before = null;
    }
    forwardAnchor();
    if (result.windowMillis() < toMillis) {
      output.collect(element);
    }
  }

  @Override
  public void endInput() {
    forwardAnchor();
  }

  private void forwardAnchor() {
    DensityCount last = before;
    before = null;
    if (last == null
        || last.devices() == 0
        || last.state() == WindowState.DELETED
        || fromMillis >= toMillis) {
      return;
    }
    output.collect(
        new StreamRecord<>(
            new DensityCount(fromMillis, last.by(), last.place(), last.devices(), last.state())));
  }

  private static boolean isOfOnePlace(DensityCount one, DensityCount other) {
    return one.by() == other.by() && Objects.equals(one.place(), other.place());
  }
}
