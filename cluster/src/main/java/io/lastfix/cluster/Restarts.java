package io.lastfix.cluster;

import java.util.List;
import java.util.Map;

/**
 * What became of the stack's processes that had ended.
 *
 * @param started those that run again
 * @param failures why others could not be started as before, in words for the user, by the name of
 *     the process
 * @param allRan whether none had ended
 */
public record Restarts(List<Restart> started, Map<String, String> failures, boolean allRan) {

  /**
   * One process that runs again.
   *
   * @param name of the process
   * @param pid the new process's id
   * @param ending the last line of the former one's log, or why it was stopped, in words that
   *     continue a sentence; empty if there is none
   */
  public record Restart(String name, long pid, String ending) {}
}
