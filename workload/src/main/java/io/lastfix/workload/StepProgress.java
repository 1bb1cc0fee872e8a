package io.lastfix.workload;

/** Receives the progress of a long operation; shows nothing by itself. */
public interface StepProgress extends AutoCloseable {
  /** Begins a step of N pieces; -1 if N is unknown. */
  default void begin(String step, long expected) {}

  /** Another piece of the step is done. */
  default void step() {
    step(1);
  }

  /** That number of further pieces is done. */
  default void step(long count) {}

  @Override
  default void close() {}

  /** Shows nothing. */
  static StepProgress silent() {
    return new StepProgress() {};
  }
}
