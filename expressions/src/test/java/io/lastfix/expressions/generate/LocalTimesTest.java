package io.lastfix.expressions.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalTimesTest {
  /** Before the first transition of any zone; at the end, a rule computes them. */
  private static final Instant FROM = Instant.parse("1800-01-01T00:00:00Z");

  private static final Instant TO = Instant.parse("2200-01-01T00:00:00Z");
  private static final int INSTANTS = 5_000;

  /** Among their transitions are some by seconds or half an hour, and one that omits a day. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "-08:30",
        "America/Los_Angeles",
        "Europe/London",
        "Europe/Dublin",
        "Asia/Kathmandu",
        "Africa/Casablanca",
        "Australia/Lord_Howe",
        "Pacific/Apia"
      })
  void aTimeIsThatOfTheZonesClock(String id) {
    ZoneId zone = ZoneId.of(id);
    LocalTimes times = new LocalTimes(zone);
    Random random = new Random(1);

    for (int i = 0; i < INSTANTS; i++) {
      assertParts(times, zone, random.nextLong(FROM.toEpochMilli(), TO.toEpochMilli()));
    }
    ZoneOffsetTransition transition = zone.getRules().nextTransition(FROM);
    while (transition != null && transition.getInstant().isBefore(TO)) {
      long millis = transition.getInstant().toEpochMilli();
      for (long at : new long[] {millis - 1, millis, millis + 999, millis - 1_000, millis + 1}) {
        assertParts(times, zone, at);
      }
      transition = zone.getRules().nextTransition(transition.getInstant());
    }
  }

  private static void assertParts(LocalTimes times, ZoneId zone, long millis) {
    ZonedDateTime expected = Instant.ofEpochMilli(millis).atZone(zone);
    assertThat(
            List.of(
                times.year(millis),
                times.month(millis),
                times.date(millis),
                times.dayOfWeek(millis),
                times.hour(millis),
                times.minute(millis)))
        .as("%s", expected)
        .containsExactly(
            (long) expected.getYear(),
            expected.getMonthValue() - 1L,
            (long) expected.getDayOfMonth(),
            expected.getDayOfWeek().getValue() % 7L,
            (long) expected.getHour(),
            (long) expected.getMinute());
  }
}
