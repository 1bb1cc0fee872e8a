package io.lastfix.privacy;

import io.lastfix.kit.digest.Sha256;
import io.lastfix.ledger.AccountedWriter;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards records to another writer, except those of erased users. Before the first read of the
 * erasure list, the first record waits and lets the task process its other mails. The checkpoint
 * barrier is not among them, since it arrives after the record. No record passes unchecked. If the
 * list is unreadable, or a record has waited too long, the job fails.
 *
 * <p>It buffers nothing: the other writer flushes the forwarded records.
 *
 * <p>Metrics, in the group of the writer, counted since the subtask's start:
 *
 * <ul>
 *   <li>{@code recordsForgotten}: records not stored because their user is erased. Flink's {@code
 *       numRecordsIn} = this + the records that the writer received.
 *   <li>{@code forgottenVersion}: the version of the list in use; -1 before the first read, and
 *       while the list on the server is older than the one in use. Records accepted after this
 *       shows n exclude the users of version n and of earlier versions.
 *   <li>{@code forgottenReadFailures}: how often the list was unreadable or older than the one read
 *       before. Alert if it keeps growing: no user can be erased meanwhile, and the log says what
 *       to do.
 * </ul>
 */
@SuppressWarnings("try") // Flink declares that close may throw anything, InterruptedException too.
final class ErasureFilterWriter<T> extends AccountedWriter<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureFilterWriter.class);

  private final AccountedWriter<T> stored;
  private final ErasureFilterSink.Subject<T> subject;
  private final ErasureListWatcher watch;
  private final MailboxExecutor mailbox;
  private final MessageDigest sha256 = Sha256.create();
  private final Counter recordsErased;

  /**
   * Starts to follow the list.
   *
   * @param stored receives the records to store; closed with this
   * @param list closed with this
   * @param threadName name of the thread that follows the list
   */
  ErasureFilterWriter(
      SinkWriter<T> stored,
      ErasureFilterSink.Subject<T> subject,
      ErasureList list,
      ErasureListOptions options,
      MailboxExecutor mailbox,
      MetricGroup metricGroup,
      String threadName) {
    this.stored = AccountedWriter.of(stored);
    this.subject = subject;
    this.mailbox = mailbox;
    this.watch =
        new ErasureListWatcher(
            list, options.refreshInterval(), options.retryTimeout(), this::answered, threadName);
    recordsErased = metricGroup.counter(JobMetrics.RECORDS_FORGOTTEN);
    metricGroup.gauge(JobMetrics.FORGOTTEN_VERSION, (Gauge<Long>) watch::version);
    metricGroup.gauge("forgottenReadFailures", (Gauge<Long>) watch::failures);
    watch.start();
  }

  /** Called in the watcher's thread. Fails the task in its own thread, or wakes up its record. */
  private void answered(@Nullable ErasureListUnreadableException failure) {
    try {
      mailbox.execute(
          () -> {
            if (failure != null) {
              throw failure;
            }
          },
          failure == null ? "The erasure list was read" : "The erasure list cannot be read");
    } catch (RejectedExecutionException e) {
      LOG.debug("The task has ended, so no record waits for the erasure list", e);
    }
  }

  @Override
  public void write(T record, Context context) throws IOException, InterruptedException {
    ErasedUsers newest = watch.newest();
    ErasedUsers erased = newest == null ? awaitFirst() : newest;
    if (!erased.isEmpty() && subject.isErased(record, erased, sha256)) {
      recordsErased.inc();
      return;
    }
    stored.write(record, context);
  }

  private ErasedUsers awaitFirst() throws InterruptedException {
    watch.recordWaits();
    ErasedUsers first = watch.newest();
    while (first == null) {
      // Returns after one of the two mails above, or when the task ends.
      mailbox.yield();
      first = watch.newest();
    }
    return first;
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    stored.flush(endOfInput);
  }

  @Override
  public LedgerEntry counted() {
    return stored.counted().plus(LedgerEntry.ofErased(recordsErased.getCount()));
  }

  @Override
  public void close() throws Exception {
    try (watch) {
      stored.close();
    }
  }
}
