package io.lastfix.cluster.submission;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Numbers of a job from before and after an upgrade. Their comparison shows whether records were
 * lost. The former ones are stored with the upgrade, because another process may finish it.
 */
public interface UpgradeAccount {
  /**
   * Reads what the job has counted, right before it is stopped.
   *
   * @return numbers by name; none if the job counts nothing
   */
  Map<String, Long> ofRunning(String jobId) throws IOException, InterruptedException;

  /** Counts what has to be counted after the job has ended; other names. */
  Map<String, Long> ofStopped() throws IOException;

  /**
   * Returns whether the new job has read messages since the stop, or there are none to read.
   *
   * @param before all numbers from before the new job started
   */
  boolean hasProgress(Map<String, Long> before) throws IOException;

  /**
   * Compares, once the new job has completed a checkpoint.
   *
   * @param before all numbers from before the new job started
   */
  Comparison compare(Map<String, Long> before, String jobId)
      throws IOException, InterruptedException;

  /**
   * The result.
   *
   * @param isBalanced whether everything that can be compared of such a job was compared, and
   *     nothing is missing
   * @param lines for the user
   */
  record Comparison(boolean isBalanced, List<String> lines) {}
}
