package io.lastfix.workload;

/** Shows the progress of a push; by itself, shows nothing. */
public interface PushProgress extends AutoCloseable {
  /** Adds sent records, or messages if their records are unknown. */
  default void step(long count) {}

  @Override
  default void close() {}

  /** Shows nothing. */
  static PushProgress silent() {
    return new PushProgress() {};
  }
}
