package io.lastfix.parse.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampParserTest {
  private static final long YEAR_0 = -62_167_219_200L;
  private static final long YEAR_10000 = 253_402_300_800L;

  private static long parse(String format, String text, int offsetSeconds) {
    // The text is surrounded by other characters, as in a decoder's buffer.
    char[] buffer = ("7" + text + "8").toCharArray();
    return TimestampParser.of(format).parse(buffer, 1, 1 + text.length(), offsetSeconds);
  }

  private static long parse(String format, String text) {
    return parse(format, text, TimestampParser.NO_OFFSET);
  }

  @Property
  void iso8601IsReadAsJavaTimeReadsIt(
      @ForAll @LongRange(min = YEAR_0, max = YEAR_10000 - 1) long second,
      @ForAll @IntRange(max = 999_999_999) int nano,
      @ForAll @IntRange(min = -1080, max = 1080) int offsetMinutes) {
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(offsetMinutes * 60);
    OffsetDateTime time = Instant.ofEpochSecond(second, nano).atOffset(offset);
    if (time.getYear() < 0 || time.getYear() > 9999) {
      return;
    }
    assertThat(parse("iso8601", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time)))
        .isEqualTo(time.toInstant().toEpochMilli());
  }

  @Property(tries = 5_000)
  void whatIso8601AcceptsIsWhatJavaTimeAccepts(@ForAll("almostTimes") String text) {
    long expected;
    try {
      expected = OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      expected = TimestampParser.INVALID;
    }
    assertThat(parse("iso8601", text)).as(text).isEqualTo(expected);
  }

  @Provide
  Arbitrary<String> almostTimes() {
    Arbitrary<Character> changes = Arbitraries.chars().with("0123456789-:TtZz.+ ");
    return Arbitraries.of(
            "2026-11-20T12:00:01.001Z", "2024-02-29T23:59:59+01:00", "1900-02-28T00:00-18:00")
        .flatMap(
            text ->
                Arbitraries.integers()
                    .between(0, text.length() - 1)
                    .flatMap(
                        at ->
                            changes.map(c -> text.substring(0, at) + c + text.substring(at + 1))));
  }

  @Property
  void digitsOfAFixedWidthAreReadAsJavaTimeReadsThem(
      @ForAll @LongRange(min = YEAR_0, max = YEAR_10000 - 1) long second,
      @ForAll @IntRange(min = -1080, max = 1080) int offsetMinutes) {
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(offsetMinutes * 60);
    OffsetDateTime time = Instant.ofEpochSecond(second).atOffset(offset);
    if (time.getYear() < 0 || time.getYear() > 9999) {
      return;
    }
    String text = DateTimeFormatter.ofPattern("uuuuMMddHHmmss").format(time);
    assertThat(parse("yyyyMMddHHmmss", text, offset.getTotalSeconds())).isEqualTo(second * 1000);
  }

  @Property
  void epochSecondsAreReadAsBigDecimalReadsThem(
      @ForAll @LongRange(min = -1_000_000_000_000L, max = 1_000_000_000_000L) long millis,
      @ForAll @IntRange(max = 999_999) int nanos) {
    BigDecimal seconds = BigDecimal.valueOf(millis * 1_000_000L / 1_000 + nanos, 6);
    long expected = seconds.movePointRight(3).setScale(0, java.math.RoundingMode.FLOOR).longValue();
    assertThat(parse("epoch-seconds", seconds.toPlainString())).isEqualTo(expected);
  }

  @Property
  void epochMillisAreReadAsLongReadsThem(
      @ForAll @LongRange(min = -999_999_999_999_999_999L, max = 999_999_999_999_999_999L)
          long millis) {
    assertThat(parse("epoch-millis", Long.toString(millis))).isEqualTo(millis);
    assertThat(parse("auto", Long.toString(millis))).isEqualTo(millis);
    assertThat(parse("epoch-millis", millis + ".0")).isEqualTo(millis);
    assertThat(parse("auto", millis + ".000000000")).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({"1.", ".5", "1.2.3", "1.0000000000", "1e3", "1.x", "-", "-."})
  void millisecondsWithAFractionThatIsNoneAreRefused(String text) {
    assertThat(parse("epoch-millis", text)).isEqualTo(TimestampParser.INVALID);
    assertThat(parse("auto", text)).isEqualTo(TimestampParser.INVALID);
  }

  @Property
  void noTextMakesAnyFormatThrow(@ForAll String text) {
    for (String format :
        new String[] {
          "iso8601", "epoch-millis", "epoch-seconds", "auto", "yyyyMMddHHmmss", "d-MMM-uuuu HH:mm"
        }) {
      long millis = parse(format, text);
      assertThat(millis == TimestampParser.INVALID || Math.abs(millis) < Long.MAX_VALUE / 2)
          .isTrue();
    }
  }

  @Example
  void aPatternOfWordsIsLeftToJavaTime() {
    assertThat(parse("d MMM uuuu HH:mm:ss XXX", "20 Nov 2026 13:00:01 +01:00"))
        .isEqualTo(Instant.parse("2026-11-20T12:00:01Z").toEpochMilli());
    assertThat(parse("d MMM uuuu HH:mm", "20 Nov 2026 13:00", 3600))
        .isEqualTo(Instant.parse("2026-11-20T12:00:00Z").toEpochMilli());
    assertThat(parse("d MMM uuuu HH:mm", "30 Feb 2026 13:00", 3600))
        .isEqualTo(TimestampParser.INVALID);
  }

  @ParameterizedTest
  @CsvSource({
    "yyyyMMddHHmmss,    20261120120001,          2026-11-20T12:00:01Z",
    "yyyyMMddHHmm,      202611201200,            2026-11-20T12:00:00Z",
    "dd.MM.yyyy HH:mm:ss.SSS, 20.11.2026 12:00:01.001, 2026-11-20T12:00:01.001Z",
    "uuuu/MM/dd-HH:mm:ss.S, 2026/11/20-12:00:01.9, 2026-11-20T12:00:01.9Z"
  })
  void aPatternOfDigitsIsReadInUtcWithoutAnOffset(String format, String text, String expected) {
    assertThat(parse(format, text)).isEqualTo(Instant.parse(expected).toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "Z, 0",
    "z, 0",
    "0000, 0",
    "-0000, 0",
    "0330, 12600",
    "+0330, 12600",
    "-0330, -12600",
    "+03:30, 12600",
    "-03, -10800",
    "1800, 64800"
  })
  void anOffsetMayBeSignedOrNot(String text, int expected) {
    assertThat(Timestamps.offset(text.toCharArray(), 0, text.length())).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"+", "1", "+1", "330", "0360", "1801", "-1801", "+3:30", "ZZ", "--03", "0x30"})
  void anOffsetThatIsNoneIsRefused(String text) {
    assertThat(Timestamps.offset(text.toCharArray(), 0, text.length()))
        .isEqualTo(TimestampParser.NO_OFFSET);
  }

  @Test
  void aYearOfTooManyDigitsForMillisecondsIsNoMoment() {
    assertThat(parse("uuuu-MM-dd'T'HH:mm:ssX", "+999999999-01-01T00:00:00Z"))
        .isEqualTo(TimestampParser.INVALID);
  }

  @Test
  void aPatternThatGivesNoMomentIsRefusedAtOnce() {
    for (String pattern : new String[] {"iso", "yyyyMMdd", "HH:mm", "d MMM yyyy HH:mm", "'"}) {
      assertThatThrownBy(() -> TimestampParser.of(pattern))
          .as(pattern)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("found '" + pattern + "'");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1795176001, 1795176001000",
    "1795176001.5, 1795176001500",
    "99999999999, 99999999999000",
    "100000000000, 100000000000",
    "1795176001001, 1795176001001",
    "-1, -1000",
    "-100000000000, -100000000000",
    "2026-11-20T12:00:01.001Z, 1795176001001",
    "9999999999999999, 9999999999999999",
    "1795176001000.0, 1795176001000",
    "1795176001001.000000, 1795176001001",
    "1795176001001.9, 1795176001001",
    "99999999999.999, 99999999999999",
    "100000000000.0, 100000000000",
    "-100000000000.5, -100000000001",
    "-99999999999.9999, -100000000000000",
    "1795176001.0, 1795176001000"
  })
  void anyReadsSecondsAndMillisecondsBySize(String text, long millis) {
    assertThat(parse("any", text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({"''", "x", "1e9", "2026-11-20", "2026-11-20T12:00:01", "1.2.3"})
  void anyReadsNothingElse(String text) {
    assertThat(parse("any", text)).isEqualTo(TimestampParser.INVALID);
  }
}
