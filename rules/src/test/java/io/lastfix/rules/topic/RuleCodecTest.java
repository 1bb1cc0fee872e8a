package io.lastfix.rules.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Position;
import io.lastfix.rules.fence.Fence;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RuleCodecTest {
  private static final Instant PUT = Instant.parse("2026-11-20T12:00:00Z");

  static Stream<Arguments> messages() {
    return Stream.of(
        Arguments.of(
            new RuleMessage.OfRule(
                "left-depot", 4, new RuleMessage.Content("id: left-depot\n", "anna", PUT)),
            "rule/left-depot",
            """
            {"id":"left-depot","version":4,"yaml":"id: left-depot\\n","by":"anna","put":"2026-11-20T12:00:00Z"}"""),
        Arguments.of(
            new RuleMessage.OfRule("left-depot", 5, null),
            "rule/left-depot",
            """
            {"id":"left-depot","version":5,"deleted":true}"""),
        Arguments.of(
            new RuleMessage.OfFence(
                "depot", 2, new Fence("depot", new Fence.Circle(new Position(-122.4, 37.7), 150))),
            "fence/depot",
            """
            {"id":"depot","version":2,"geometry":{"type":"Point","coordinates":[-122.4,37.7]},"radius":150.0}"""),
        Arguments.of(
            new RuleMessage.OfFence(
                "yard",
                1,
                new Fence(
                    "yard",
                    new Fence.Polygons(
                        List.of(
                            List.of(
                                List.of(
                                    new Position(1, 1),
                                    new Position(2, 1),
                                    new Position(2, 2),
                                    new Position(1, 1))))))),
            "fence/yard",
            """
            {"id":"yard","version":1,"geometry":{"type":"MultiPolygon","coordinates":[[[[1.0,1.0],[2.0,1.0],[2.0,2.0],[1.0,1.0]]]]}}"""),
        Arguments.of(
            new RuleMessage.OfFence("yard", 2, null),
            "fence/yard",
            """
            {"id":"yard","version":2,"deleted":true}"""),
        Arguments.of(
            new RuleMessage.OfPause("left-depot", 4, "job", "failed on 101 records in a minute"),
            "pause/left-depot",
            """
            {"id":"left-depot","version":4,"by":"job","reason":"failed on 101 records in a minute"}"""));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageHasTheseBytes_AndIsReadAgain(RuleMessage message, String key, String value)
      throws RuleFormatException {
    assertThat(new String(RuleCodec.key(message), UTF_8)).isEqualTo(key);
    assertThat(new String(RuleCodec.value(message), UTF_8)).isEqualTo(value);

    assertThat(RuleCodec.read(RuleCodec.key(message), RuleCodec.value(message))).contains(message);
  }

  @Test
  void unknownMembersAreSkipped_AndOtherKeysToo() throws RuleFormatException {
    byte[] value = "{\"version\":1,\"deleted\":true,\"later\":[1]}".getBytes(UTF_8);

    assertThat(RuleCodec.read("rule/a".getBytes(UTF_8), value))
        .contains(new RuleMessage.OfRule("a", 1, null));
    assertThat(RuleCodec.read("window/a".getBytes(UTF_8), value)).isEmpty();
    assertThat(RuleCodec.read("rule".getBytes(UTF_8), value)).isEmpty();
    assertThat(RuleCodec.read(null, value)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "rule/a     | {                                | the value is no JSON",
        "rule/A     | {}                               | id: expected 1 to 64 of a-z, 0-9 and dashes",
        "rule/a/b   | {}                               | id: expected 1 to 64 of a-z, 0-9 and dashes",
        "rule/a     | []                               | version is no whole number of 1 or more",
        "rule/a     | {\"version\":0}                  | version is no whole number of 1 or more",
        "rule/a     | {\"version\":1.5}                | version is no whole number of 1 or more",
        "rule/a     | {\"version\":1e30}               | version is no whole number of 1 or more",
        "rule/a     | {\"version\":1}                  | the value has no text yaml",
        "rule/a     | {\"version\":1,\"yaml\":\"x\",\"by\":\"y\",\"put\":\"z\"} | Text 'z' could not be parsed at index 0",
        "pause/a    | {\"version\":1,\"by\":\"y\"}     | the value has no text reason",
        "fence/a    | {\"version\":1}                  | expected JSON, found nothing",
        "fence/a    | {\"version\":1,\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\"radius\":-1} | radius: expected 1 m to 1,000 km, found -1.0 m"
      })
  void whatCannotBeReadIsRefused(String key, String value, String message) {
    assertThatThrownBy(() -> RuleCodec.read(key.getBytes(UTF_8), value.getBytes(UTF_8)))
        .isInstanceOf(RuleFormatException.class)
        .hasMessage(message);
  }

  @Test
  void aMessageHasAValueOfABoundedSize() {
    assertThatThrownBy(() -> RuleCodec.read("rule/a".getBytes(UTF_8), null))
        .isInstanceOf(RuleFormatException.class)
        .hasMessage("it has no value");
    assertThatThrownBy(() -> RuleCodec.read("rule/a".getBytes(UTF_8), new byte[0]))
        .isInstanceOf(RuleFormatException.class)
        .hasMessage("version is no whole number of 1 or more");
    assertThatThrownBy(() -> RuleCodec.read("rule/a".getBytes(UTF_8), new byte[(1 << 20) + 1]))
        .isInstanceOf(RuleFormatException.class)
        .hasMessage("the value has more than 1048576 bytes");
  }
}
