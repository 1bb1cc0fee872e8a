package io.lastfix.parse.shape;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MlpAngleTest {
  private static double latitude(String text) {
    return MlpAngle.parse(text.toCharArray(), 0, text.length(), true);
  }

  private static double longitude(String text) {
    return MlpAngle.parse(text.toCharArray(), 0, text.length(), false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "30 27 45.3N | 30.4625833",
        "30 27 45.3 | 30.4625833",
        "-30 27 45.3 | -30.4625833",
        "30 27 45.3 s | -30.4625833",
        "30\u00b027'45.3\"N | 30.4625833",
        "301628.312N | 30.2745311",
        "301628.312 | 30.2745311",
        "301628S | -30.2744444",
        "-301628.312 | -30.2745311",
        "30128.5 | 3.0245833",
        "5.1E-4 | 5.1E-4",
        "-5.1e-4 | -5.1E-4",
        "1e1N | 10.0",
        "30.4625833 | 30.4625833",
        "+30.4625833 | 30.4625833",
        "30.5N | 30.5",
        "30 30N | 30.5",
        "-0.5 | -0.5",
        "90 | 90.0",
        "9 0 0N | 9.0"
      })
  void aLatitudeIsReadInAllItsForms(String text, double degrees) {
    assertThat(latitude(text)).isEqualTo(degrees);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0451533.431E | 45.2592864",
        "1221533.431W | -122.2592864",
        "122 15 33.431 W | -122.2592864",
        "-122.39 | -122.39",
        "451533.431E | 45.2592864",
        "-5.1E-4 | -5.1E-4"
      })
  void aLongitudeIsReadInAllItsForms(String text, double degrees) {
    assertThat(longitude(text)).isEqualTo(degrees);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "N",
        "-",
        ".",
        "abc",
        "30 27 45.3E",
        "-30 27 45.3N",
        "30 60 0N",
        "30 27 60N",
        "306028N",
        "30.5 27 45N",
        "30 27.5 45N",
        "30 27 45 3N",
        "3O 27 45N",
        "NaN",
        "0x1p3",
        "1e",
        "1e1e1",
        "e1",
        "1,5",
        "--5",
        "--5e1",
        "+-5e1"
      })
  void anythingElseIsNoLatitude(String text) {
    assertThat(latitude(text)).isNaN();
  }

  @Test
  void onlyPackedDegreesOfTheRightLengthAreTakenApart() {
    assertThat(latitude("0301628.312N")).isEqualTo(301628.312);
    assertThat(longitude("30128.5")).isEqualTo(30128.5);
    assertThat(longitude("00301628.312")).isEqualTo(301628.312);
  }
}
