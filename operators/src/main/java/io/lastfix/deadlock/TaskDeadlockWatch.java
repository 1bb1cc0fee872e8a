package io.lastfix.deadlock;

import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports tasks that are deadlocked with each other, as a fatal error of their TaskManager.
 *
 * <p>If a TaskManager is lost, all tasks of another one fail with the same exception object. Flink
 * 1.20 can deadlock while two of them serialize it (FLINK-36746). Flink's own watchdog observes
 * only tasks that are being cancelled. Tasks that have failed by themselves would keep their slots
 * until a person restarts the process, and the job would wait for these slots.
 *
 * <p>Nothing can end a deadlock on monitors but the end of the process. The watch requires the same
 * threads at two looks in a row nevertheless: a deadlock on other locks may be interrupted.
 */
final class TaskDeadlockWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskDeadlockWatch.class);

  /** Its name is on the stack of every thread that runs a task. */
  static final String TASK_CLASS = "org.apache.flink.runtime.taskmanager.Task";

  /** Ends the TaskManager; the arguments are a message and the cause. */
  @FunctionalInterface
  interface FatalErrorHandler {
    void notifyFatalError(String message, Throwable cause);
  }

  /**
   * When the watch looks.
   *
   * @param interval time between two looks, at least 1 ms
   * @param afterEnd how long it continues after its task's end: the other tasks of the failed job
   *     may end later
   */
  record Timing(Duration interval, Duration afterEnd) {
    /** No call on a task's thread takes longer than {@code mongo.timeout}, by default 30 s. */
    static final Timing DEFAULT = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(30));
  }

  private final Thread task;
  private final ThreadMXBean threads;
  private final Timing timing;
  private final FatalErrorHandler handler;

  private TaskDeadlockWatch(
      Thread task, ThreadMXBean threads, Timing timing, FatalErrorHandler handler) {
    this.task = task;
    this.threads = threads;
    this.timing = timing;
    this.handler = handler;
  }

  /**
   * Starts a watch on a thread of its own, which ends after the task.
   *
   * @param task thread of the task whose lifetime decides
   */
  static Thread start(Thread task, ThreadMXBean threads, Timing timing, FatalErrorHandler handler) {
    Thread watch =
        new Thread(
            new TaskDeadlockWatch(task, threads, timing, handler),
            "lastfix-deadlock-watch of " + task.getName());
    watch.setDaemon(true);
    watch.start();
    return watch;
  }

  @Override
  public void run() {
    try {
      Set<Long> before = Set.of();
      long looksAfterEnd = timing.afterEnd().dividedBy(timing.interval());
      while (looksAfterEnd > 0) {
        if (task.isAlive()) {
          task.join(timing.interval().toMillis());
        } else {
          Thread.sleep(timing.interval().toMillis());
          looksAfterEnd--;
        }
        Set<Long> deadlocked = deadlockedTasks();
        if (!deadlocked.isEmpty() && deadlocked.equals(before)) {
          report(deadlocked);
          return;
        }
        before = deadlocked;
      }
    } catch (InterruptedException e) {
      // Nothing interrupts this thread but the end of its process.
      LOG.debug("The watch for deadlocks was interrupted", e);
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the ids of all deadlocked threads if at least one of them runs a task. */
  private Set<Long> deadlockedTasks() {
    long[] ids = threads.findDeadlockedThreads();
    if (ids == null
        || Arrays.stream(threads.getThreadInfo(ids, Integer.MAX_VALUE))
            .noneMatch(TaskDeadlockWatch::runsTask)) {
      return Set.of();
    }
    return Arrays.stream(ids).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  /** The info is null if the thread has ended meanwhile. */
  private static boolean runsTask(ThreadInfo info) {
    return info != null
        && Arrays.stream(info.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(TASK_CLASS));
  }

  private void report(Set<Long> ids) {
    String description =
        Arrays.stream(
                threads.getThreadInfo(
                    ids.stream().mapToLong(Long::longValue).toArray(), true, true))
            .filter(Objects::nonNull)
            .map(ThreadInfo::toString)
            .collect(Collectors.joining());
    LOG.error("Tasks of this TaskManager are deadlocked:\n{}", description);
    handler.notifyFatalError(
        "%d threads of this TaskManager are deadlocked, tasks among them. They would keep their"
                .formatted(ids.size())
            + " slots forever, so the TaskManager ends. Its supervisor (Kubernetes, systemd) starts"
            + " it again, and the jobs resume from their last checkpoints",
        new IllegalStateException("Deadlocked tasks; the log has their stack traces"));
  }
}
