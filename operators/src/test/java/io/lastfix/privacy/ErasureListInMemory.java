package io.lastfix.privacy;

import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.erasure.UserHasher;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A list that a test writes, and that fails when the test says so. */
final class ErasureListInMemory implements ErasureList, Serializable {
  private volatile ErasedUsers users = ErasedUsers.NOBODY;
  private volatile @Nullable Throwable failure;
  private volatile int failuresLeft;
  private volatile boolean isClosed;

  /** Adds a user, and raises the version. */
  void forget(String storedAs, long untilMillis) {
    Map<UserHash, Long> more = new HashMap<>(users.untilMillisByUser());
    more.put(new UserHasher().hash(storedAs), untilMillis);
    users = new ErasedUsers(users.version() + 1, more);
  }

  /** An empty list takes its place, as when it was dropped. */
  void drop() {
    users = ErasedUsers.NOBODY;
  }

  /** The next so many questions end with that. */
  void fail(RuntimeException with, int times) {
    failWith(with, times);
  }

  /** The same, with what nobody reckons with. */
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
