package io.lastfix.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * A mailbox in the test's own thread. If it is empty, yield() advances the clock to the next timer.
 * If there is no timer either, no mail can ever arrive, and the test fails instead of hanging.
 */
final class TestMailbox implements MailboxExecutor {
  private final Deque<ThrowingRunnable<? extends Exception>> mails = new ArrayDeque<>();
  private final TestProcessingTimeService clock;
  private int yields;

  TestMailbox(TestProcessingTimeService clock) {
    this.clock = clock;
  }

  @Override
  public void execute(
      MailOptions options,
      ThrowingRunnable<? extends Exception> mail,
      String description,
      Object... arguments) {
    mails.addLast(mail);
  }

  @Override
  public void yield() {
    yields++;
    while (!tryYield()) {
      long next =
          clock.getActiveTimerTimestamps().stream()
              .mapToLong(Long::longValue)
              .min()
              .orElseThrow(() -> new AssertionError("waits for a mail that can never come"));
      try {
        clock.setCurrentTime(next);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public boolean tryYield() {
    ThrowingRunnable<? extends Exception> mail = mails.poll();
    if (mail == null) {
      return false;
    }
    try {
      mail.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new MailFailedException(e);
    }
    return true;
  }

  /** Runs all mails and the mails that they add, without advancing the clock. */
  void runAll() {
    while (tryYield()) {
      // Each call runs one mail.
    }
  }

  /** Returns how often the writer had to wait. */
  int yields() {
    return yields;
  }

  @Override
  public boolean shouldInterrupt() {
    return false;
  }

  /** The exception with which Flink fails the task, wrapped as in its own mailbox. */
  static final class MailFailedException extends RuntimeException {
    MailFailedException(Exception cause) {
      super(cause);
    }
  }
}
