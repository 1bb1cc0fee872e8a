package io.lastfix.privacy;

import com.mongodb.MongoException;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.connect.WriteErrorClassifier;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the erasure list in a thread of its own. It reads the list, checks its version at an
 * interval, and reads the whole list again if the version is greater. It retries failed reads.
 * Meanwhile, and if the list has become older, the last list read stays valid.
 */
final class ErasureListWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureListWatcher.class);

  /** The version before the first read. */
  static final long NOT_READ = -1;

  private final ErasureList list;
  private final Duration interval;
  private final Duration limit;
  private final Listener listener;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong failures = new AtomicLong();
  private volatile @Nullable ErasedUsers newest;

  /** True if the list on the server is older than {@link #newest}. */
  private volatile boolean isSetBack;

  private volatile boolean waits;
  private volatile long waitingSinceNanos;
  private boolean hasFailedSince;

  /** Receives, in the watcher's thread, the result of the first read and the end of the watcher. */
  interface Listener {
    /**
     * Called after the first read, and at the end.
     *
     * @param failure null: {@link #newest()} is available from now on. Else the watcher has
     *     stopped, whether or not it had read the list
     */
    void answered(@Nullable ErasureListUnreadableException failure);
  }

  /**
   * Creates a watcher; {@link #start} starts it.
   *
   * @param list closed with this
   * @param interval time between two checks
   * @param limit how long a record may wait for the first read before the watcher stops
   * @param threadName name for thread dumps
   */
  ErasureListWatcher(
      ErasureList list, Duration interval, Duration limit, Listener listener, String threadName) {
    this.list = list;
    this.interval = interval;
    this.limit = limit;
    this.listener = listener;
    thread = new Thread(this::follow, threadName);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Returns the last list read; null before the first read. */
  @Nullable ErasedUsers newest() {
    return newest;
  }

  /**
   * Returns the version of the list in use. Returns {@link #NOT_READ} before the first read, and
   * while the list on the server is older than the one in use. An older list reuses version
   * numbers, so the known version would wrongly cover users added since then.
   */
  long version() {
    ErasedUsers known = newest;
    return known == null || isSetBack ? NOT_READ : known.version();
  }

  /** Starts the time limit of the first read: a record waits from now on. */
  void recordWaits() {
    waitingSinceNanos = System.nanoTime();
    waits = true;
  }

  private boolean hasWaitedTooLong() {
    return waits && System.nanoTime() - waitingSinceNanos >= limit.toNanos();
  }

  /** Returns how often the list was unreadable. */
  long failures() {
    return failures.get();
  }

  private void follow() {
    try {
      do {
        if (!check()) {
          return;
        }
      } while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      // close() ends the thread.
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // An error such as no memory. Without this, no thread would follow the list or wake up a
      // waiting record.
      if (closed.getCount() > 0) {
        failures.incrementAndGet();
        listener.answered(
            new ErasureListUnreadableException("The job no longer reads the erasure list", e));
      } else {
        LOG.warn("The thread that reads the erasure list has failed while closing", e);
      }
    }
  }

  /** Checks the list once. Returns false if the watcher should stop. */
  boolean check() {
    ErasedUsers known = newest;
    try {
      if (known == null) {
        newest = list.read();
      } else {
        readIfNewer(known);
      }
      if (known == null) {
        listener.answered(null);
      }
      if (hasFailedSince) {
        hasFailedSince = false;
        LOG.info("The erasure list can be read again");
      }
      return true;
    } catch (MongoException e) {
      return failed(known, e, WriteErrorClassifier.isTransient(e));
    } catch (RuntimeException e) {
      // An invalid document in the list, or a bug. The last list read stays valid.
      return failed(known, e, false);
    }
  }

  private void readIfNewer(ErasedUsers known) {
    long version = list.version();
    if (version > known.version()) {
      ErasedUsers read = list.read();
      version = read.version();
      if (version >= known.version()) {
        newest = read;
      }
    }
    isSetBack = version < known.version();
    if (isSetBack) {
      throw new IllegalStateException(
          "it has version %d and had %d, so it was dropped or restored from a backup. Stop this job, which still uses the newer list. Run 'lastfix forget --no-job' for every user who was erased since the backup. Then start the job again"
              .formatted(version, known.version()));
    }
  }

  private boolean failed(
      @Nullable ErasedUsers known, RuntimeException failure, boolean isTransient) {
    if (closed.getCount() == 0) {
      return false;
    }
    failures.incrementAndGet();
    ErasureListUnreadableException explained = ErasureListUnreadableException.of(failure);
    if (known == null && (!isTransient || hasWaitedTooLong())) {
      listener.answered(explained);
      return false;
    }
    if (!hasFailedSince) {
      hasFailedSince = true;
      LOG.warn(
          "{}; the job retries every {} ms, and until then {}",
          explained.getMessage(),
          interval.toMillis(),
          known == null ? "it stores nothing" : "it uses the last list that it has read");
    }
    return true;
  }

  /** Ends the thread. A thread that waits for the server ends with the driver's time limits. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    boolean hasEnded = ClosingWait.join(thread, ClosingWait.LIMIT);
    if (!ClosingWait.close(list, "close-forgotten-list", ClosingWait.LIMIT) || !hasEnded) {
      LOG.warn("The erasure list is still being read; that ends with the driver's timeouts");
    }
  }
}
