package io.lastfix.rules.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lastfix.expressions.Language;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.text.TextException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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

class RuleReaderTest {
  private static final RuleReader READER = new RuleReader(new Language());

  private static Rule read(String yaml) throws TextException {
    return READER.read(yaml, Set.of("sfo", "depot")::contains);
  }

  private static TextException failure(String yaml) {
    TextException failure = catchThrowableOfType(TextException.class, () -> read(yaml));
    assertThat(failure).as(yaml).isNotNull();
    return failure;
  }

  @Test
  void everyKeyOfAFencesRuleIsRead() throws TextException {
    Rule rule =
        read(
            """
            id: left-airport   # a comment
            when: {fence: sfo, is: left, for: 60s, margin: 0.2 km, certainty: 0.8}
            who: {ids: [cab-1, '007']}
            then: [{webhook: dispatch}, {mqtt: lastfix/v1/alerts}, {alertmanager: critical}]
            quiet: 15 min
            """);

    assertThat(rule)
        .isEqualTo(
            new Rule(
                "left-airport",
                new Condition.InFence("sfo", Alert.Kind.LEFT, Duration.ofSeconds(60), 200, 0.8),
                new Who.Users(Set.of("cab-1", "007")),
                List.of(
                    new Action(Action.Kind.WEBHOOK, "dispatch"),
                    new Action(Action.Kind.MQTT, "lastfix/v1/alerts"),
                    new Action(Action.Kind.ALERTMANAGER, "critical")),
                Duration.ofMinutes(15)));
    assertThat(rule.fences()).containsExactly("sfo");
    assertThat(rule.when().words()).isEqualTo("left sfo");
  }

  @ParameterizedTest
  @CsvSource({"entered, 0", "left, 0", "inside, 15", "outside, 15"})
  void whatIsNotGivenHasADefault(String is, int quietMinutes) throws TextException {
    Rule rule = read("{id: a, when: {fence: depot, is: %s}}".formatted(is));

    assertThat(rule.who()).isEqualTo(new Who.Everyone());
    assertThat(rule.then()).isEmpty();
    assertThat(rule.quiet()).isEqualTo(Duration.ofMinutes(quietMinutes));
    Condition.InFence when = (Condition.InFence) rule.when();
    assertThat(when.lasting()).isZero();
    assertThat(when.marginMeters()).isZero();
    assertThat(when.certainty()).isEqualTo(0.5);
  }

  @Test
  void expressionsAreCompiled_AndTheirFencesAreKnown() throws TextException {
    Rule rule =
        read(
            """
            id: fast
            when:
              expr: |
                speed > 33.0
                  && !inside("depot")
            who: {expr: 'inside("sfo")'}
            """);

    assertThat(rule.fences()).containsExactly("depot", "sfo");
    assertThat(rule.when().words()).isEqualTo("speed > 33.0 && !inside(\"depot\")");
    assertThat(rule.quiet()).isEqualTo(Duration.ofMinutes(15));
  }

  /** A group has no ids, so pseudonyms make no difference. */
  @Test
  void aRuleMayBeAboutAGroup() throws TextException {
    String yaml = "{id: a, when: {expr: far}, who: {group: fleet-a}}";

    assertThat(read(yaml).who()).isEqualTo(new Who.Members("fleet-a"));
    assertThat(READER.read(yaml, fence -> true, true).who()).isEqualTo(new Who.Members("fleet-a"));
  }

  @Test
  void theSilenceOfADeviceIsRead() throws TextException {
    Rule rule = read("{id: mute, when: {silent: position, for: 2 h}}");

    assertThat(rule.when())
        .isEqualTo(new Condition.Silent(Condition.Silent.Sign.POSITION, Duration.ofHours(2)));
    assertThat(rule.when().kind()).isEqualTo(Alert.Kind.SILENT);
    assertThat(rule.when().words()).isEqualTo("silent position");
    assertThat(rule.quiet()).isZero();
    assertThat(read("{id: mute, when: {silent: presence, for: 10 min}}").when())
        .isEqualTo(new Condition.Silent(Condition.Silent.Sign.PRESENCE, Duration.ofMinutes(10)));
  }

  @Test
  void theStepsOfASequenceAreRead() throws TextException {
    Rule rule =
        read(
            """
            id: round
            when:
              sequence:
                - {fence: depot, is: left, margin: 100 m}
                - {expr: 'speed > 33  && !inside("sfo")'}
                - {fence: sfo, is: inside, certainty: 0.9}
              within: 2 h
            """);

    Condition.Sequence when = (Condition.Sequence) rule.when();
    assertThat(when.kind()).isEqualTo(Alert.Kind.SEQUENCE);
    assertThat(when.within()).isEqualTo(Duration.ofHours(2));
    assertThat(when.steps()).hasSize(3);
    assertThat(when.steps().get(0))
        .isEqualTo(new Condition.InFence("depot", Alert.Kind.LEFT, Duration.ZERO, 100, 0.5));
    assertThat(when.last())
        .isEqualTo(new Condition.InFence("sfo", Alert.Kind.INSIDE, Duration.ZERO, 0, 0.9));
    assertThat(when.statements()).hasSize(1);
    assertThat(when.words())
        .isEqualTo("left depot, then speed > 33 && !inside(\"sfo\"), then inside sfo");
    assertThat(rule.fences()).containsExactly("depot", "sfo");
    assertThat(rule.quiet()).isEqualTo(Duration.ofMinutes(15));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "''                                  | 1:1  | expected a mapping of id, quiet, then, when, who",
        "[]                                  | 1:1  | expected a mapping of id, quiet, then, when, who",
        "{id: a}                             | 1:1  | expected a key when",
        "{when: {fence: sfo, is: left}}      | 1:1  | expected a key id",
        "{id: A, when: {fence: sfo, is: left}} | 1:6 | id: expected 1 to 64 of a-z, 0-9 and dashes",
        "{id: a, when: {fence: sfo}}         | 1:15 | expected a key is",
        "{id: a, when: {is: left}}           | 1:15 | expected one key of expr, fence, sequence, silent",
        "{id: a, when: {fence: sfo, is: LEFT}} | 1:32 | expected entered, left, inside or outside",
        "{id: a, when: {fence: sfo, is: expr}} | 1:32 | expected entered, left, inside or outside",
        "{id: a, when: {fence: lax, is: left}} | 1:23 | there is no fence lax: put it first with lastfix fence put",
        "{id: a, when: {fence: sfo, is: left, for: 1}} | 1:43 | expected a duration up to 30 d, such as 60 s or 15 min",
        "{id: a, when: {fence: sfo, is: left, for: 31d}} | 1:43 | expected a duration up to 30 d, such as 60 s or 15 min",
        "{id: a, when: {fence: sfo, is: left, margin: 200}} | 1:46 | expected a distance up to 100 km, such as 200 m",
        "{id: a, when: {fence: sfo, is: left, margin: 101 km}} | 1:46 | expected a distance up to 100 km, such as 200 m",
        "{id: a, when: {fence: sfo, is: left, certainty: 0.4}} | 1:49 | expected a share from 0.5 to 1",
        "{id: a, when: {fence: sfo, is: left, certainty: NaN}} | 1:49 | expected a share from 0.5 to 1",
        "{id: a, when: {fence: sfo, fence: sfo}} | 1:28 | expected each key once, found fence again",
        "{id: a, when: {expr: far, is: left}} | 1:31 | expected expr without is",
        "{id: a, when: {expr: ~}}            | 1:22 | expected a text",
        "{id: a, when: {sequence: [{expr: far}], within: 1 h}} | 1:26 | expected a list of 2 to 5 elements",
        "{id: a, when: {sequence: {expr: far}, within: 1 h}} | 1:26 | expected a list of 2 to 5 elements",
        "{id: a, when: {sequence: [{expr: far}, {expr: far}]}} | 1:15 | expected a key within",
        "{id: a, when: {sequence: [{expr: far}, {expr: far}], within: 0 s}} | 1:62 | expected more than 0 s",
        "{id: a, when: {sequence: [{expr: far}, {expr: far}], within: 31d}} | 1:62 | expected a duration up to 30 d, such as 60 s or 15 min",
        "{id: a, when: {sequence: [{expr: far}, {expr: far}], for: 1 h}} | 1:59 | expected sequence without for",
        "{id: a, when: {expr: far, within: 1 h}} | 1:35 | expected expr without within",
        "{id: a, when: {fence: sfo, is: left, within: 1 h}} | 1:46 | expected fence without within",
        "{id: a, when: {sequence: [{expr: far}, far], within: 1 h}} | 1:40 | expected a mapping of certainty, expr, fence, is, margin",
        "{id: a, when: {sequence: [{expr: far}, {}], within: 1 h}} | 1:40 | expected one key of expr, fence",
        "{id: a, when: {sequence: [{expr: far}, {fence: sfo}], within: 1 h}} | 1:40 | expected a key is",
        "{id: a, when: {sequence: [{expr: far}, {fence: lax, is: left}], within: 1 h}} | 1:48 | there is no fence lax: put it first with lastfix fence put",
        "{id: a, when: {sequence: [{expr: far}, {fence: sfo, is: sequence}], within: 1 h}} | 1:57 | expected entered, left, inside or outside",
        "{id: a, when: {sequence: [{expr: far}, {fence: sfo, is: left, for: 1 h}], within: 1 h}} | 1:63 | expected a mapping of certainty, expr, fence, is, margin, found the key for",
        "{id: a, when: {sequence: [{expr: far}, {expr: far, is: left}], within: 1 h}} | 1:56 | expected expr without is",
        "{id: a, when: {sequence: [{expr: far}, {expr: speeed > 1}], within: 1 h}} | 1:47 | undeclared reference to 'speeed'",
        "{id: a, when: {silent: position}} | 1:15 | expected a key for",
        "{id: a, when: {silent: speed, for: 1 h}} | 1:24 | expected position or presence",
        "{id: a, when: {silent: presence, for: 0 s}} | 1:39 | expected more than 0 s",
        "{id: a, when: {silent: presence, for: soon}} | 1:39 | expected a duration up to 30 d, such as 60 s or 15 min",
        "{id: a, when: {silent: presence, for: 1 h, margin: 5 m}} | 1:52 | expected silent without margin",
        "{id: a, when: {expr: far, silent: presence}} | 1:35 | expected expr without silent",
        "{id: a, when: {expr: far}, who: {team: a}} | 1:34 | expected a mapping of expr, group, id, ids, prefix, found the key team",
        "{id: a, when: {expr: far}, who: {}} | 1:33 | expected one key of expr, group, id, ids and prefix",
        "{id: a, when: {expr: far}, who: {id: a, group: a}} | 1:33 | expected one key of expr, group, id, ids and prefix",
        "{id: a, when: {expr: far}, who: {group: Vans}} | 1:41 | group: expected 1 to 64 of a-z, 0-9 and dashes inside",
        "{id: a, when: {expr: far}, who: {group: -vans}} | 1:41 | group: expected 1 to 64 of a-z, 0-9 and dashes inside",
        "{id: a, when: {expr: far}, who: {group: [vans]}} | 1:41 | expected a text",
        "{id: a, when: {expr: far}, who: {ids: []}} | 1:39 | expected a list of 1 to 1000 elements",
        "{id: a, when: {expr: far}, then: [{mail: a}]} | 1:36 | expected a mapping of alertmanager, mqtt, webhook, found the key mail",
        "{id: a, when: {expr: far}, then: [{mqtt: a, webhook: a}]} | 1:35 | expected one key of alertmanager, mqtt and webhook",
        "{id: a, when: {expr: far}, then: [{alertmanager: a b}]} | 1:50 | expected up to 60 letters, digits, '_' and '-'",
        "{id: a, when: {expr: far}, then: [{mqtt: a/#}]} | 1:42 | expected a topic of up to 256 characters, without + and #, that does not begin with $",
        "{id: a, when: {expr: far}, then: [{mqtt: $SYS/a}]} | 1:42 | expected a topic of up to 256 characters, without + and #, that does not begin with $",
        "{id: a, when: {expr: far}, quiet: soon} | 1:35 | expected a duration up to 30 d, such as 60 s or 15 min",
        "{id: a, speed: 1}                   | 1:9  | expected a mapping of id, quiet, then, when, who, found the key speed",
        "{id: a, when: {expr: 'speeed > 1'}} | 1:23 | undeclared reference to 'speeed'",
        "{id: a, when: {expr: far && speeed > 1}} | 1:29 | undeclared reference to 'speeed'",
        "{id: a, when: {expr: inside('lax')}} | 1:29 | there is no fence lax: put it first with lastfix fence put",
        "{id: a, when: {expr: 'far && inside(\"A b\")'}} | 1:37 | id: expected 1 to 64 of a-z, 0-9 and dashes",
        "{id: a, when: {expr: far}, who: {expr: inside('lax')}} | 1:47 | there is no fence lax: put it first with lastfix fence put",
        "{id: a, when: {expr: \"speed >\\t speeed\"}} | 1:22 | undeclared reference to 'speeed'"
      })
  void whatIsNoRuleIsNamedWithItsPlace(String yaml, String place, String message) {
    TextException failure = failure(yaml);

    assertThat(failure).hasMessageStartingWith(message);
    assertThat(failure.placed()).startsWith(place + ": ");
  }

  @Test
  void aKeyThatATerminalShouldNotShowIsNotNamed() {
    assertThat(failure("{id: a, \"sp\\eeed\": 1}"))
        .hasMessage("expected a mapping of id, quiet, then, when, who");
  }

  @Test
  void aPlaceInABlockIsThatOfTheText() {
    assertThat(
            failure(
                    """
                    id: a
                    when:
                      expr: |
                        speed > 1
                        && speeed > 2
                    """)
                .placed())
        .startsWith("5:8: undeclared reference to 'speeed'");
  }

  @Test
  void whatIsNoYamlIsNamedWithItsPlace() {
    assertThat(failure("id: a\nwhen: [").placed()).matches("2:\\d: expected YAML: .+");
    assertThat(failure("")).hasMessage("expected a rule, found an empty text");
    assertThat(failure("# nothing")).hasMessage("expected a rule, found an empty text");
    assertThat(failure("id: \u0007")).hasMessageStartingWith("expected YAML: ");
  }

  static Stream<Arguments> hostile() {
    String mapping = "expected a mapping of id, quiet, then, when, who";
    String tag = "expected YAML: Global tag is not allowed";
    String number = "expected YAML, found a number that is too large or of other digits";
    return Stream.of(
        Arguments.of("&a {id: *a}", "expected a key when"),
        Arguments.of("a: &a [*a]", mapping),
        Arguments.of("{id: a, when: &a {expr: far, for: *a}}", "expected a text"),
        Arguments.of("{? {a: b} : c}", mapping),
        Arguments.of("{<<: {id: a}}", mapping),
        Arguments.of("--- {id: a}\n--- {id: b}", "expected YAML: but found another document"),
        Arguments.of("!!javax.script.ScriptEngineManager [x]", tag),
        Arguments.of("{id: !!java.io.File a, when: {expr: far}}", tag),
        Arguments.of("{id: \"\\UFFFFFFFF\", when: {expr: far}}", number),
        // A digit that Java's methods for texts of UTF-16 take for none.
        Arguments.of("id: a\nwhen:\n  expr: |\ud835\udfcf\n    far", number));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void hostileYamlIsRefused(String yaml, String message) {
    assertThat(failure(yaml)).hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '^',
      value = {
        "when: {expr: far}, who: {id: bus-17}     ; 1:38 ; true",
        "when: {expr: far}, who: {ids: [bus-17]}  ; 1:40 ; true",
        "when: {expr: far}, who: {prefix: bus-}   ; 1:42 ; false",
        "when: {expr: far}, who: {expr: 'user == \"bus-17\"'} ; 1:49 ; true",
        "when: {expr: 'user != \"bus-17\"'}         ; 1:31 ; true",
        "when: {expr: user.startsWith(\"bus\")}     ; 1:38 ; false"
      })
  void rulesNameUsersAsTheyAreStored(String keys, String place, boolean isWhole)
      throws TextException {
    String yaml = "{id: a, %s}".formatted(keys);
    TextException failure =
        catchThrowableOfType(TextException.class, () -> READER.read(yaml, fence -> true, true));

    assertThat(failure.placed())
        .isEqualTo(
            place
                + (isWhole
                    ? ": this configuration stores pseudonyms: name those, which lastfix pseudonym prints"
                    : ": this configuration stores pseudonyms, which have no common beginning: name ids"));
    assertThat(READER.read(yaml, fence -> true).id()).isEqualTo("a");
    String stored = yaml.replace("bus-17", "0123456789abcdef0123456789abcdef");
    if (isWhole) {
      assertThat(READER.read(stored, fence -> true, true).id()).isEqualTo("a");
    }
  }

  @Test
  void lengthAndDepthAreBounded() {
    assertThat(failure("#" + "a".repeat(16_000)))
        .hasMessage("expected at most 16000 characters, found 16001");
    assertThat(failure("[".repeat(1_000))).hasMessageStartingWith("expected YAML: ");
    assertThat(failure("{id: a, when: {expr: '" + "far||".repeat(900) + "far'}}").placed())
        .startsWith("1:23: expected at most 4000 characters");
  }

  @Property(tries = 1_000)
  void aTextIsARule_OrItsFailureHasAPlace(@ForAll("texts") String yaml) {
    try {
      assertThat(read(yaml).id()).isNotEmpty();
    } catch (TextException e) {
      assertThat(e.placed()).matches("(?s)[1-9]\\d*:[1-9]\\d*: .+");
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "id: a\n",
            "when: ",
            "{fence: sfo, is: left}",
            "expr: far",
            "who: ",
            "then: ",
            "- ",
            ": ",
            "{",
            "}",
            "[",
            "]",
            "'",
            "\"",
            "|\n",
            ">\n",
            "&a ",
            "*a",
            "!!",
            "? ",
            "# ",
            "\n",
            "\n  ",
            "\t",
            "%",
            "@",
            "---\n",
            "😀",
            ",")
        .list()
        .ofMaxSize(12)
        .map(parts -> String.join("", parts));
  }
}
