package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.history.HistoryPartition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the partitions of History in a thread and on a connection of its own: once after {@link
 * #start}, and then only if a record needs a newer list.
 *
 * <p>The first list is normally available before the first record needs one. A later outage of
 * MongoDB therefore delays no record for long: the older list applies. Without any list the task
 * waits as long as the sinks retry, and then fails, since the existing partitions are unknown.
 */
final class PartitionListing implements PartitionBudget.Listing {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionListing.class);

  /** Up to this age a list applies while the next one is read. */
  private static final Duration YOUNG = Duration.ofSeconds(10);

  /** How long the record that triggers a new list waits for it while there is a young one. */
  private static final Duration YOUNG_LIST_TIMEOUT = Duration.ofMillis(100);

  /**
   * How long to wait for a list while there is an older one. After a timeout, records do not wait
   * for {@code PAUSE_AFTER_TIMEOUT}.
   */
  private static final Duration NEXT_LIST_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration PAUSE_AFTER_TIMEOUT = Duration.ofSeconds(30);
  private static final String NO_ANSWER = "no answer yet";

  /** A connection that lists partitions. */
  interface Reader extends AutoCloseable {
    /** Returns the existing partitions. Blocks, within a time limit. */
    List<HistoryPartition> list();

    @Override
    void close();
  }

  private final Supplier<Reader> connect;
  private final Duration firstLimit;
  private final LongSupplier nanoTime;
  private final Thread thread;

  // All of these are guarded by this object's lock.
  private @Nullable List<HistoryPartition> partitions;
  private long beganNanos;
  private long readings;
  private boolean isRequested;
  private boolean isReading;
  private boolean isClosed;
  private String failure = NO_ANSWER;
  private @Nullable Long timedOutAtNanos;

  /**
   * @param connect called by the thread; its result is closed with this
   * @param firstLimit how long to wait for the first list
   * @param nanoTime {@link System#nanoTime}, for the age of a list
   */
  PartitionListing(
      Supplier<Reader> connect, Duration firstLimit, String threadName, LongSupplier nanoTime) {
    this.connect = connect;
    this.firstLimit = firstLimit;
    this.nanoTime = nanoTime;
    thread = new Thread(this::listOnRequest, threadName);
    thread.setDaemon(true);
  }

  /** Starts to read the first list in the background. */
  synchronized void start() {
    request();
    thread.start();
  }

  @Override
  public synchronized List<HistoryPartition> notOlderThan(Duration age) {
    long now = nanoTime.getAsLong();
    List<HistoryPartition> known = partitions;
    if (known != null && now - beganNanos <= age.toNanos()) {
      return known;
    }
    boolean isBusy = isRequested || isReading;
    request();
    if (known != null && now - beganNanos <= YOUNG.toNanos()) {
      // Only one record waits: a slow listing must not delay each record of an attack, and a fast
      // one arrives in time.
      if (!isBusy) {
        awaitReading(YOUNG_LIST_TIMEOUT.toNanos());
      }
      return partitions;
    }
    if (known != null && hasJustTimedOut(now)) {
      return known;
    }
    boolean isRead = awaitReading((known == null ? firstLimit : NEXT_LIST_TIMEOUT).toNanos());
    timedOutAtNanos = isRead ? null : Long.valueOf(nanoTime.getAsLong());
    List<HistoryPartition> found = partitions;
    if (found == null) {
      throw new IllegalStateException(
          "The partitions of History could not be listed within %d s: %s"
              .formatted(firstLimit.toSeconds(), failure));
    }
    return found;
  }

  private boolean hasJustTimedOut(long now) {
    return timedOutAtNanos != null && now - timedOutAtNanos < PAUSE_AFTER_TIMEOUT.toNanos();
  }

  private void request() {
    isRequested = true;
    notifyAll();
  }

  /**
   * Waits until one more list has been read.
   *
   * @return true if it was read in time
   */
  private boolean awaitReading(long nanos) {
    long before = readings;
    long end = System.nanoTime() + nanos;
    try {
      while (readings == before) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the partitions of History are listed", e);
    }
  }

  private void listOnRequest() {
    Reader reader = null;
    try {
      while (awaitRequest()) {
        long began = nanoTime.getAsLong();
        try {
          reader = reader == null ? connect.get() : reader;
          read(reader.list(), began);
          continue;
        } catch (MongoException e) {
          // The exception's own message may quote commands.
          failed("%s, code %d".formatted(e.getClass().getSimpleName(), e.getCode()));
        } catch (RuntimeException e) {
          failed(e.toString());
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      LOG.debug("Closed while it paused", e);
    } finally {
      if (reader != null
          && !ClosingWait.close(reader, "close-" + thread.getName(), ClosingWait.LIMIT)) {
        LOG.warn("A connection that listed partitions is still open; it ends at the read timeout");
      }
    }
  }

  /** Returns false after close. */
  private synchronized boolean awaitRequest() {
    try {
      while (!isRequested && !isClosed) {
        wait();
      }
    } catch (InterruptedException e) {
      return false;
    }
    isRequested = false;
    isReading = true;
    return !isClosed;
  }

  private synchronized void read(List<HistoryPartition> found, long began) {
    if (!found.equals(partitions)) {
      partitions = found;
    }
    failure = NO_ANSWER;
    isReading = false;
    beganNanos = began;
    readings++;
    notifyAll();
  }

  private synchronized void failed(String reason) {
    isReading = false;
    if (isClosed) {
      return;
    }
    // Logs an outage once, not every second.
    if (!reason.equals(failure)) {
      LOG.warn("The partitions of History could not be listed: {}", reason);
    }
    failure = reason;
    // Until there is a first list, the thread retries even if no record waits for it.
    isRequested = isRequested || partitions == null;
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
    thread.interrupt();
    if (!ClosingWait.join(thread, ClosingWait.LIMIT)) {
      LOG.warn("Partitions are still being listed; that ends at the read timeout");
    }
  }
}
