package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoTimeoutException;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.TestHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** When the view over History is rewritten. */
class ViewRefresherTest {
  private final RecordedTarget target = new RecordedTarget();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final WriterHarness.RememberingMetricGroup metrics =
      new WriterHarness.RememberingMetricGroup();
  private final ViewRefresher refresher = new ViewRefresher(target, thread, metrics);

  /** Records the states of the view. */
  private static final class RecordedTarget implements ViewRefresher.Target {
    private final List<HistoryPartition> partitions = new ArrayList<>();
    private final List<List<HistoryPartition>> shown = new ArrayList<>();
    private boolean isAway;
    private boolean isBroken;
    private boolean isClosed;

    void make(String month) {
      partitions.add(TestHistory.MONTHS.partitionAt(Instant.parse(month + "-01T00:00:00Z")));
    }

    @Override
    public List<HistoryPartition> partitions() {
      if (isBroken) {
        throw new NoClassDefFoundError("some");
      }
      if (isAway) {
        throw new MongoTimeoutException("no server");
      }
      return List.copyOf(partitions);
    }

    @Override
    public void refreshView() {
      shown.add(List.copyOf(partitions));
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  @Test
  void theViewIsRewrittenOnceForAllThatIsNewAndNotWhereNothingIs() {
    target.make("2026-11");
    refresher.check();
    refresher.check();
    assertThat(target.shown).hasSize(1);

    target.make("2026-12");
    target.make("2027-01");
    refresher.check();
    refresher.check();

    assertThat(target.shown).hasSize(2).last().isEqualTo(target.partitions);
  }

  @Test
  void aServerThatIsAwayIsCountedAndTriedAgain() {
    target.make("2026-11");
    target.isAway = true;
    refresher.check();
    assertThat(metrics.count("viewRefreshFailures")).isEqualTo(1);

    target.isAway = false;
    refresher.check();

    assertThat(target.shown).hasSize(1);
    assertThat(metrics.count("viewRefreshFailures")).isEqualTo(1);
  }

  @Test
  void anErrorIsCountedAndEndsNoSchedule() {
    target.make("2026-11");
    target.isBroken = true;
    refresher.check();
    assertThat(metrics.count("viewRefreshFailures")).isEqualTo(1);

    target.isBroken = false;
    refresher.check();

    assertThat(target.shown).hasSize(1);
  }

  @Test
  void aViewThatSomebodyDroppedIsThereAgainAfterAWhile() {
    target.make("2026-11");
    refresher.check();

    for (int i = 1; i < ViewRefresher.CHECKS_UNTIL_REFRESH; i++) {
      refresher.check();
    }
    assertThat(target.shown).hasSize(1);
    refresher.check();

    assertThat(target.shown).hasSize(2);
  }

  @Test
  void closingEndsTheThreadAndTheConnection() {
    refresher.start();

    refresher.close();

    assertThat(target.isClosed).isTrue();
    assertThat(thread.isTerminated()).isTrue();
  }
}
