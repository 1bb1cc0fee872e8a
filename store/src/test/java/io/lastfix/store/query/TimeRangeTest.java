package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeRangeTest {
  private static final Instant MOMENT = Instant.parse("2026-11-20T12:00:01.001Z");

  @Test
  void boundsBetweenTwoMillisecondsAreRoundedUpWhichLeavesOutWhatComesBefore() {
    TimeRange range = new TimeRange(MOMENT.plusNanos(1), MOMENT.plusMillis(5).plusNanos(1));

    assertThat(range.from()).isEqualTo(MOMENT.plusMillis(1));
    assertThat(range.to()).isEqualTo(MOMENT.plusMillis(6));
  }

  @Test
  void wholeMillisecondsStayAsTheyAreAlsoBefore1970() {
    Instant before1970 = Instant.parse("1969-12-31T23:59:59.999Z");

    assertThat(new TimeRange(before1970, MOMENT))
        .hasToString("TimeRange[from=1969-12-31T23:59:59.999Z, to=2026-11-20T12:00:01.001Z]");
  }

  @Test
  void anEmptyOrReversedRangeIsRefused() {
    assertThatThrownBy(() -> new TimeRange(MOMENT, MOMENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "from and to: expected a time and a later one, found 2026-11-20T12:00:01.001Z and"
                + " 2026-11-20T12:00:01.001Z");
    assertThatThrownBy(() -> new TimeRange(MOMENT, MOMENT.minusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMomentBeyondFourDigitsOfYearsIsRefused() {
    assertThatThrownBy(() -> new TimeRange(MOMENT, Instant.parse("+10000-01-01T00:00:00Z")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("to: expected a time from 0000-01-01T00:00:00Z to 9999-12-31");
  }
}
