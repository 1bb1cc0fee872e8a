package io.lastfix.store.connect;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, with a bound, for threads of our own while a task is let go of; also where the waiting
 * thread is interrupted. Flink interrupts the thread of a cancelled task, and closes the job's
 * class loader once all of its tasks are over. A thread that has yet to close a client then finds
 * no class any more, and the client stays open, with its threads and all of the job's classes.
 */
public final class ClosingWait {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingWait.class);

  private ClosingWait() {}

  /** One attempt at waiting. */
  private interface Wait {
    /** Returns whether it is over. */
    boolean await(long nanos) throws InterruptedException;
  }

  /**
   * Closes that in a thread of its own, and waits for it: MongoDB's driver (5.6) breaks off when a
   * thread that is interrupted closes a client, and leaves the client open.
   *
   * @param threadName for thread dumps
   * @return whether it is closed, within the limit
   */
  public static boolean close(AutoCloseable open, String threadName, Duration limit) {
    Thread thread =
        new Thread(
            () -> {
              try {
                open.close();
              } catch (Exception e) {
                LOG.warn("{} has failed", threadName, e);
              }
            },
            threadName);
    thread.setDaemon(true);
    thread.start();
    return join(thread, limit);
  }

  /**
   * Waits until the thread has ended.
   *
   * @return whether it has, within the limit
   */
  public static boolean join(Thread thread, Duration limit) {
    return await(
        nanos -> {
          TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
          return !thread.isAlive();
        },
        limit);
  }

  /**
   * Waits until all threads of an executor that was shut down have ended.
   *
   * @return whether they have, within the limit
   */
  public static boolean awaitTermination(ExecutorService executor, Duration limit) {
    return await(nanos -> executor.awaitTermination(nanos, TimeUnit.NANOSECONDS), limit);
  }

  private static boolean await(Wait wait, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    boolean isInterrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return wait.await(Math.max(0, end - System.nanoTime()));
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
