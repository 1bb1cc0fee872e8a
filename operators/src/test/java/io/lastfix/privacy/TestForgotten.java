package io.lastfix.privacy;

import io.lastfix.sink.MongoOptions;
import java.time.Duration;

/** Options to start from. */
final class TestForgotten {
  /** Looks often, and gives up soon. */
  static final ForgottenOptions OPTIONS =
      new ForgottenOptions(
          MongoOptions.defaults("mongodb://nowhere.example/", "lastfix"),
          "forgotten",
          Duration.ofMillis(5),
          Duration.ofMillis(50));

  private TestForgotten() {}
}
