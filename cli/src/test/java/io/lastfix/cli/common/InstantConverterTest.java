package io.lastfix.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class InstantConverterTest {
  private final InstantConverter converter =
      new InstantConverter(InstantSource.fixed(Instant.parse("2026-11-20T12:00:01.001Z")));

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T12:00:00Z, 2026-11-20T12:00:00Z",
    "2026-11-20T12:00Z, 2026-11-20T12:00:00Z",
    "2026-11-20T12:00:00.123Z, 2026-11-20T12:00:00.123Z",
    "2026-11-20T12:00:00+01:00, 2026-11-20T11:00:00Z",
    "2026-11-20T12:00-05:30, 2026-11-20T17:30:00Z",
    "2026-11-20, 2026-11-20T00:00:00Z",
    "2028-02-29, 2028-02-29T00:00:00Z",
    "now, 2026-11-20T12:00:01.001Z",
    "-90s, 2026-11-20T11:58:31.001Z",
    "-30m, 2026-11-20T11:30:01.001Z",
    "-2h, 2026-11-20T10:00:01.001Z",
    "-7d, 2026-11-13T12:00:01.001Z",
    "-0s, 2026-11-20T12:00:01.001Z"
  })
  void aMomentIsTakenAsPeopleWriteIt(String text, Instant moment) {
    assertThat(converter.convert(text)).isEqualTo(moment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-20T12:00:00", // the zone is missing
        "2026-11-20 12:00:00Z",
        "2026-02-30",
        "2026-13-01T00:00:00Z",
        "20261120",
        "1795176001001",
        "yesterday",
        "2h",
        "+2h",
        "-2",
        "-2w",
        "-1.5h",
        "- 2h",
        "-9999999999d"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "expected a time such as 2026-11-20T12:00:00Z or 2026-11-20T12:00+01:00, a day such"
                + " as 2026-11-20, an age such as -2h, -30m or -7d, or now; found '%s'",
            text);
  }
}
