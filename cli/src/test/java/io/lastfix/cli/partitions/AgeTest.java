package io.lastfix.cli.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class AgeTest {
  private static final Instant NOW = Instant.parse("2028-03-31T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "P90D, 2028-01-01T12:00:00Z",
    "p90d, 2028-01-01T12:00:00Z",
    "90d, 2028-01-01T12:00:00Z",
    "90 d, 2028-01-01T12:00:00Z",
    "P1M, 2028-02-29T12:00:00Z",
    "P1Y, 2027-03-31T12:00:00Z",
    "P2W, 2028-03-17T12:00:00Z",
    "PT36H, 2028-03-30T00:00:00Z",
    "P1DT12H, 2028-03-30T00:00:00Z",
    "36h, 2028-03-30T00:00:00Z"
  })
  void aTimeOfIso8601OrOfTheConfigurationIsTaken(String text, Instant before) {
    assertThat(new Age.Converter().convert(text).before(NOW)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "90",
        "0d",
        "P0D",
        "-P1D",
        "P-1D",
        "-1d",
        "1 fortnight",
        "PT",
        "P99999999999D"
      })
  void whatIsNoTimeOrNotMoreThanNothingIsRefused(String text) {
    assertThatThrownBy(() -> new Age.Converter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "expected a time more than 0, such as P90D, P3M, PT36H, 90d or 36h; found '%s'"
                .formatted(text));
  }
}
