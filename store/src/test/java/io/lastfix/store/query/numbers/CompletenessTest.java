package io.lastfix.store.query.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompletenessTest {
  private static final Instant NEWEST = Instant.parse("2026-11-20T12:00:00Z");
  private static final Completeness SOME =
      new Completeness(1_360, 2, 1_300, 7, Optional.of(NEWEST));

  @Test
  void theLineSaysHowCompleteAndHowLateTheNumbersAre() {
    assertThat(SOME.text("result", NEWEST.plusSeconds(14)))
        .isEqualTo(
            "1,360 results: 2 open, 58 closed, 1,300 from History (batch); the newest is of"
                + " 2026-11-20T12:00:00Z, 14 s ago");
    assertThat(SOME.text("result", NEWEST.plusSeconds(3 * 3_600)))
        .endsWith("; the newest is of 2026-11-20T12:00:00Z, 3 h ago");
    assertThat(SOME.text("result", NEWEST.plusSeconds(400L * 86_400)))
        .endsWith("; the newest is of 2026-11-20T12:00:00Z");
    assertThat(new Completeness(1, 0, 1, 0, Optional.of(NEWEST)).text("result", NEWEST))
        .startsWith("1 result: 0 open, 0 closed, 1 from History (batch)");
  }

  @Test
  void ofNumbersOfSmallGroupsALineSaysWhyThereAreNone() {
    assertThat(SOME.textOfWithheld("result", 15))
        .startsWith(
            "7 of 1,360 results are withheld and not shown: of fewer devices than"
                + " analytics.minimum-group, which is 15 in this configuration.");
    assertThat(new Completeness(9, 0, 0, 9, Optional.of(NEWEST)).textOfWithheld("result", 15))
        .startsWith("All of 9 results are withheld");
  }

  @Test
  void aTitleSaysIfNumbersAreOpen() {
    assertThat(SOME.inTitle()).isEqualTo(" (incomplete: 2 of 1,360 numbers open)");
    assertThat(Completeness.NONE.inTitle()).isEmpty();
  }
}
