package io.lastfix.privacy;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import io.lastfix.store.erasure.UserHasher;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.function.ThrowingRunnable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes records on to another writer, but for those of forgotten users. Until the list of the
 * forgotten is there, the first record waits, and lets the task's other mails be worked off (no
 * checkpoint barrier, which comes in behind the record); no record passes unseen. Where the list is
 * refused, or a record has waited for too long, the job fails.
 *
 * <p>Keeps nothing itself: what it passed on is flushed by the other writer.
 */
@SuppressWarnings("try") // Flink declares that close may throw anything, InterruptedException too.
final class ErasureFilterWriter implements SinkWriter<LocatedRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureFilterWriter.class);

  private final SinkWriter<LocatedRecord> stored;
  private final ErasureListWatcher watch;
  private final MailboxExecutor mailbox;
  private final UserHasher hasher = new UserHasher();
  private final ErasureFilterMetrics metrics;

  /**
   * Begins to follow the list.
   *
   * @param stored takes what is to be stored; closed with this
   * @param list closed with this
   * @param threadName of the thread that follows the list
   */
  ErasureFilterWriter(
      SinkWriter<LocatedRecord> stored,
      ErasureList list,
      ErasureListOptions options,
      MailboxExecutor mailbox,
      MetricGroup metricGroup,
      String threadName) {
    this.stored = stored;
    this.mailbox = mailbox;
    this.watch =
        new ErasureListWatcher(
            list, options.refreshInterval(), options.retryTimeout(), new FirstRead(), threadName);
    this.metrics = new ErasureFilterMetrics(metricGroup, watch::version, watch::failures);
    watch.start();
  }

  /** Comes from the watch's thread, and goes on in the task's. */
  private final class FirstRead implements ErasureListWatcher.Listener {
    @Override
    public void read() {
      // Wakes up a record that waits.
      mail(() -> {}, "The list of the forgotten was read");
    }

    @Override
    public void refused(ErasureListUnreadableException failure) {
      mail(
          () -> {
            throw failure;
          },
          "The list of the forgotten cannot be read");
    }
  }

  private void mail(ThrowingRunnable<IOException> action, String description) {
    try {
      mailbox.execute(action, description);
    } catch (RejectedExecutionException e) {
      LOG.debug("The task is over: nobody waits for the list of the forgotten", e);
    }
  }

  @Override
  public void write(LocatedRecord record, Context context)
      throws IOException, InterruptedException {
    ErasedUsers newest = watch.newest();
    ErasedUsers forgotten = newest == null ? awaitFirst() : newest;
    if (!forgotten.isEmpty()
        && forgotten.covers(hasher.hash(record.user()), record.timestampMillis())) {
      metrics.recordForgotten();
      return;
    }
    stored.write(record, context);
  }

  private ErasedUsers awaitFirst() throws InterruptedException {
    watch.recordWaits();
    ErasedUsers first = watch.newest();
    while (first == null) {
      // Ends with one of the two mails above, or with the task.
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
  public void close() throws Exception {
    try (watch) {
      stored.close();
    }
  }
}
