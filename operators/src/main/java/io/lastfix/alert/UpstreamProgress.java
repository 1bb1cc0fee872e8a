package io.lastfix.alert;

import java.io.Serializable;

/**
 * Up to when all that devices have sent has come to this job. It lags behind the clock, and stands
 * still while a job does that this one depends on.
 *
 * <p>For any thread.
 */
public interface UpstreamProgress extends AutoCloseable {
  /** Opens it in a subtask; travels with the job. */
  interface Opener extends Serializable {
    /** Opens it; does not wait. */
    UpstreamProgress open();
  }

  /** Returns that instant, in epoch milliseconds; does not wait. */
  long untilMillis();

  @Override
  void close();
}
