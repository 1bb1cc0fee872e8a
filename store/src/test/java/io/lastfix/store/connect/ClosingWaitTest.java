package io.lastfix.store.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ClosingWaitTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(10);

  @Test
  void aThreadIsWaitedForThoughTheWaitingOneIsInterruptedAndStaysSo() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread thread = started(mayEnd);
    Thread waiting = Thread.currentThread();
    Thread helper =
        new Thread(
            () -> {
              Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
              waiting.interrupt();
              mayEnd.countDown();
            });
    Thread.currentThread().interrupt();
    helper.start();

    boolean hasEnded = ClosingWait.join(thread, LONG);

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(hasEnded).isTrue();
  }

  @Test
  void aThreadThatDoesNotEndIsWaitedForNoLongerThanTheLimit() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread thread = started(mayEnd);

    assertThat(ClosingWait.join(thread, SHORT)).isFalse();

    mayEnd.countDown();
    assertThat(ClosingWait.join(thread, LONG)).isTrue();
  }

  @Test
  void theThreadsOfAnExecutorAreWaitedForInTheSameWay() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    executor.execute(() -> await(mayEnd));
    executor.shutdown();

    assertThat(ClosingWait.awaitTermination(executor, SHORT)).isFalse();

    mayEnd.countDown();
    Thread.currentThread().interrupt();
    boolean hasEnded = ClosingWait.awaitTermination(executor, LONG);
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(hasEnded).isTrue();
  }

  @Test
  void whatIsClosedIsClosedByAThreadThatIsNotInterrupted() {
    AtomicBoolean closedInterrupted = new AtomicBoolean(true);
    Thread.currentThread().interrupt();

    boolean isClosed =
        ClosingWait.close(
            () -> closedInterrupted.set(Thread.currentThread().isInterrupted()), "close", LONG);

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(isClosed).isTrue();
    assertThat(closedInterrupted).isFalse();
  }

  private static Thread started(CountDownLatch mayEnd) {
    Thread thread = new Thread(() -> await(mayEnd));
    thread.start();
    return thread;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }
}
