package io.lastfix.expressions;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.expressions.generate.StatementCompiler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementTest {
  /** For each name a condition that is true of a bus with an altitude, and fails without it. */
  private static final Map<Name, String> CONDITIONS =
      Map.ofEntries(
          entry(Name.USER, "user.startsWith('bus')"),
          entry(Name.CELL, "size(cell) > 3"),
          entry(Name.NETWORK, "network.contains('410')"),
          entry(Name.SOURCE, "source.endsWith('s')"),
          entry(Name.LON, "lon < 0.0"),
          entry(Name.LAT, "lat + 1.0 > 0.0"),
          entry(Name.ACCURACY, "accuracy * 2.0 > 0.0"),
          entry(Name.ALTITUDE, "altitude >= 3.0"),
          entry(Name.SPEED, "-speed < 0.0"),
          entry(Name.TIME, "time.getHours() == 12"),
          entry(Name.FAR, "!far"));

  private static final Set<Name> MAY_LACK =
      Set.of(Name.CELL, Name.NETWORK, Name.ACCURACY, Name.ALTITUDE, Name.SPEED);

  private final Language language = new Language();

  private Statement compile(String text) throws ExpressionException {
    return language.compile(text, TestLiterals.ANY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '^',
      value = {
        "speed > 19                          ; TRUE",
        "speed > 20                          ; FALSE",
        "speed == 20.0                       ; TRUE",
        "user == 'bus-17'                    ; TRUE",
        "user in ['tram-1', 'bus-17']        ; TRUE",
        "user.startsWith('tram')             ; FALSE",
        "network == '310-410' && !far        ; TRUE",
        "source == 'gnss'                    ; TRUE",
        "lon < -122 && lat > 37              ; TRUE",
        "accuracy / 2.0 < 6.3                ; TRUE",
        "hour('UTC') == 12                   ; TRUE",
        "hour('America/Los_Angeles') == 4    ; TRUE",
        "time.getHours() == 12               ; TRUE",
        "time > timestamp('2026-11-20T11:59:59Z') ; TRUE",
        "inside('depot')                     ; TRUE",
        "inside('garage')                    ; FALSE",
        "area(13) == 'level-13'              ; TRUE",
        "distance(-122.4, 37.7) == 0.0       ; TRUE",
        "distance(-121.4, 37.7) < 1.1        ; TRUE",
        "size(user) == 6                     ; TRUE",
        "1 / (size(user) - 6) == 0           ; FAILED",
        "altitude == null                    ; TRUE",
        "altitude != null && altitude > 3    ; FALSE",
        "altitude > 3                        ; UNDECIDED",
        "altitude > 3 || far                 ; UNDECIDED",
        "altitude > 3 || !far                ; TRUE",
        "altitude > 3 && far                 ; FALSE",
        "altitude + 1.0 > 3                  ; UNDECIDED",
        "(altitude == null ? 0.0 : altitude) < 1 ; TRUE"
      })
  void anOutcomeIsThatOfTheRecord(String text, Outcome expected) throws ExpressionException {
    assertOutcome(text, TestFacts.ofABus(), expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '^',
      value = {
        "network != '310-410'                       ; TRUE",
        "network == '310-410'                       ; FALSE",
        "network in ['310-410']                     ; FALSE",
        "!(network in ['310-410'])                  ; TRUE",
        "network == null                            ; TRUE",
        "network != null && network != '310-410'    ; FALSE",
        "altitude != 3.0                            ; TRUE",
        "network.startsWith('310')                  ; UNDECIDED",
        "network < '310-410'                        ; UNDECIDED"
      })
  void nullDiffersFromEveryValue(String text, Outcome expected) throws ExpressionException {
    assertOutcome(text, TestFacts.ofABus().without(Name.NETWORK), expected);
  }

  /** Also the names that a record always has: facts of another module must not end a task. */
  @ParameterizedTest
  @EnumSource(Name.class)
  void aLackingValueThrowsNothing(Name name) throws ExpressionException {
    TestFacts facts = TestFacts.ofABus().with(Name.ALTITUDE, 3.0);
    Outcome withoutIt = MAY_LACK.contains(name) ? Outcome.UNDECIDED : Outcome.FAILED;

    assertOutcome(CONDITIONS.get(name), facts, Outcome.TRUE);
    assertOutcome(CONDITIONS.get(name), facts.without(name), withoutIt);
  }

  /** Both with CEL's runtime and with code. */
  private void assertOutcome(String text, Facts facts, Outcome expected)
      throws ExpressionException {
    Statement statement = compile(text);
    assertThat(statement.hasCode()).isFalse();
    assertThat(statement.evaluate(facts)).as(text).isEqualTo(expected);

    assertThat(new StatementCompiler().update(List.of(statement))).isEmpty();
    assertThat(statement.hasCode()).isTrue();
    assertThat(statement.evaluate(facts)).as("code of %s", text).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '^',
      value = {
        "speed > 1.0                                       ; {}",
        "user == 'a'                                       ; {USER=[a]}",
        "'a' == user                                       ; {USER=[a]}",
        "network in ['a']                                  ; {NETWORK=[a]}",
        "source == 'a' && speed > 1.0                      ; {SOURCE=[a]}",
        "speed > 1.0 && (far && user == 'a')               ; {USER=[a]}",
        "user == 'a' && cell == 'b'                        ; {USER=[a], CELL=[b]}",
        "user in ['a', 'b'] && user in ['b', 'c']          ; {USER=[b]}",
        "user == 'a' && user == 'b'                        ; {USER=[]}",
        "(user == 'a' && far) || (user == 'a' && !far)     ; {USER=[a]}",
        "user == 'a' || cell == 'b'                        ; {}",
        "user == 'a' || speed > 1.0                        ; {}",
        "user == source                                    ; {}",
        "user != 'a'                                       ; {}",
        "!(user == 'a')                                    ; {}",
        "user.startsWith('a')                              ; {}",
        "user in ['a', source]                             ; {}",
        "cell == null                                      ; {}",
        "far ? user == 'a' : user == 'a'                   ; {}"
      })
  void theTextsThatAConditionRequiresAreKnown(String text, String expected)
      throws ExpressionException {
    assertThat(new TreeMap<>(compile(text).required())).hasToString(expected);
  }

  @Test
  void eachOfSeveralTextsMayBeTheOneThatIsRequired() throws ExpressionException {
    assertThat(compile("user in ['a', 'b'] || user == 'c'").required())
        .isEqualTo(Map.of(Name.USER, Set.of("a", "b", "c")));
  }

  /** The index of rules has them, and a statement serves all threads. */
  @ParameterizedTest
  @ValueSource(
      strings = {"user == 'a'", "user == 'a' && user in ['a', 'b']", "user == 'a' || user == 'b'"})
  void theRequiredTextsCannotBeChanged(String text) throws ExpressionException {
    Set<String> texts = compile(text).required().get(Name.USER);

    assertThatThrownBy(() -> texts.add("c")).isInstanceOf(UnsupportedOperationException.class);
  }
}
