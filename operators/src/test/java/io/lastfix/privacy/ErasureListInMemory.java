package io.lastfix.privacy;

import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.UserHash;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A list that the test fills, and that fails on demand. */
final class ErasureListInMemory implements ErasureList, Serializable {
  private volatile ErasedUsers users = ErasedUsers.NONE;
  private volatile @Nullable Throwable failure;
  private volatile int failuresLeft;
  private volatile boolean isClosed;

  /** Adds a user, and raises the version. */
  void forget(String storedAs, long untilMillis) {
    Map<UserHash, Long> more = new HashMap<>(users.untilMillisByUser());
    more.put(UserHash.of(storedAs), untilMillis);
    users = new ErasedUsers(users.version() + 1, more);
  }

  /** Replaces the list by an empty one, as after a drop. */
  void drop() {
    users = ErasedUsers.NONE;
  }

  /** Makes that number of next queries throw the exception. */
  void fail(RuntimeException with, int times) {
    failWith(with, times);
  }

  /** Makes the next queries throw an unexpected error. */
  void fail(Error with, int times) {
    failWith(with, times);
  }

  private void failWith(Throwable with, int times) {
    failure = with;
    failuresLeft = times;
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public long version() {
    failIfToldTo();
    return users.version();
  }

  @Override
  public ErasedUsers read() {
    failIfToldTo();
    return users;
  }

  private synchronized void failIfToldTo() {
    Throwable toThrow = failure;
    if (toThrow != null && failuresLeft > 0) {
      failuresLeft--;
      if (toThrow instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) toThrow;
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
