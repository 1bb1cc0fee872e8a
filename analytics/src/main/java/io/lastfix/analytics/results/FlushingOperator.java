package io.lastfix.analytics.results;

import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;

/**
 * Holds results back, and forwards all of them before each checkpoint and at the end. So it has no
 * state.
 *
 * @param <I> what it takes in
 * @param <O> the results
 */
public abstract class FlushingOperator<I, O> extends AbstractStreamOperator<O>
    implements OneInputStreamOperator<I, O>, BoundedOneInput {
  /** Is chained to the operators before and after it. */
  protected FlushingOperator() {
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  /** Forwards all that is held. */
  protected abstract void flush();

  @Override
  public final void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
  }

  @Override
  public final void endInput() {
    flush();
  }
}
