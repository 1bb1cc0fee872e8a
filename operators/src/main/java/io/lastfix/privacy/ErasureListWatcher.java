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
 * Follows the list of the forgotten on a thread of its own: reads it, looks every while whether its
 * version is another, and then reads all of it anew. What it cannot read it tries again; what was
 * read before holds on meanwhile, as it does where the list has become an older one.
 */
final class ErasureListWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureListWatcher.class);

  /** How long {@link #close} waits for a thread that is still in the driver. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final ErasureList list;
  private final Duration interval;
  private final Duration limit;
  private final Listener listener;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong failures = new AtomicLong();
  private volatile @Nullable ErasedUsers newest;

  /** The list there is older than {@link #newest}. */
  private volatile boolean isSetBack;

  private volatile boolean waits;
  private volatile long waitingSinceNanos;
  private boolean hasFailedSince;

  /** Is told, by the watch's own thread, how the first reading went, and that the watch is over. */
  interface Listener {
    /** {@link #newest()} is there now. */
    void read();

    /** The list is not followed any more, whether or not it was ever read. */
    void refused(ErasureListUnreadableException failure);
  }

  /**
   * Nothing happens before {@link #start}.
   *
   * @param list closed with this
   * @param interval between two looks
   * @param limit how long a record may wait for the first reading, before this gives up
   * @param threadName for thread dumps
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

  /** The list as it was read last; null before it was read for the first time. */
  @Nullable ErasedUsers newest() {
    return newest;
  }

  /**
   * The version of the list that is followed; {@link ErasureFilterMetrics#NOT_READ} where none is:
   * before the first reading, and while the list there is older than the one that was read. Its
   * versions count anew then, so the version known would say of a user that was added since that he
   * is in it.
   */
  long version() {
    ErasedUsers known = newest;
    return known == null || isSetBack ? ErasureFilterMetrics.NOT_READ : known.version();
  }

  /** From now on a record waits for the first reading. */
  void recordWaits() {
    waitingSinceNanos = System.nanoTime();
    waits = true;
  }

  private boolean hasWaitedTooLong() {
    return waits && System.nanoTime() - waitingSinceNanos >= limit.toNanos();
  }

  /** How often the list could not be read. */
  long failures() {
    return failures.get();
  }

  private void follow() {
    try {
      do {
        if (!look()) {
          return;
        }
      } while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      // Told to end, by close.
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // An error, such as no memory: nobody would follow the list any more, nor wake up who waits.
      if (closed.getCount() > 0) {
        failures.incrementAndGet();
        listener.refused(
            new ErasureListUnreadableException(
                "The list of the forgotten is not followed any more", e));
      } else {
        LOG.warn("Following the list of the forgotten ended with a failure", e);
      }
    }
  }

  /** Returns whether it makes sense to go on. */
  boolean look() {
    ErasedUsers known = newest;
    try {
      if (known == null) {
        newest = list.read();
      } else {
        lookForNewer(known);
      }
      if (known == null) {
        listener.read();
      }
      if (hasFailedSince) {
        hasFailedSince = false;
        LOG.info("The list of the forgotten can be read again");
      }
      return true;
    } catch (MongoException e) {
      return failed(known, e, WriteErrorClassifier.isTransient(e));
    } catch (RuntimeException e) {
      // A document that is none of the list's, or a bug. What was read before holds on.
      return failed(known, e, false);
    }
  }

  private void lookForNewer(ErasedUsers known) {
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
          "it has version %d and had %d, so it was dropped or is from a backup. Stop this job, which still knows the newer one, run 'lastfix forget --no-job' for everybody who was forgotten since the backup, and start it again"
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
      listener.refused(explained);
      return false;
    }
    if (!hasFailedSince) {
      hasFailedSince = true;
      LOG.warn(
          "{}; it is tried again every {} ms, and until then {}",
          explained.getMessage(),
          interval.toMillis(),
          known == null ? "nothing is stored" : "nobody is forgotten who was not before");
    }
    return true;
  }

  /** Ends the thread. One that is waiting for the server ends with the driver's time limits. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    boolean hasEnded = ClosingWait.join(thread, CLOSE_TIMEOUT);
    if (!ClosingWait.close(list, "close-forgotten-list", CLOSE_TIMEOUT) || !hasEnded) {
      LOG.warn("The list of the forgotten is still being read; that ends with the driver's limits");
    }
  }
}
