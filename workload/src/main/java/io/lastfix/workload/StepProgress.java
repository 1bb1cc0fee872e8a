package io.lastfix.workload;

/** Told how far an import has come. */
public interface StepProgress extends AutoCloseable {
  /** Begins a step of so many pieces; -1 if that is not known. */
  void begin(String step, long expected);

  /** One piece more of the step is done. */
  void step();

  @Override
  void close();

  /** Shows nothing. */
  static StepProgress silent() {
    return new StepProgress() {
      @Override
      public void begin(String step, long expected) {
        // Nothing to show it on.
      }

      @Override
      public void step() {
        // Nothing to show it on.
      }

      @Override
      public void close() {
        // Nothing was opened.
      }
    };
  }
}
