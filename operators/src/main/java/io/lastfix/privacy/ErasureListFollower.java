package io.lastfix.privacy;

import io.lastfix.kit.digest.Sha256;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListCollection;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import io.lastfix.store.erasure.UserHash;
import java.io.IOException;
import java.io.Serializable;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The erasure list for an operator that keeps state of users. It replaces no {@link
 * ErasureFilterSink}: an operator decides by the list of the moment, and a channel may keep what it
 * put out before.
 *
 * <p>The first query waits until the list was read. If that takes too long, or the list cannot be
 * read, the job fails.
 */
public final class ErasureListFollower implements AutoCloseable {
  private final MessageDigest sha256 = Sha256.create();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final ErasureListWatcher watch;
  private volatile @Nullable ErasureListUnreadableException failure;

  /** Opens the list for one subtask. */
  public interface Opener extends Serializable {
    /**
     * Starts to follow the list.
     *
     * @param threadName of the thread that follows it
     */
    ErasureListFollower open(String threadName);
  }

  /** Opens the list that the sinks follow. */
  public static Opener opener(ErasureListOptions options) {
    return threadName ->
        new ErasureListFollower(
            ErasureListCollection.open(options),
            options.refreshInterval(),
            options.retryTimeout(),
            threadName);
  }

  /**
   * Starts to follow a list.
   *
   * @param list closed with this
   * @param interval time between two checks
   * @param limit how long the first query may wait
   * @param threadName of the thread that follows it
   */
  public ErasureListFollower(
      ErasureList list, Duration interval, Duration limit, String threadName) {
    watch = new ErasureListWatcher(list, interval, limit, this::answered, threadName);
    watch.start();
  }

  /** Called in the watcher's thread. */
  private void answered(@Nullable ErasureListUnreadableException reason) {
    failure = reason;
    answered.countDown();
  }

  /**
   * Waits until the list was read, so that no query waits.
   *
   * @throws IOException if the list cannot be read
   */
  public void awaitRead() throws IOException, InterruptedException {
    if (watch.newest() == null) {
      var unused = awaitFirst();
    }
  }

  /**
   * Returns true if the user's erasure reaches from the first timestamp, but not to the second.
   *
   * @throws IOException if the list cannot be read
   */
  public boolean endsBetween(String user, long fromMillis, long toMillis)
      throws IOException, InterruptedException {
    ErasedUsers newest = watch.newest();
    ErasedUsers erased = newest == null || failure != null ? awaitFirst() : newest;
    if (erased.isEmpty()) {
      return false;
    }
    var hash = UserHash.of(sha256, user);
    return erased.covers(hash, fromMillis) && !erased.covers(hash, toMillis);
  }

  private ErasedUsers awaitFirst() throws IOException, InterruptedException {
    watch.recordWaits();
    answered.await();
    if (failure != null) {
      throw failure;
    }
    return watch.newest();
  }

  @Override
  public void close() {
    watch.close();
  }
}
