package io.lastfix.deadlock;

import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.flink.util.UserCodeClassLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Needed up to Flink 1.20.5; ends with the first Flink that closes FLINK-36746.
 *
 * <p>Reports tasks that are deadlocked with each other, as a fatal error of their TaskManager.
 *
 * <p>If a TaskManager is lost, all tasks of another one fail with the same exception object. Flink
 * 1.20 can deadlock on that exception's monitors while two of them serialize it (FLINK-36746).
 * Flink's own watchdog observes only tasks that are being cancelled. Tasks that have failed by
 * themselves would keep their slots until a person restarts the process, and the job would wait for
 * these slots.
 *
 * <p>No other deadlock is reported, because the TaskManager may run other jobs, whose tasks end
 * with it. Only the end of the process can resolve a deadlock on monitors; other locks may be
 * interruptible or have a time limit. The decision needs the same threads at two inspections.
 */
final class TaskDeadlockWatcher implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskDeadlockWatcher.class);
  private static final String HOOK = "lastfix-deadlock-watcher";

  /** The time between two inspections. */
  static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Its name is on the stack of every thread that runs a task. */
  static final String TASK_CLASS = "org.apache.flink.runtime.taskmanager.Task";

  /** Its method that reports a task's end, with the exception, to the JobManager. */
  static final String FINAL_STATE_METHOD = "notifyFinalState";

  /** What Flink makes of an exception that it sends. */
  static final String SERIALIZED_CLASS = "org.apache.flink.util.SerializedThrowable";

  /**
   * The watchers of this TaskManager's jobs. A job's class loader has classes of its own, or shares
   * them with other jobs if they are in Flink's {@code lib}. Its release removes the entry.
   */
  private static final Map<UserCodeClassLoader, Thread> WATCHERS = new ConcurrentHashMap<>();

  /** Ends the TaskManager; the arguments are a message and the cause. */
  @FunctionalInterface
  interface FatalErrorHandler {
    void notifyFatalError(String message, Throwable cause);
  }

  private final ThreadMXBean threads;
  private final Duration interval;
  private final FatalErrorHandler handler;
  private boolean hasFailed;

  private TaskDeadlockWatcher(ThreadMXBean threads, Duration interval, FatalErrorHandler handler) {
    this.threads = threads;
    this.interval = interval;
    this.handler = handler;
  }

  /**
   * Watches on a thread of its own, once for each job on a TaskManager, until the job's last task
   * there has left its slot. Deadlocked tasks never do.
   *
   * @param interval time between two inspections, at least 1 ms
   * @return the thread
   */
  static Thread watch(
      UserCodeClassLoader job, ThreadMXBean threads, Duration interval, FatalErrorHandler handler) {
    return WATCHERS.computeIfAbsent(
        job,
        absent -> {
          Thread watcher =
              new Thread(
                  new TaskDeadlockWatcher(threads, interval, handler), "lastfix-deadlock-watcher");
          watcher.setDaemon(true);
          job.registerReleaseHookIfAbsent(HOOK, () -> end(job));
          watcher.start();
          return watcher;
        });
  }

  private static void end(UserCodeClassLoader job) {
    Thread watcher = WATCHERS.remove(job);
    if (watcher != null) {
      watcher.interrupt();
    }
  }

  @Override
  public void run() {
    Set<Long> before = Set.of();
    while (true) {
      try {
        Thread.sleep(interval.toMillis());
        Set<Long> now = deadlockedTasks();
        if (now.stream().anyMatch(before::contains)) {
          report();
          return;
        }
        before = now;
      } catch (InterruptedException e) {
        // The job has left the TaskManager.
        Thread.currentThread().interrupt();
        return;
      } catch (Throwable e) {
        warnOnce(e);
      }
    }
  }

  /** The next inspection may succeed, for instance after an {@code OutOfMemoryError}. */
  private void warnOnce(Throwable e) {
    if (hasFailed) {
      return;
    }
    hasFailed = true;
    try {
      LOG.warn("An inspection for deadlocked tasks failed; the next ones continue", e);
    } catch (Throwable unlogged) {
      e.addSuppressed(unlogged);
    }
  }

  /** Returns the ids of the threads that wait in FLINK-36746. */
  private Set<Long> deadlockedTasks() {
    long[] ids = threads.findMonitorDeadlockedThreads();
    if (ids == null) {
      return Set.of();
    }
    return Arrays.stream(threads.getThreadInfo(ids, Integer.MAX_VALUE))
        // The thread may have ended meanwhile.
        .filter(Objects::nonNull)
        .filter(info -> isFailureOfTask(info.getStackTrace()))
        .map(ThreadInfo::getThreadId)
        .collect(Collectors.toSet());
  }

  /** Whether a task is being serialized, or read, the exception by which it or another failed. */
  private static boolean isFailureOfTask(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(TASK_CLASS))
        && Arrays.stream(stack).anyMatch(TaskDeadlockWatcher::handlesException);
  }

  private static boolean handlesException(StackTraceElement frame) {
    return frame.getClassName().equals(SERIALIZED_CLASS)
        || is(frame, TASK_CLASS, FINAL_STATE_METHOD)
        || is(frame, Throwable.class.getName(), "getCause");
  }

  private static boolean is(StackTraceElement frame, String className, String method) {
    return frame.getClassName().equals(className) && frame.getMethodName().equals(method);
  }

  private void report() {
    try {
      LOG.error("Tasks of this TaskManager are deadlocked (FLINK-36746):\n{}", describe());
    } finally {
      handler.notifyFatalError(
          "Tasks of this TaskManager are deadlocked (FLINK-36746). They would keep their slots"
              + " forever, so the TaskManager ends. Kubernetes or systemd starts it again; if"
              + " nothing supervises it, start it: bin/taskmanager.sh start, or lastfix up on the"
              + " local stack. The jobs then resume from their last checkpoints",
          new IllegalStateException("Deadlocked tasks"));
    }
  }

  /** All threads that are deadlocked, with whole stacks, which {@link ThreadInfo} cuts off. */
  private String describe() {
    long[] ids = threads.findMonitorDeadlockedThreads();
    return ids == null
        ? ""
        : Arrays.stream(threads.getThreadInfo(ids, true, false))
            .filter(Objects::nonNull)
            .map(TaskDeadlockWatcher::describe)
            .collect(Collectors.joining("\n"));
  }

  private static String describe(ThreadInfo info) {
    StringBuilder text = new StringBuilder();
    text.append(
        "\"%s\" waits for %s of \"%s\"\n"
            .formatted(info.getThreadName(), info.getLockName(), info.getLockOwnerName()));
    StackTraceElement[] stack = info.getStackTrace();
    for (int depth = 0; depth < stack.length; depth++) {
      text.append("    at ").append(stack[depth]).append('\n');
      for (MonitorInfo monitor : info.getLockedMonitors()) {
        if (monitor.getLockedStackDepth() == depth) {
          text.append("    has locked ").append(monitor).append('\n');
        }
      }
    }
    return text.toString();
  }
}
