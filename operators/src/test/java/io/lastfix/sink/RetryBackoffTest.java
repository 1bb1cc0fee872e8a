package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryBackoffTest {
  private final BulkOptions options =
      new BulkOptionsBuilder()
          .retryInitialBackoff(Duration.ofMillis(50))
          .retryMaxBackoff(Duration.ofSeconds(1))
          .build();

  @ParameterizedTest
  @CsvSource({
    "1, 0, 50",
    "2, 0, 100",
    "3, 0, 200",
    "5, 0, 800",
    "6, 0, 1000",
    "1000000, 0, 1000",
    "1, 0.5, 38",
    "1, 0.999, 26",
    "6, 0.5, 750"
  })
  void thePauseDoublesUpToTheLongestAndIsShortenedByUpToHalf(
      int attempts, double random, long millis) {
    assertThat(options.pauseMillis(attempts, random)).isEqualTo(millis);
  }
}
