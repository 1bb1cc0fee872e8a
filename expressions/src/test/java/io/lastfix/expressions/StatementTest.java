package io.lastfix.expressions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StatementTest {
  private final Language language = new Language();

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
    assertThat(language.compile(text).evaluate(TestFacts.ofABus())).as(text).isEqualTo(expected);
  }

  /** Also the names that a record always has: facts of another module must not end a task. */
  @ParameterizedTest
  @EnumSource(Name.class)
  void aLackingValueThrowsNothing(Name name) throws ExpressionException {
    Statement statement =
        language.compile(
            "user + source + string(lon) + string(lat) + string(time) + string(far) == ''"
                + " || cell == network || accuracy + altitude + speed > 3 || hour('UTC') > 30");

    assertThat(statement.evaluate(TestFacts.ofABus().without(name))).isEqualTo(Outcome.UNDECIDED);
  }
}
