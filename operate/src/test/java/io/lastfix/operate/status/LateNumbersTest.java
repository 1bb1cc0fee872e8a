package io.lastfix.operate.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.query.numbers.LateRecords;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LateNumbersTest {
  private static final Instant FROM = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-20T13:00:00Z");
  private static final Instant SINCE = Instant.parse("2026-11-21T00:00:00Z");
  private static final LateNumbers SOME =
      new LateNumbers(
          List.of(
              new LateNumbers.Kind("counts", new LateRecords(7, FROM, TO, SINCE.plusSeconds(60))),
              new LateNumbers.Kind("trips", new LateRecords(9, FROM, TO, SINCE))),
          Optional.empty());

  @Test
  void recordsThatMayStillBeAddedByThemselvesAreNoTrouble() {
    assertThat(SOME.text(SINCE.plusSeconds(1))).isEmpty();
    assertThat(SOME.text(SINCE.plus(LateNumbers.PATIENCE))).isEmpty();
  }

  @Test
  void recordsThatNothingHasAddedForTooLongAreNamedWithTheCommandThatSaysWhy() {
    assertThat(SOME.text(SINCE.plus(LateNumbers.PATIENCE).plusSeconds(1)))
        .contains(
            "Up to 9 located records are missing in counts, trips: they came too late. They are of "
                + FROM
                + " to "
                + TO
                + ". lastfix supervise adds them from History; so does lastfix analyze late. They"
                + " have waited since 2026-11-21T00:00:00Z: lastfix analyze late prints why");
  }

  @Test
  void whereNothingIsMissingThereIsNothingToSay() {
    assertThat(new LateNumbers(List.of(), Optional.empty()).text(SINCE)).isEmpty();
    assertThat(LateNumbers.UNKNOWN.text(SINCE)).isEmpty();
    assertThat(
            new LateNumbers(
                    List.of(), Optional.of(new LateNumbers.Unknown("not authorized", false)))
                .text(SINCE))
        .contains("It is not known whether records came too late: not authorized");
  }
}
