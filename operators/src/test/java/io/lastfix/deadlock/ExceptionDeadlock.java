package io.lastfix.deadlock;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two exceptions that two threads cannot serialize at once, as in FLINK-36746: each contains one of
 * two others that suppress each other, and {@link Throwable} locks itself while it is written. Only
 * the end of the JVM ends the deadlock.
 */
final class ExceptionDeadlock {
  private static final long LIMIT_SECONDS = 30;

  private final CyclicBarrier bothHaveOne = new CyclicBarrier(2);
  private final List<Exception> suppressing =
      List.of(new Exception(new Pause(bothHaveOne)), new Exception(new Pause(bothHaveOne)));

  ExceptionDeadlock() {
    suppressing.get(0).addSuppressed(suppressing.get(1));
    suppressing.get(1).addSuppressed(suppressing.get(0));
  }

  /** The exception that one of the two threads serializes. */
  Exception exception(int side) {
    return new Failure(suppressing.get(side));
  }

  /** Whoever logs it does not see what it holds, and so cannot lock that. */
  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private final Serializable held;

    Failure(Serializable held) {
      super("fails on purpose");
      this.held = held;
    }

    @Override
    public String getMessage() {
      return super.getMessage() + ", with " + held.getClass().getSimpleName();
    }
  }

  /** Is written as the cause, before what is suppressed. */
  private static final class Pause extends Exception {
    private static final long serialVersionUID = 1;

    private final transient CyclicBarrier bothHaveOne;

    Pause(CyclicBarrier bothHaveOne) {
      this.bothHaveOne = bothHaveOne;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      try {
        bothHaveOne.await(LIMIT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new InvalidObjectException(e.toString());
      }
      out.defaultWriteObject();
    }
  }
}
