package io.lastfix.sink;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import io.lastfix.query.HistoryPartition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the partitions of History on a thread and a connection of its own, when somebody wants to
 * know: a job whose records are all of about now never does.
 *
 * <p>Who wants to know waits for a list that is young enough, but not long: while MongoDB doesn't
 * answer, an older one has to do. The first list is waited for up to {@code mongo.timeout}; without
 * it nobody can say what is there, and the task fails.
 */
final class PartitionListing implements PartitionBudget.Listing {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionListing.class);

  /** How long to wait for a list while there is an older one, and after that, how long not to. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Duration NO_PATIENCE = Duration.ofSeconds(30);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Supplier<MongoClient> connect;
  private final String database;
  private final HistoryOptions history;
  private final Duration firstLimit;
  private final String threadName;

  // All of these under this object's lock.
  private @Nullable Thread thread;
  private @Nullable List<HistoryPartition> partitions;
  private long beganNanos;
  private long readings;
  private boolean isWanted;
  private boolean isClosed;
  private String failure = "no answer yet";
  private @Nullable Long impatientSinceNanos;

  /**
   * @param connect called by the thread; closed with this
   * @param firstLimit how long the first list is waited for
   */
  PartitionListing(
      Supplier<MongoClient> connect,
      String database,
      HistoryOptions history,
      Duration firstLimit,
      String threadName) {
    this.connect = connect;
    this.database = database;
    this.history = history;
    this.firstLimit = firstLimit;
    this.threadName = threadName;
  }

  @Override
  public synchronized List<HistoryPartition> notOlderThan(Duration age) {
    long now = System.nanoTime();
    List<HistoryPartition> known = partitions;
    if (known != null && now - beganNanos <= age.toNanos()) {
      return known;
    }
    want();
    if (known != null && isImpatient(now)) {
      return known;
    }
    awaitReading((known == null ? firstLimit : PATIENCE).toNanos());
    List<HistoryPartition> found = partitions;
    if (found == null) {
      throw new IllegalStateException(
          "The partitions of History could not be listed within %d s: %s"
              .formatted(firstLimit.toSeconds(), failure));
    }
    return found;
  }

  private boolean isImpatient(long now) {
    return impatientSinceNanos != null && now - impatientSinceNanos < NO_PATIENCE.toNanos();
  }

  private void want() {
    isWanted = true;
    notifyAll();
    if (thread == null) {
      thread = new Thread(this::listWhenWanted, threadName);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Until one more list is read. */
  private void awaitReading(long nanos) {
    long before = readings;
    long end = System.nanoTime() + nanos;
    try {
      while (readings == before) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          impatientSinceNanos = System.nanoTime();
          return;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      impatientSinceNanos = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the partitions of History are listed", e);
    }
  }

  private void listWhenWanted() {
    MongoClient client = null;
    try {
      while (awaitWanted()) {
        long began = System.nanoTime();
        try {
          client = client == null ? connect.get() : client;
          read(new HistoryPartitions(client, database, history).list(), began);
          continue;
        } catch (MongoException e) {
          // Its own words may quote commands.
          failed("%s, code %d".formatted(e.getClass().getSimpleName(), e.getCode()));
        } catch (RuntimeException e) {
          failed(e.toString());
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      LOG.debug("Closed while it paused", e);
    } finally {
      if (client != null && !ClosingWait.close(client, "close-" + threadName, CLOSE_TIMEOUT)) {
        LOG.warn("A connection that listed partitions ends with the read timeout");
      }
    }
  }

  /** False once this is closed. */
  private synchronized boolean awaitWanted() {
    try {
      while (!isWanted && !isClosed) {
        wait();
      }
    } catch (InterruptedException e) {
      return false;
    }
    isWanted = false;
    return !isClosed;
  }

  private synchronized void read(List<HistoryPartition> found, long began) {
    if (!found.equals(partitions)) {
      partitions = found;
    }
    beganNanos = began;
    readings++;
    notifyAll();
  }

  private synchronized void failed(String reason) {
    failure = reason;
    if (isClosed) {
      return;
    }
    LOG.warn("The partitions of History could not be listed: {}", reason);
    // Somebody waits for the first one: it is tried until then.
    isWanted = partitions == null;
  }

  @Override
  public void close() {
    Thread lister;
    synchronized (this) {
      isClosed = true;
      notifyAll();
      lister = thread;
    }
    if (lister != null) {
      lister.interrupt();
      if (!ClosingWait.join(lister, CLOSE_TIMEOUT)) {
        LOG.warn("Partitions are still being listed; that ends with the read timeout");
      }
    }
  }
}
