package io.lastfix.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * A mailbox in the test's own thread. Who waits in it with no mail there moves the clock on to the
 * next timer; with no timer either, nothing can ever come, and the test fails instead of hanging.
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

  /** Runs the mails that are there and those they bring, without moving the clock. */
  void runAll() {
    while (tryYield()) {
      // Each call runs one.
    }
  }

  /** How often somebody had to wait. */
  int yields() {
    return yields;
  }

  @Override
  public boolean shouldInterrupt() {
    return false;
  }

  /** What Flink fails the task with, wrapped as its own mailbox wraps it. */
  static final class MailFailedException extends RuntimeException {
    MailFailedException(Exception cause) {
      super(cause);
    }
  }
}
