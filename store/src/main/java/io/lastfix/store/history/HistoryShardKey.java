package io.lastfix.store.history;

import io.lastfix.store.provision.KeyPattern;

/**
 * What History is sharded on, where the server is a sharded cluster. Both begin with the user, so
 * that a user's records of one period are together, and a replayed record goes to the shard that
 * has it.
 */
public enum HistoryShardKey {
  /** The user's hash: spread evenly, into chunks that are made before the first record. */
  USER_HASHED,
  /** The user as it is: users that sort together are together. */
  USER;

  KeyPattern keys() {
    return switch (this) {
      case USER_HASHED -> KeyPattern.hashed("user", "ts");
      case USER -> KeyPattern.ascending("user", "ts");
    };
  }
}
