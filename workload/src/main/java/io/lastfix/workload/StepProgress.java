package io.lastfix.workload;

/** Receives the progress of an import. */
public interface StepProgress extends AutoCloseable {
  /** Begins a step of N pieces; -1 if N is unknown. */
  void begin(String step, long expected);

  /** Another piece of the step is done. */
  void step();

  @Override
  void close();

  /** Shows nothing. */
  static StepProgress silent() {
    return new StepProgress() {
      @Override
      public void begin(String step, long expected) {
        // No output.
      }

      @Override
      public void step() {
        // No output.
      }

      @Override
      public void close() {
        // Nothing to close.
      }
    };
  }
}
