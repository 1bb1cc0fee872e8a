package io.lastfix.audit.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lastfix.audit.Messages;
import io.lastfix.audit.tree.TreeReader.TreeReading;
import io.lastfix.parse.DefaultLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes of MLP as the audit reads them, by the documentation of the profiles. */
class MlpShapeReaderTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "profiles.md");
  private static final Pattern ROW = Pattern.compile("\\| `(<.+?)` \\| (.+) \\|");
  private static final String COORD = "<coord><X>51.5</X><Y>-0.12</Y></coord>";

  static Stream<Arguments> rows() throws IOException {
    String page = Files.readString(PAGE);
    String table = page.substring(page.indexOf("### mlp"), page.indexOf("## What is rejected"));
    List<Arguments> rows =
        table
            .lines()
            .map(ROW::matcher)
            .filter(Matcher::matches)
            .map(row -> arguments(row.group(1), row.group(2)))
            .toList();
    assertThat(rows).hasSizeGreaterThan(10);
    return rows.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aShapeYieldsWhatTheTableOfTheProfilesSays(String shape, String yields) {
    TreeReading reading = read(shape);

    if (yields.startsWith("invalid-position")) {
      assertThat(reading.records()).isEmpty();
      return;
    }
    OwnPosition own = own(reading);
    assertThat(yields)
        .isEqualTo(
            "7 at 2026-11-20T12:00:01Z: %s, %s (mlp%s)"
                .formatted(
                    own.lon(),
                    own.lat(),
                    own.accuracyMeters() == null ? "" : ", " + own.accuracyMeters() + " m"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "30 27 45.3N | 0 07 39.36W | 30.4625833 | -0.1276",
        "-30 27 45.3 | 122 15 33.431 W | -30.4625833 | -122.2592864",
        "30\u00b027'45.3\"s | 7\u00b0e | -30.4625833 | 7.0",
        "301628.312 | 0451533.431E | 30.2745311 | 45.2592864",
        "30128.5 | 451533.431 | 3.0245833 | 45.2592864",
        "30 30N | 12 0.5 | 30.5 | 12.0083333",
        "5.1E-4 | -1e1 | 5.1E-4 | -10.0",
        "+.5 | 180. | 0.5 | 180.0"
      })
  void anAngleIsReadInAllItsForms(String x, String y, double lat, double lon) {
    OwnPosition own = own(read(point("<X>" + x + "</X><Y>" + y + "</Y>")));

    assertThat(own.lat()).isEqualTo(lat);
    assertThat(own.lon()).isEqualTo(lon);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "N",
        "-",
        ".",
        "91",
        "30 27 45.3E",
        "-30 27 45.3N",
        "30 60 0N",
        "306028N",
        "30.5 27N",
        "30 27.5 45N",
        "30 27 45 3N",
        "0301628.312N",
        "NaN",
        "1e",
        "0x1p3"
      })
  void anythingElseIsNoLatitude(String x) {
    assertThat(read(point("<X>" + x + "</X><Y>1</Y>")).records()).isEmpty();
  }

  @Test
  void lengthsAndAnglesHaveUnitsAndAnAxisIsTheLongerOne() {
    assertThat(
            own(read(area("<radius>2</radius><distanceUnit>KM</distanceUnit>"))).accuracyMeters())
        .isEqualTo(2_000);
    assertThat(read(area("<radius>2</radius><distanceUnit>mile</distanceUnit>")).records())
        .isEmpty();
    String ellipse =
        "<EllipticalArea>%s<semiMajor>20</semiMajor><semiMinor>90</semiMinor></EllipticalArea>";
    assertThat(own(read(ellipse.formatted(COORD))).accuracyMeters()).isEqualTo(90);
    String arc =
        "<CircularArcArea>%s<inRadius>5</inRadius><outRadius>9</outRadius><startAngle>%s</startAngle>"
            + "<stopAngle>%s</stopAngle>%s</CircularArcArea>";
    assertThat(
            own(read(arc.formatted(COORD, 0, Math.PI, "<angularUnit>radians</angularUnit>"))).lon())
        .isEqualTo(own(read(arc.formatted(COORD, 0, 180, ""))).lon())
        .isGreaterThan(-0.12);
  }

  @Test
  void aShapeBeyondTheLimitsIsNone() {
    assertThat(read(line(1_000)).records()).hasSize(1);
    assertThat(read(line(1_001)).records()).isEmpty();
    assertThat(read("<a>".repeat(13) + point(COORD) + "</a>".repeat(13)).records()).hasSize(1);
    assertThat(read("<a>".repeat(14) + point(COORD) + "</a>".repeat(14)).records()).isEmpty();
    assertThat(read(COORD + "<a/>".repeat(4_996) + point(COORD)).records()).isEmpty();
    assertThat(read(point("<X>1." + "0".repeat(62) + "</X><Y>2</Y>")).records()).hasSize(1);
    assertThat(read(point("<X>1." + "0".repeat(63) + "</X><Y>2</Y>")).records()).isEmpty();
  }

  private static String line(int points) {
    return "<LineString>" + COORD.repeat(points) + "</LineString>";
  }

  private static String point(String coord) {
    return "<Point>"
        + (coord.startsWith("<coord>") ? coord : "<coord>" + coord + "</coord>")
        + "</Point>";
  }

  private static String area(String radius) {
    return "<CircularArea>" + COORD + radius + "</CircularArea>";
  }

  private static OwnPosition own(TreeReading reading) {
    assertThat(reading.problems()).isEmpty();
    return Objects.requireNonNull(reading.records().get(0).own(), "own");
  }

  private static TreeReading read(String shape) {
    String message =
        "<slia><pos><msid>7</msid><pd><time>20261120120001</time><shape>%s</shape></pd></pos></slia>"
            .formatted(shape);
    return TreeReader.of(Messages.profile("mlp"), DefaultLimits.DECODER)
        .read(message.getBytes(UTF_8));
  }
}
