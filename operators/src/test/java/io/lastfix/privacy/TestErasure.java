package io.lastfix.privacy;

import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.ErasureListOptions;
import java.time.Duration;

/** Options to start from. */
final class TestErasure {
  /** Looks often, and does not give up. */
  static final ErasureListOptions OPTIONS = withRetryTimeout(Duration.ofMinutes(1));

  private TestErasure() {}

  /** Looks often, and gives up after that. */
  static ErasureListOptions withRetryTimeout(Duration limit) {
    return new ErasureListOptions(
        MongoOptions.defaults("mongodb://nowhere.example/", "lastfix"),
        "forgotten",
        Duration.ofMillis(5),
        limit);
  }
}
