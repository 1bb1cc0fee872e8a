package io.lastfix.privacy;

import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.ErasureListOptions;
import java.time.Duration;

/** Options for tests. */
final class TestErasure {
  /** Checks often, and never gives up in a test. */
  static final ErasureListOptions OPTIONS = withRetryTimeout(Duration.ofMinutes(1));

  private TestErasure() {}

  /** Checks often, and gives up after that time. */
  static ErasureListOptions withRetryTimeout(Duration limit) {
    return new ErasureListOptions(
        MongoOptions.defaults("mongodb://nowhere.example/", "lastfix"),
        "forgotten",
        Duration.ofMillis(5),
        limit);
  }
}
