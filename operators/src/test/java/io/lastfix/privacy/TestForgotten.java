package io.lastfix.privacy;

import io.lastfix.sink.MongoOptions;
import java.time.Duration;

/** Options to start from. */
final class TestForgotten {
  /** Looks often, and does not give up. */
  static final ForgottenOptions OPTIONS = withRetryTimeout(Duration.ofMinutes(1));

  private TestForgotten() {}

  /** Looks often, and gives up after that. */
  static ForgottenOptions withRetryTimeout(Duration limit) {
    return new ForgottenOptions(
        MongoOptions.defaults("mongodb://nowhere.example/", "lastfix"),
        "forgotten",
        Duration.ofMillis(5),
        limit);
  }
}
