package io.lastfix.store.erasure;

import java.util.Map;

/**
 * A snapshot of the erasure list. Immutable. It takes about 80 bytes of heap per user.
 *
 * @param version the list's version; the snapshot contains every addition up to this version and
 *     maybe later ones
 * @param untilMillisByUser for each user, the last erased timestamp, in milliseconds since
 *     1970-01-01T00:00:00Z
 */
public record ErasedUsers(long version, Map<UserHash, Long> untilMillisByUser) {
  /** The version of a list to which no user was ever added. */
  public static final long EMPTY_VERSION = 0;

  /** The empty list. */
  public static final ErasedUsers NONE = new ErasedUsers(EMPTY_VERSION, Map.of());

  public ErasedUsers {
    untilMillisByUser = Map.copyOf(untilMillisByUser);
  }

  /** Returns true if the list is empty, so that no user needs to be hashed. */
  public boolean isEmpty() {
    return untilMillisByUser.isEmpty();
  }

  /**
   * Returns true if a record must not be stored: its user is erased, and its timestamp is not after
   * the last erased one.
   */
  public boolean covers(UserHash user, long timestampMillis) {
    Long untilMillis = untilMillisByUser.get(user);
    return untilMillis != null && timestampMillis <= untilMillis;
  }

  /**
   * As the other method.
   *
   * @param user as stored
   */
  public boolean covers(String user, long timestampMillis) {
    return !isEmpty() && covers(UserHash.of(user), timestampMillis);
  }
}
