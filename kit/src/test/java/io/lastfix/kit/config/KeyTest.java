package io.lastfix.kit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {
  private enum Start {
    FROM_FIRST,
    LAST,
    NONE
  }

  private static final Key<Duration> WAIT = Key.duration("wait", null, "How long.");
  private static final Key<Start> START = Key.oneOf("in.start", Start.LAST, "Where a|b.");

  @ParameterizedTest
  @CsvSource({
    "200 ms,200",
    "5 s,5000",
    "5s,5000",
    "2 min,120000",
    "24 h,86400000",
    "0 s,0",
    "1 D,86400000"
  })
  void durationsHaveTheirUnitInTheValue(String text, long millis) {
    assertThat(WAIT.parse(text)).hasMillis(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-1 s", "1.5 s", "1 week", "s", "999999999999999999 d", "PT5S"})
  void otherTextsAreNoDurations(String text) {
    assertThatThrownBy(() -> WAIT.parse(text))
        .hasMessage("expected a duration such as 200 ms, 5 s or 1 min");
  }

  @Test
  void sizesAreNumbersOfBytes() {
    assertThat(Key.size("s", "16 mb", "").defaultValue()).isEqualTo(16L << 20);
    assertThat(Key.bytes("s", "2 kb", "").defaultValue()).isEqualTo(2_048);
    assertThatThrownBy(() -> Key.bytes("s", "1 b", "").parse("2 gb"))
        .hasMessage("expected 1 b to 2047 mb");
    assertThatThrownBy(() -> Key.size("s", "1 b", "").parse("16"))
        .hasMessage("expected a size such as 64 kb or 16 mb");
  }

  @ParameterizedTest
  @ValueSource(strings = {"from-first", "FROM_FIRST", "From-first"})
  void theNamesOfAClosedSetAreReadInEitherCase(String text) {
    assertThat(START.parse(text)).isEqualTo(Start.FROM_FIRST);
    assertThat(START.defaultText()).isEqualTo("last");
  }

  @Test
  void whatIsExpectedIsNamed() {
    assertThatThrownBy(() -> START.parse("middle")).hasMessage("expected from-first, last or none");
    assertThatThrownBy(() -> Key.oneOf("s", Start.LAST, Start::name, "").parse("middle"))
        .hasMessage("expected FROM_FIRST, LAST or NONE");
    assertThatThrownBy(() -> Key.flag("f", true, "").parse("maybe"))
        .hasMessage("expected true or false");
    assertThatThrownBy(() -> Key.number("n", 1, "").parse("1.0"))
        .hasMessage("expected a whole number");
    assertThatThrownBy(() -> Key.atLeastOne("n", null, "").parse("0"))
        .hasMessage("expected 1 or more");
    assertThatThrownBy(() -> Key.text("t", null, "").parse(" ")).hasMessage("expected a text");
    assertThatThrownBy(() -> Key.nameText("t", null, "").parse("a.b"))
        .hasMessage("expected up to 60 letters, digits, '_' and '-'");
  }

  @Test
  void theFileAndThePageShowTheDefaults() {
    List<Key<?>> keys =
        List.of(
            START, Key.list("in.names", "a, b", "Names."), WAIT, Key.flag("on", true, "Is it."));

    assertThat(ConfigurationDocument.yaml("# All.\n", keys, Set.of(START), "# End.\n"))
        .isEqualTo(
            """
            # All.

            # ---- in -----------------------------------------------------------------------------------------

            # Where a|b.
            # in.start: last

            # Names.
            in.names: [a, b]

            # ---- wait ---------------------------------------------------------------------------------------

            # How long.
            # wait:

            # ---- on -----------------------------------------------------------------------------------------

            # Is it.
            on: true
            # End.
            """);
    assertThat(ConfigurationDocument.page("# All\n", keys.subList(0, 3), ""))
        .isEqualTo(
            """
            # All

            ## in

            | key | default | unit | meaning |
            |---|---|---|---|
            | `in.start` | `last` | one of the values named | Where a\\|b. |
            | `in.names` | `[a, b]` | list | Names. |

            ## wait

            | key | default | unit | meaning |
            |---|---|---|---|
            | `wait` | – | duration | How long. |
            """);
  }
}
