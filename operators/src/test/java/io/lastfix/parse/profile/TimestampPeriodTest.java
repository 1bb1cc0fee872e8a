package io.lastfix.parse.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.history.PartitionPeriod;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A record's period follows from its instant in UTC, whatever the time zone of its text. */
class TimestampPeriodTest {
  @Property(tries = 3_000)
  void aTimeOfAnyZoneIsInThePeriodOfItsMomentInUtc(
      @ForAll PartitionPeriod period,
      @ForAll("nearTurns") Instant moment,
      @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offsetMinutes) {
    OffsetDateTime written = moment.atOffset(ZoneOffset.ofTotalSeconds(offsetMinutes * 60));
    long iso = parse("iso8601", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(written), 0);
    long digits =
        parse(
            "yyyyMMddHHmmss",
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT).format(written),
            offsetMinutes * 60);

    OffsetDateTime utc = moment.atOffset(ZoneOffset.UTC);
    String month = "h_%04d_%02d".formatted(utc.getYear(), utc.getMonthValue());
    String day = "%s_%02d".formatted(month, utc.getDayOfMonth());
    String expected =
        switch (period) {
          case MONTH -> month;
          case DAY -> day;
          case HOUR -> "%s_%02d".formatted(day, utc.getHour());
        };
    assertThat(period.collectionName("h", iso)).isEqualTo(expected);
    assertThat(period.collectionName("h", digits)).isEqualTo(expected);
  }

  private static long parse(String format, String text, int offsetSeconds) {
    return TimestampParser.of(format).parse(text.toCharArray(), 0, text.length(), offsetSeconds);
  }

  /** Generates instants near the starts of years, months and leap days of a century. */
  @Provide
  Arbitrary<Instant> nearTurns() {
    Arbitrary<LocalDate> turns =
        Arbitraries.oneOf(
            Arbitraries.integers().between(2000, 2099).map(year -> LocalDate.of(year, 1, 1)),
            Arbitraries.integers().between(0, 24).map(n -> LocalDate.of(2000 + 4 * n, 2, 29)),
            Arbitraries.integers()
                .between(0, 1_199)
                .map(months -> LocalDate.of(2000, 1, 1).plusMonths(months)));
    Arbitrary<Long> millis =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-2, 2),
            Arbitraries.longs().between(-86_400_000, 86_400_000));
    return Combinators.combine(turns, millis)
        .as((turn, away) -> turn.atStartOfDay().toInstant(ZoneOffset.UTC).plusMillis(away));
  }
}
