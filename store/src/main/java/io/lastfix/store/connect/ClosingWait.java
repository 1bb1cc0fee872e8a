package io.lastfix.store.connect;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, within a time limit, for our own threads while Flink releases a task; an interrupt does
 * not end the wait.
 *
 * <p>Flink interrupts the thread of a cancelled task and closes the job's class loader once all
 * tasks have ended. A thread that closes a client after that finds no classes any more. The client
 * would stay open, with its threads and all of the job's classes.
 */
public final class ClosingWait {
  /** How long to wait for a thread that is still in the driver. */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(ClosingWait.class);

  private ClosingWait() {}

  /** One attempt at waiting. */
  private interface Wait {
    /** Returns true if the wait is over. */
    boolean await(long nanos) throws InterruptedException;
  }

  /**
   * Closes the object in a thread of its own and waits for that thread. If an interrupted thread
   * closes a client, MongoDB's driver (5.6) aborts and leaves the client open.
   *
   * @param threadName the thread's name in thread dumps
   * @return true if the object was closed within the limit
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
   * @return true if it ended within the limit
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
   * @return true if they ended within the limit
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
