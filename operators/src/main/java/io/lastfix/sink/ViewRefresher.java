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
 * Updates the view over History to the existing partitions, whichever process created or dropped
 * them. It lists the partitions every few seconds, and rewrites the view if they have changed.
 *
 * <p>It never delays a record: it runs in a thread and on a connection of its own, in one subtask.
 * Rewriting a view costs more the more partitions it shows, so it adds many new ones together. A
 * failure does not fail the job: the view serves queries, and no record depends on it.
 *
 * <p>Metric, in the sink's group, of the subtask that refreshes the view: {@code
 * viewRefreshFailures}, the number of failed checks or rewrites. Alert if it keeps growing: the log
 * has the reason.
 */
final class ViewRefresher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ViewRefresher.class);
  private static final Duration INTERVAL = Duration.ofSeconds(3);

  /**
   * Number of checks after which the view is rewritten in any case, since a user may have dropped
   * it.
   */
  static final int CHECKS_UNTIL_REFRESH = 100;

  /** The partitions and the view. Every method blocks, within a time limit. */
  interface Target extends AutoCloseable {
    /** Returns the existing partitions. */
    List<HistoryPartition> partitions();

    /**
     * Updates the view to them.
     *
     * @throws ProvisionException if the view's name belongs to something else, or the user lacks a
     *     right
     */
    void refreshView() throws ProvisionException;

    @Override
    void close();
  }

  private final Target target;
  private final ScheduledExecutorService thread;
  private final Counter failures = new ThreadSafeSimpleCounter();
  private volatile boolean isClosed;

  // Used by the thread only.
  private @Nullable List<HistoryPartition> shown;
  private int checksSinceRefresh;
  private @Nullable String lastFailure;

  /**
   * @param target closed with this
   * @param thread used by this alone; shut down with it
   */
  ViewRefresher(Target target, ScheduledExecutorService thread, MetricGroup metrics) {
    this.target = target;
    this.thread = thread;
    metrics.counter("viewRefreshFailures", failures);
  }

  /** Checks now, in the background, and then every few seconds. */
  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::check, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Runs in the thread. */
  void check() {
    try {
      // The list is read before the view is rewritten, so the next check finds partitions created
      // in between.
      List<HistoryPartition> there = target.partitions();
      checksSinceRefresh++;
      if (!there.equals(shown) || checksSinceRefresh >= CHECKS_UNTIL_REFRESH) {
        target.refreshView();
        shown = there;
        checksSinceRefresh = 0;
      }
      lastFailure = null;
    } catch (MongoException e) {
      // The exception's own message may quote documents or commands.
      failed("%s, code %d".formatted(e.getClass().getSimpleName(), e.getCode()));
    } catch (ProvisionException e) {
      failed(e.getMessage());
    } catch (Throwable e) {
      // An exception that leaves this method would end the schedule silently.
      failed(e.toString());
    }
  }

  /** Logs a failure once, not every few seconds. */
  private void failed(String reason) {
    if (isClosed) {
      return;
    }
    failures.inc();
    if (!reason.equals(lastFailure)) {
      LOG.warn(
          "The view over History is not up to date. The job stores records regardless, and"
              + " retries the view every {} s: {}",
          INTERVAL.toSeconds(),
          reason);
    }
    lastFailure = reason;
  }

  @Override
  public void close() {
    isClosed = true;
    thread.shutdownNow();
    boolean isTargetClosed = ClosingWait.close(target, "close-view", ClosingWait.LIMIT);
    if (!ClosingWait.awaitTermination(thread, ClosingWait.LIMIT) || !isTargetClosed) {
      LOG.warn("The view is still being checked; that ends at the read timeout");
    }
  }
}
