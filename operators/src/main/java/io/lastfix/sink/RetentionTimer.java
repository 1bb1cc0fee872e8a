package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.history.ClocksDisagreeException;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.PartitionExpiry;
import io.lastfix.store.provision.ProvisionException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has expired partitions dropped: when it starts, and every hour from then on, never two at a time,
 * and never in the task's thread. That one cannot be dropped fails no job: it is logged and
 * counted, and tried again with the next hour.
 *
 * <p>Metrics, in the sink's group, of the subtask that does it:
 *
 * <ul>
 *   <li>{@code partitionsDropped}: partitions dropped
 *   <li>{@code partitionDropFailures}: times that it broke off, or that nothing was dropped because
 *       this machine's clock and MongoDB's disagree; what was left is tried again an hour later.
 *       Alert if it goes on growing.
 * </ul>
 */
final class RetentionTimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionTimer.class);
  private static final Duration INTERVAL = Duration.ofHours(1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  // Of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int UNAUTHORIZED = 13;

  /** Drops what is expired. */
  interface Work {
    /**
     * Does it once. Blocks, but not for ever.
     *
     * @param dropped is told of each partition
     * @throws ProvisionException as {@link HistoryPartitions#dropExpired}
     * @throws MongoException likewise
     * @throws ClocksDisagreeException as {@link PartitionExpiry#of}; then nothing was dropped
     */
    void run(Consumer<HistoryPartition> dropped) throws ProvisionException, ClocksDisagreeException;
  }

  private final Work work;
  private final ProcessingTimeService clock;
  private final ExecutorService thread;
  private final ThreadSafeSimpleCounter dropped = new ThreadSafeSimpleCounter();
  private final ThreadSafeSimpleCounter failures = new ThreadSafeSimpleCounter();
  private final AtomicBoolean isUnderWay = new AtomicBoolean();
  private volatile boolean isClosed;

  /**
   * @param clock its timers run in the task's thread
   * @param thread runs the work; shut down with this
   */
  RetentionTimer(
      Work work, ProcessingTimeService clock, ExecutorService thread, MetricGroup metrics) {
    this.work = work;
    this.clock = clock;
    this.thread = thread;
    metrics.counter("partitionsDropped", dropped);
    metrics.counter("partitionDropFailures", failures);
  }

  /** Does it now, in the background, and every hour from now on. */
  void start() {
    if (isUnderWay.compareAndSet(false, true)) {
      thread.execute(this::run);
    }
    // Nobody cancels it: it does nothing once this is closed.
    var unused =
        clock.registerTimer(
            clock.getCurrentProcessingTime() + INTERVAL.toMillis(),
            time -> {
              if (!isClosed) {
                start();
              }
            });
  }

  private void run() {
    try {
      work.run(this::noteDropped);
    } catch (MongoException e) {
      // Its own words may quote commands.
      failed(
          "%s, code %d%s"
              .formatted(
                  e.getClass().getSimpleName(),
                  e.getCode(),
                  e.getCode() == UNAUTHORIZED
                      ? ": grant the job's user the role lastfixRetention of config/mongodb too"
                      : ""));
    } catch (ProvisionException | ClocksDisagreeException e) {
      failed(e.getMessage());
    } catch (RuntimeException e) {
      failed(e.toString());
    } finally {
      isUnderWay.set(false);
    }
  }

  private void noteDropped(HistoryPartition partition) {
    dropped.inc();
    LOG.info(
        "Dropped the partition {}, which was over at {}", partition.collection(), partition.end());
  }

  private void failed(String reason) {
    if (isClosed) {
      return;
    }
    failures.inc();
    LOG.warn(
        "Expired partitions of History are not all dropped; it is tried again in an hour, or drop"
            + " them yourself (lastfix partitions drop): {}",
        reason);
  }

  /** What is under way is broken off: the next start goes on with it. */
  @Override
  public void close() {
    isClosed = true;
    thread.shutdownNow();
    if (!ClosingWait.awaitTermination(thread, CLOSE_TIMEOUT)) {
      LOG.warn("A partition is still being dropped; it ends with the read timeout");
    }
  }
}
