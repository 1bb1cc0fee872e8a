package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.connect.MongoAccessException;
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
 * Drops expired partitions at the start and every hour, never twice at the same time, and never in
 * the task's thread. A failure does not fail the job: it is logged and counted, and the next run
 * tries again.
 *
 * <p>Metrics, in the sink's group, of the subtask that drops partitions:
 *
 * <ul>
 *   <li>{@code partitionsDropped}: partitions dropped
 *   <li>{@code partitionDropFailures}: runs that failed, or dropped nothing because this machine's
 *       clock and MongoDB's differ; the next run, an hour later, tries again. Alert if it keeps
 *       growing.
 * </ul>
 */
final class RetentionTimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionTimer.class);
  private static final Duration INTERVAL = Duration.ofHours(1);

  /** Drops expired partitions. */
  interface Work {
    /**
     * Runs once. Blocks, within a time limit.
     *
     * @param dropped receives each dropped partition
     * @throws ProvisionException as {@link HistoryPartitions#dropExpired}
     * @throws MongoException as {@link HistoryPartitions#dropExpired}
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

  /** Runs the work now, in the background, and every hour. */
  void start() {
    if (isUnderWay.compareAndSet(false, true)) {
      thread.execute(this::run);
    }
    // No caller cancels it: after close it does nothing.
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
      // The exception's own message may quote commands.
      failed(
          "%s, code %d%s"
              .formatted(
                  e.getClass().getSimpleName(),
                  e.getCode(),
                  MongoAccessException.isUnauthorized(e)
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
        "Dropped the partition {}, which ended at {}", partition.collection(), partition.end());
  }

  private void failed(String reason) {
    if (isClosed) {
      return;
    }
    failures.inc();
    LOG.warn(
        "Not all expired partitions of History are dropped; the job retries in an hour, or drop"
            + " them with 'lastfix partitions drop': {}",
        reason);
  }

  /** Interrupts a running drop; the next start continues it. */
  @Override
  public void close() {
    isClosed = true;
    thread.shutdownNow();
    if (!ClosingWait.awaitTermination(thread, ClosingWait.LIMIT)) {
      LOG.warn("A partition is still being dropped; that ends at the read timeout");
    }
  }
}
