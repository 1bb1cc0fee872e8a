package io.lastfix.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.deadlock.TaskDeadlockWatch.Timing;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.runtime.taskmanager.Task;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which deadlocks the watch reports, and how long it lives. */
class TaskDeadlockWatchTest {
  private static final Timing OFTEN = new Timing(Duration.ofMillis(20), Duration.ofMillis(200));

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<Thread> started = new ArrayList<>();
  private final CountDownLatch taskEnds = new CountDownLatch(1);

  @AfterEach
  void endAllThreads() throws InterruptedException {
    taskEnds.countDown();
    for (Thread thread : started) {
      thread.interrupt();
      thread.join();
    }
  }

  @Test
  void aDeadlockOfThreadsThatRunNoTaskIsNotReported() {
    Deadlock deadlock = new Deadlock();
    start(() -> deadlock.enter(0));
    start(() -> deadlock.enter(1));
    await().until(deadlock::isComplete);

    Thread watch = watch(start(taskEnds::await));
    taskEnds.countDown();

    await().until(() -> !watch.isAlive());
    assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).hasSize(2);
    assertThat(reports).isEmpty();
  }

  @Test
  void theWatchEndsSomewhatLaterThanItsTask() {
    Thread task = start(taskEnds::await);
    Thread watch = watch(task);

    taskEnds.countDown();
    await().until(() -> !task.isAlive());

    assertThat(watch.isAlive()).isTrue();
    await().until(() -> !watch.isAlive());
    assertThat(reports).isEmpty();
  }

  @Test
  void theNameByWhichTasksAreRecognizedIsThatOfFlinksClass() {
    assertThat(TaskDeadlockWatch.TASK_CLASS).isEqualTo(Task.class.getName());
  }

  private Thread watch(Thread task) {
    return TaskDeadlockWatch.start(
        task, ManagementFactory.getThreadMXBean(), OFTEN, (message, cause) -> reports.add(message));
  }

  private Thread start(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
    started.add(thread);
    return thread;
  }

  /** What a thread does. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }
}
