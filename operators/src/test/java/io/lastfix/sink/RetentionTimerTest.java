package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoTimeoutException;
import io.lastfix.store.history.ClocksDisagreeException;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionExpiry;
import io.lastfix.store.provision.ProvisionException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When expired partitions are dropped, and the effect of a failure. */
class RetentionTimerTest {
  private static final long START_MILLIS = 1_000;
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private static final HistoryPartition PARTITION =
      HistoryPartition.parse("history", "history_2026_01").orElseThrow();

  private final TestProcessingTimeService clock = new TestProcessingTimeService();
  private final TasksInHand thread = new TasksInHand();
  private final WriterHarness.RememberingMetricGroup metrics =
      new WriterHarness.RememberingMetricGroup();
  private final DroppingOne work = new DroppingOne();
  private final RetentionTimer timer = new RetentionTimer(work, clock, thread, metrics);

  /** Drops one partition per run, unless the server is absent or this machine's clock is wrong. */
  private static final class DroppingOne implements RetentionTimer.Work {
    private int runs;
    private boolean isServerAway;
    private Duration ahead = Duration.ZERO;

    @Override
    public void run(Consumer<HistoryPartition> dropped)
        throws ProvisionException, ClocksDisagreeException {
      runs++;
      if (isServerAway) {
        throw new MongoTimeoutException("no server");
      }
      var unused =
          PartitionExpiry.of(
              () -> PARTITION.end().plus(ahead), InstantSource.fixed(PARTITION.end()));
      dropped.accept(PARTITION);
    }
  }

  /** Keeps submitted tasks until the test runs them. */
  private static final class TasksInHand extends AbstractExecutorService {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean isShutdown;

    void runAll() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public void shutdown() {
      isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      isShutdown = true;
      return List.copyOf(tasks);
    }

    @Override
    public boolean isShutdown() {
      return isShutdown;
    }

    @Override
    public boolean isTerminated() {
      return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return isShutdown;
    }
  }

  @BeforeEach
  void start() throws Exception {
    clock.setCurrentTime(START_MILLIS);
    timer.start();
  }

  private void moveClockToHour(int hour) throws Exception {
    clock.setCurrentTime(START_MILLIS + hour * HOUR_MILLIS);
  }

  @Test
  void itIsDoneAtTheStartAndEveryHourOutsideTheTasksThread() throws Exception {
    assertThat(work.runs).isZero();
    thread.runAll();
    assertThat(work.runs).isEqualTo(1);

    clock.setCurrentTime(START_MILLIS + HOUR_MILLIS - 1);
    thread.runAll();
    assertThat(work.runs).isEqualTo(1);
    for (int hour = 1; hour <= 3; hour++) {
      moveClockToHour(hour);
      thread.runAll();
      assertThat(work.runs).isEqualTo(1 + hour);
    }
    assertThat(metrics.count("partitionsDropped")).isEqualTo(4);
    assertThat(metrics.count("partitionDropFailures")).isZero();
  }

  @Test
  void whatTakesLongerThanAnHourIsNotDoneTwiceAtATime() throws Exception {
    moveClockToHour(1);
    assertThat(thread.tasks).hasSize(1);
    thread.runAll();

    moveClockToHour(2);
    assertThat(thread.tasks).hasSize(1);
  }

  @Test
  void aFailureIsCountedAndItIsTriedAgain() throws Exception {
    work.isServerAway = true;
    thread.runAll();
    assertThat(metrics.count("partitionDropFailures")).isEqualTo(1);
    assertThat(metrics.count("partitionsDropped")).isZero();

    work.isServerAway = false;
    moveClockToHour(1);
    thread.runAll();
    assertThat(metrics.count("partitionDropFailures")).isEqualTo(1);
    assertThat(metrics.count("partitionsDropped")).isEqualTo(1);
  }

  @Test
  void aWrongClockDropsNothingIsCountedAndFailsNothingElse() throws Exception {
    work.ahead = Duration.ofDays(3_650);
    thread.runAll();
    assertThat(metrics.count("partitionDropFailures")).isEqualTo(1);
    assertThat(metrics.count("partitionsDropped")).isZero();

    work.ahead = Duration.ofMinutes(1);
    moveClockToHour(1);
    thread.runAll();
    assertThat(metrics.count("partitionDropFailures")).isEqualTo(1);
    assertThat(metrics.count("partitionsDropped")).isEqualTo(1);
  }

  @Test
  void onceItIsClosedNothingIsDoneAndABrokenOffOneIsNoFailure() throws Exception {
    work.isServerAway = true;
    timer.close();
    thread.runAll();
    moveClockToHour(1);

    assertThat(thread.isShutdown()).isTrue();
    assertThat(thread.tasks).isEmpty();
    assertThat(metrics.count("partitionDropFailures")).isZero();
  }
}
