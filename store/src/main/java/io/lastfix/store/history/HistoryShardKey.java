package io.lastfix.store.history;

import io.lastfix.store.provision.KeyPattern;
import java.util.Locale;

/**
 * The shard key of History on a sharded cluster. Both begin with the user. A user's records of one
 * period are therefore together, and a replayed record goes to the shard that has it.
 */
public enum HistoryShardKey {
  /** The user's hash: evenly spread, in chunks that exist before the first record. */
  USER_HASHED,
  /** The user itself: users that sort together are stored together. */
  USER;

  KeyPattern keys() {
    return switch (this) {
      case USER_HASHED -> KeyPattern.hashed("user", "ts");
      case USER -> KeyPattern.ascending("user", "ts");
    };
  }

  /** Returns the value as in the configuration: {@code user-hashed}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
