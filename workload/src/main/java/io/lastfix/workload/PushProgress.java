package io.lastfix.workload;

/** Shows how far a push has come. */
public interface PushProgress extends AutoCloseable {
  /** Adds what was sent: records, or messages if their records are not known. */
  void step(long count);

  @Override
  void close();

  /** Shows nothing. */
  static PushProgress silent() {
    return new PushProgress() {
      @Override
      public void step(long count) {
        // nothing to show it on
      }

      @Override
      public void close() {
        // nothing was opened
      }
    };
  }
}
