package io.lastfix.cluster;

import java.util.function.Predicate;

/** The servers that are kept running beside a job. */
public interface SupervisedServers {
  /**
   * Starts processes again that have ended, and waits for none.
   *
   * @param mayStart decides for the name of each ended process
   * @throws StackException if no process can be started
   */
  Restarts restartEnded(Predicate<String> mayStart);

  /** Returns whether a user has taken the servers down, so that there is nothing to keep. */
  boolean areTakenDown();
}
