package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryOptionsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(
      strings = {"primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"})
  void everyReadPreferenceOfMongoIsTaken(String name) {
    assertThat(new QueryOptions(LIMIT, name, null).readPreference()).isEqualTo(name);
  }

  @Test
  void anyOtherReadPreferenceIsRefused() {
    assertThatThrownBy(() -> new QueryOptions(LIMIT, "second", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "readPreference: expected primary, primaryPreferred, secondary, secondaryPreferred or"
                + " nearest, found \"second\"");
  }

  @Test
  void aStalenessOfNinetySecondsIsTakenAndOfLessIsRefused() {
    assertThat(new QueryOptions(LIMIT, "secondary", Duration.ofSeconds(90)).maxStaleness())
        .isEqualTo(QueryOptions.LEAST_STALENESS);
    assertThatThrownBy(() -> new QueryOptions(LIMIT, "secondary", Duration.ofSeconds(89)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxStaleness: expected 90 s or more, found 89 s");
  }

  @Test
  void aStalenessOfThePrimaryIsRefused() {
    for (String preference : new String[] {"primary", null}) {
      assertThatThrownBy(() -> new QueryOptions(LIMIT, preference, Duration.ofSeconds(90)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("maxStaleness: expected with a readPreference other than primary");
    }
  }

  @Test
  void aQueryWithoutTimeLimitIsRefused() {
    assertThatThrownBy(() -> QueryOptions.within(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeLimit: expected 1 ms to 24 days, found 0 ms");
    assertThatThrownBy(() -> QueryOptions.within(Duration.ofDays(25)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
