package io.lastfix.store.erasure;

import org.jspecify.annotations.Nullable;

/** Under which name the job stores a user. Not thread-safe. */
public interface UserNames {
  /**
   * The name in both collections.
   *
   * @param user as messages name the device or subscriber
   */
  String storedAs(String user);

  /**
   * As a job with that key does it.
   *
   * @param key null: users are stored under their own ids
   */
  static UserNames of(@Nullable PseudonymKey key) {
    return key == null ? user -> user : new Pseudonyms(key)::of;
  }
}
