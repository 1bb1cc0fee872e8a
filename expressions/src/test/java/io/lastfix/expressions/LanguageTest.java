package io.lastfix.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanguageTest {
  private final Language language = new Language();

  private Statement compile(String text) throws ExpressionException {
    return language.compile(text, TestLiterals.ANY);
  }

  private ExpressionException failure(String text) {
    ExpressionException failure =
        catchThrowableOfType(ExpressionException.class, () -> compile(text));
    assertThat(failure).as(text).isNotNull();
    return failure;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "speed > 33",
        "speed > 33.0 && hour(\"America/Los_Angeles\") < 6",
        "user in [\"a\", \"b\"] || user.startsWith(\"bus-\")",
        "altitude != null && altitude < -10.5",
        "far ? accuracy < 50 : distance(-122.4, 37.7) <= 200",
        "!inside(\"depot\") && area(13) == \"808f7e\"",
        "time.getDayOfWeek(\"Europe/Berlin\") == 0",
        "time > timestamp(\"2026-11-20T00:00:00Z\")"
      })
  void aConditionOfRecordsIsAccepted(String text) throws ExpressionException {
    assertThat(compile(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "speed + 1.0     | 1 | 1  | expected a condition, which is true or false, found a value of type double",
        "user            | 1 | 1  | expected a condition, which is true or false, found a value of type string",
        "area(31) == ''  | 1 | 6  | expected a level from 0 to 30, found 31",
        "hour('x/y') < 6 | 1 | 6  | expected a time zone such as \"Europe/Berlin\"",
        "inside(user)    | 1 | 8  | expected a literal, as the argument of this function",
        "user.matches('a') | 1 | 13 | the function matches is not available in rules",
        "type(1) == int  | 1 | 5  | the function type is not available in rules",
        "dyn(user) == 1  | 1 | 4  | the function dyn is not available in rules",
        "far == {}.a     | 1 | 10 | expected no members, maps, messages and loops",
        "far && time.getHours('Europ/Berlin') < 6 | 1 | 22 | expected a time zone such as \"Europe/Berlin\"",
        "far && time.getHours(user) < 6 | 1 | 22 | expected a literal, as the argument of this function",
        "time > timestamp('x') | 1 | 18 | expected a timestamp such as \"2026-11-20T00:00:00Z\"",
        "time - time < duration('x') | 1 | 24 | expected a duration such as \"90s\"",
        "distance(181.0, 37.7) < 1.0 | 1 | 10 | expected a longitude from -180 to 180, found 181.0",
        "distance(lon, 91.0) < 1.0 | 1 | 15 | expected a latitude from -90 to 90, found 91.0",
        "1 / 0 == 1      | 1 | 3  | cannot be computed for any record",
        "far && inside('lax') | 1 | 15 | there is no lax",
        "user == 'secret'  | 1 | 9  | a secret",
        "user in ['a', 'secret'] | 1 | 15 | a secret",
        "'secret' in [user] | 1 | 1  | a secret",
        "user.startsWith('secret') | 1 | 17 | a part of a secret",
        "user > 'secret'   | 1 | 8  | a part of a secret"
      })
  void whatIsNotAvailableIsNamedWithItsPlace(String text, int line, int column, String message) {
    ExpressionException failure = failure(text);

    assertThat(failure).hasMessage(message);
    assertThat(failure.line()).isEqualTo(line);
    assertThat(failure.column()).isEqualTo(column);
  }

  @Test
  void swappedArgumentsAndAnIndexAreNamed() {
    assertThat(failure("distance(37.7, -122.4) < 1.0"))
        .hasMessage("expected a latitude from -90 to 90, found -122.4");
    assertThat(failure("['a'][0] == user")).hasMessage("the operator [] is not available in rules");
  }

  @Test
  void literalsThatCanBeComputedAreAccepted() throws ExpressionException {
    String text =
        "distance(-180.0, 90.0) > 2.0 * 3.0 && time < timestamp('2026-11-20T00:00:00+01:00')"
            + " && time - time < duration('1h30m') && time.getHours('-08:00') < int('6')"
            + " && network != 'secret'";

    assertThat(compile(text).text()).isEqualTo(text);
  }

  @Test
  void thePageNamesEachFunction() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "rules", "conditions.md"));

    assertThat(TreeCheck.FUNCTIONS)
        .filteredOn(function -> function.matches("[a-zA-Z]+"))
        .hasSizeGreaterThan(10)
        .allSatisfy(function -> assertThat(page).containsPattern("`" + function + "[`(]"));
  }

  /** CEL's own messages. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "speeed > 3         | 1 | 1 | undeclared reference to 'speeed'",
        "user > 3           | 1 | 6 | found no matching overload for '_>_'",
        "distance(1, 2) < 3 | 1 | 9 | found no matching overload for 'distance'",
        "99999999999999999999 > 0 | 1 | 1 | expected a number of at most 64 bits, found"
      })
  void anErrorOfTypesHasItsPlace(String text, int line, int column, String message) {
    ExpressionException failure = failure(text);

    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.line()).isEqualTo(line);
    assertThat(failure.column()).isEqualTo(column);
  }

  @Test
  void anErrorHasNoWordsOfCelThatMeanNothingInARule() {
    assertThat(failure("speeed > 3")).hasMessage("undeclared reference to 'speeed'");
    assertThat(failure("1 + 2\n3 +")).hasMessageContaining("'%'").hasMessageContaining("expecting");
  }

  @Test
  void thePlaceHasTheLine() {
    ExpressionException failure = failure("speed > 3\n&& speeed > 4");

    assertThat(failure.line()).isEqualTo(2);
    assertThat(failure.column()).isEqualTo(4);
  }

  static Stream<Arguments> hostile() {
    return Stream.of(
            "",
            " ",
            "(".repeat(2_000),
            "(".repeat(1_990) + "far" + ")".repeat(1_990),
            "far" + ".a".repeat(1_900),
            "far" + "&&far".repeat(700),
            "1" + "+1".repeat(1_900) + ">0",
            "[".repeat(1_900) + "]".repeat(1_900),
            "far ? ".repeat(600) + "far" + " : far".repeat(60),
            "'" + "a".repeat(5_000) + "' == user",
            "[1, 2].all(x, x > 0)",
            "[1, 2].exists(x, [3].exists(y, y > x))",
            "has(user.name)",
            "google.protobuf.Struct{} == null",
            "\u0000",
            "\ud800")
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void hostileTextsAreRefused(String text) {
    assertThatThrownBy(() -> compile(text)).isInstanceOf(ExpressionException.class);
  }

  @Test
  void theNumberOfNodesIsBounded() throws ExpressionException {
    // far and && alternate.
    assertThat(compile("far" + "&&far".repeat(99)).text()).isNotEmpty();

    assertThat(failure("far" + "&&far".repeat(100)))
        .hasMessage("expression node limit (200) exceeded");
  }

  @Test
  void theFencesOfAConditionAreKnown() throws ExpressionException {
    assertThat(compile("inside('a') || !inside(\"b\") || inside('a')").fences())
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void theTextsOfAConditionAreKnown_WithoutEscapes() throws ExpressionException {
    assertThat(compile("(far ? 'a' : 'b') == user || user in ['c', \"\\x64\"]").texts())
        .containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Property(tries = 2_000)
  void aTextIsACondition_OrItsFailureHasAPlace(@ForAll("texts") String text) {
    try {
      assertThat(compile(text).text()).isEqualTo(text);
    } catch (ExpressionException e) {
      assertThat(e.getMessage()).isNotBlank();
      assertThat(e.line()).isPositive();
      assertThat(e.column()).isPositive();
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "user", "speed", "far", "time", "null", "1", "2.5", "'a'", "\"", "(", ")", "[", "]",
            "{", "}", ",", ".", "?", ":", "!", "-", "+", "*", "/", "%", "&&", "||", "==", "<", ">=",
            "in", "inside(", "hour(", "size(", "all(", " ", "\n", "\\", "`", "b'", "0x", "ä", "😀")
        .list()
        .ofMaxSize(20)
        .map(parts -> String.join("", parts));
  }
}
