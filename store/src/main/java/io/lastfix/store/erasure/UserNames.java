package io.lastfix.store.erasure;

import org.jspecify.annotations.Nullable;

/** Maps a user to the name that the job stores. Not thread-safe. */
public interface UserNames {
  /**
   * Returns the name in both collections.
   *
   * @param user the device or subscriber as messages name it
   */
  String storedAs(String user);

  /**
   * Returns the mapping of a job with this key.
   *
   * @param key null: the job stores users under their own ids
   */
  static UserNames of(@Nullable PseudonymKey key) {
    return key == null ? user -> user : new Pseudonyms(key)::of;
  }
}
