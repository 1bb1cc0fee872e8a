package io.lastfix.kit.poll;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The pace and the limit of one wait: the caller checks a condition, and pauses until the next
 * check. The limit is measured by the machine's monotonic clock, so an adjusted wall clock neither
 * ends nor extends a wait. For one thread.
 *
 * <pre>{@code
 * Poll poll = new Poll(Duration.ofMillis(250), limit);
 * while (!isDone()) {
 *   poll.pause(() -> new IOException("not done within the limit"));
 * }
 * }</pre>
 */
public final class Poll {
  /** What a limit of more than 292 years counts as. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private final Duration interval;
  private final long limitNanos;
  private long beganNanos;

  /**
   * Begins a wait now.
   *
   * @param interval between two checks, positive
   * @param limit of the whole wait; if negative, the first pause fails
   * @throws IllegalArgumentException if the interval is not positive
   */
  public Poll(Duration interval, Duration limit) {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("interval: expected more than 0, found " + interval);
    }
    this.interval = interval;
    limitNanos = limit.compareTo(LONGEST) < 0 ? limit.toNanos() : Long.MAX_VALUE;
    beganNanos = System.nanoTime();
  }

  /** Creates the exception of a wait that was in vain. */
  public interface TooLate<X extends Exception> {
    /** Called once, after the limit has passed. */
    X create() throws X;
  }

  /** Reads what a wait is about. */
  public interface Reading<T, X extends Exception> {
    /** Reads it as it is now. */
    T read() throws X, InterruptedException;
  }

  /**
   * Reads until what is read is as wanted, or the limit has passed.
   *
   * @return the last that was read
   * @throws X if a reading fails
   * @throws InterruptedException if another thread interrupts the wait
   */
  public static <T, X extends Exception> T until(
      Duration interval, Duration limit, Reading<T, X> reading, Predicate<T> isWanted)
      throws X, InterruptedException {
    Poll poll = new Poll(interval, limit);
    T found = reading.read();
    while (!isWanted.test(found) && !poll.isOver()) {
      poll.pause();
      found = reading.read();
    }
    return found;
  }

  /** Gives the wait its whole limit again, because it has made progress. */
  public void restart() {
    beganNanos = System.nanoTime();
  }

  /** Returns the limit of the whole wait. */
  public Duration limit() {
    return Duration.ofNanos(limitNanos);
  }

  /** Returns whether the limit has passed. */
  public boolean isOver() {
    return System.nanoTime() - beganNanos >= limitNanos;
  }

  /**
   * Pauses for one interval.
   *
   * @throws X instead of pausing, if the limit has passed
   * @throws InterruptedException if another thread interrupts the pause
   */
  public <X extends Exception> void pause(TooLate<X> tooLate) throws X, InterruptedException {
    if (isOver()) {
      throw tooLate.create();
    }
    pause();
  }

  /**
   * Pauses for one interval; the caller looks at the limit.
   *
   * @throws InterruptedException if another thread interrupts the pause
   */
  public void pause() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(interval.toNanos());
  }
}
