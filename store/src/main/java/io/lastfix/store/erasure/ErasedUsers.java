package io.lastfix.store.erasure;

import java.util.Map;

/**
 * The list of the forgotten as it was at some moment. Immutable. About 80 bytes of heap a user.
 *
 * @param version of the list: all that was added up to this version is in it, and maybe more
 * @param untilMillisByUser each user's last forgotten moment, in milliseconds since
 *     1970-01-01T00:00:00Z
 */
public record ErasedUsers(long version, Map<UserHash, Long> untilMillisByUser) {
  /** The version of a list that nobody was ever added to. */
  public static final long EMPTY_VERSION = 0;

  /** Nobody was ever forgotten. */
  public static final ErasedUsers NOBODY = new ErasedUsers(EMPTY_VERSION, Map.of());

  public ErasedUsers {
    untilMillisByUser = Map.copyOf(untilMillisByUser);
  }

  /** Whether it is empty: then nobody's hash is needed. */
  public boolean isEmpty() {
    return untilMillisByUser.isEmpty();
  }

  /**
   * Whether a record must not be stored: it is of a user who was forgotten, and not from after
   * that.
   */
  public boolean covers(UserHash user, long timestampMillis) {
    Long untilMillis = untilMillisByUser.get(user);
    return untilMillis != null && timestampMillis <= untilMillis;
  }
}
