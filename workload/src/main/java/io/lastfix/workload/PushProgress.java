package io.lastfix.workload;

/** Shows the progress of a push. */
public interface PushProgress extends AutoCloseable {
  /** Adds sent records, or messages if their records are unknown. */
  void step(long count);

  @Override
  void close();

  /** Shows nothing. */
  static PushProgress silent() {
    return new PushProgress() {
      @Override
      public void step(long count) {
        // no output
      }

      @Override
      public void close() {
        // nothing to close
      }
    };
  }
}
