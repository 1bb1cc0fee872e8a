package io.lastfix.stack;

import java.time.Duration;

/**
 * What stack to run.
 *
 * @param home where it keeps its files
 * @param external servers of the user's own, which are not started
 * @param mongo what MongoDB consists of
 * @param taskManagers 1 or more
 * @param slots of each TaskManager, 1 or more
 * @param readyLimit how long each server may take to be ready, at least a second
 */
public record StackOptions(
    StackHome home,
    EndpointOverrides external,
    MongoShape mongo,
    int taskManagers,
    int slots,
    Duration readyLimit) {
  /** Checks the ranges. */
  public StackOptions {
    if (taskManagers < 1) {
      throw new IllegalArgumentException("TaskManagers must be 1 or more, not " + taskManagers);
    }
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be 1 or more, not " + slots);
    }
    if (readyLimit.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("the time limit must be 1 s or more, not " + readyLimit);
    }
  }

  /**
   * As many of each server as the stack in that home last had, so that nothing of it is stopped
   * unasked.
   */
  public static StackOptions likeLastTime(StackHome home) {
    StackOptions defaults = defaults(home);
    StackState state = StackState.read(home).orElse(StackState.empty());
    return new StackOptions(
        home,
        defaults.external(),
        MongoShape.likeLastTime(state),
        Math.max(defaults.taskManagers(), state.processesOf(FlinkCluster.TASK_MANAGER)),
        defaults.slots(),
        defaults.readyLimit());
  }

  /** One of each server, four slots, a minute for each to be ready. */
  public static StackOptions defaults(StackHome home) {
    return new StackOptions(
        home, EndpointOverrides.none(), MongoShape.replicaSet(1), 1, 4, Duration.ofSeconds(60));
  }
}
