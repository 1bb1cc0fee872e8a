package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.provision.ProvisionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the view over History show the partitions that there are, whoever has made or dropped them:
 * looks every few seconds which they are, and rewrites the view if these are others than before.
 *
 * <p>Never in the way of a record: on a thread and a connection of its own, and in one subtask. To
 * rewrite a view costs more the more partitions it shows, so many new ones are shown together. That
 * it cannot be brought up to date fails no job: it is for people who ask, and no record depends on
 * it.
 *
 * <p>Metric, in the sink's group, of the subtask that does it: {@code viewRefreshFailures}, times
 * that it could not be looked at or rewritten. Alert if it goes on growing: the log says why.
 */
final class ViewRefresher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ViewRefresher.class);
  private static final Duration INTERVAL = Duration.ofSeconds(3);

  /** After so many looks the view is rewritten in any case: somebody may have dropped it. */
  static final int LOOKS_UNTIL_REFRESH = 100;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** What it looks at. Every method blocks, but not for ever. */
  interface Target extends AutoCloseable {
    /** The partitions that are there. */
    List<HistoryPartition> partitions();

    /**
     * Has the view show them.
     *
     * @throws ProvisionException if something else has its name, or the user lacks a right
     */
    void refreshView() throws ProvisionException;

    @Override
    void close();
  }

  private final Target target;
  private final ScheduledExecutorService thread;
  private final Counter failures = new ThreadSafeSimpleCounter();
  private volatile boolean isClosed;

  // Of the thread.
  private @Nullable List<HistoryPartition> shown;
  private int looksSinceRefresh;
  private @Nullable String lastFailure;

  /**
   * @param target closed with this
   * @param thread of this alone; shut down with it
   */
  ViewRefresher(Target target, ScheduledExecutorService thread, MetricGroup metrics) {
    this.target = target;
    this.thread = thread;
    metrics.counter("viewRefreshFailures", failures);
  }

  /** Looks now, in the background, and every few seconds from now on. */
  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::look, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Called by the thread. */
  void look() {
    try {
      // Of before the view is rewritten: what comes in between is seen at the next look.
      List<HistoryPartition> there = target.partitions();
      looksSinceRefresh++;
      if (!there.equals(shown) || looksSinceRefresh >= LOOKS_UNTIL_REFRESH) {
        target.refreshView();
        shown = there;
        looksSinceRefresh = 0;
      }
      lastFailure = null;
    } catch (MongoException e) {
      // Its own words may quote documents or commands.
      failed("%s, code %d".formatted(e.getClass().getSimpleName(), e.getCode()));
    } catch (ProvisionException e) {
      failed(e.getMessage());
    } catch (Throwable e) {
      // Whatever left this method would end the schedule, and nobody would hear of it.
      failed(e.toString());
    }
  }

  /** Says it once, and not again every few seconds. */
  private void failed(String reason) {
    if (isClosed) {
      return;
    }
    failures.inc();
    if (!reason.equals(lastFailure)) {
      LOG.warn(
          "The view over History is not up to date; records are stored all the same, and it is tried"
              + " again every {} s: {}",
          INTERVAL.toSeconds(),
          reason);
    }
    lastFailure = reason;
  }

  @Override
  public void close() {
    isClosed = true;
    thread.shutdownNow();
    boolean isTargetClosed = ClosingWait.close(target, "close-view", CLOSE_TIMEOUT);
    if (!ClosingWait.awaitTermination(thread, CLOSE_TIMEOUT) || !isTargetClosed) {
      LOG.warn("The view is still being looked at; that ends with the read timeout");
    }
  }
}
