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
import org.junit.jupiter.params.provider.ValueSource;

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
                "depot",
                2,
                PUT,
                new Fence("depot", new Fence.Circle(new Position(-122.4, 37.7), 150))),
            "fence/depot",
            """
            {"id":"depot","version":2,"geometry":{"type":"Point","coordinates":[-122.4,37.7]},"radius":150.0,"put":"2026-11-20T12:00:00Z"}"""),
        Arguments.of(
            new RuleMessage.OfFence(
                "yard",
                1,
                PUT.plusMillis(1),
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
            {"id":"yard","version":1,"geometry":{"type":"MultiPolygon","coordinates":[[[[1.0,1.0],[2.0,1.0],[2.0,2.0],[1.0,1.0]]]]},"put":"2026-11-20T12:00:00.001Z"}"""),
        Arguments.of(
            new RuleMessage.OfFence("yard", 2, PUT, null),
            "fence/yard",
            """
            {"id":"yard","version":2,"deleted":true,"put":"2026-11-20T12:00:00Z"}"""),
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
        "rule/a     | {                                | 0 | the value is no JSON",
        "rule/a     | []                               | 0 | version is no whole number from 1 to 2^53 - 1",
        "rule/a     | {\"version\":0}                  | 0 | version is no whole number from 1 to 2^53 - 1",
        "rule/a     | {\"version\":1.5}                | 0 | version is no whole number from 1 to 2^53 - 1",
        "rule/a     | {\"version\":\"1\"}              | 0 | version is no whole number from 1 to 2^53 - 1",
        "rule/a     | {\"version\":9007199254740992}   | 0 | version is no whole number from 1 to 2^53 - 1",
        "rule/a     | {\"version\":9223372036854775808} | 0 | version is no whole number from 1 to 2^53 - 1",
        "rule/a     | {\"version\":9007199254740991}   | 9007199254740991 | the value has no text yaml",
        "rule/a     | {\"id\":{\"version\":2},\"version\":7,\"yaml\":1} | 7 | the value has no text yaml",
        "rule/a     | {\"version\":7,                  | 7 | the value is no JSON",
        "rule/a     | {\"version\":1,\"yaml\":\"x\",\"by\":\"y\",\"put\":\"z\"} | 1 | put is no timestamp",
        "rule/a     | {\"version\":1,\"yaml\":\"x\",\"by\":\"y\",\"put\":\"1969-12-31T23:59:59Z\"} | 1 | put is no timestamp from 1970 to 9999",
        "fence/a    | {\"version\":1,\"deleted\":true,\"put\":\"+1000000000-12-31T23:59:59Z\"} | 1 | put is no timestamp from 1970 to 9999",
        "pause/a    | {\"version\":1,\"by\":\"y\"}     | 1 | the value has no text reason",
        "fence/a    | {\"version\":1,\"put\":\"noon\"} | 1 | put is no timestamp",
        "fence/a    | {\"version\":1,\"put\":\"2026-11-20T12:00:00Z\"} | 1 | geometry and radius are no fence",
        "fence/a    | {\"version\":2,\"put\":\"2026-11-20T12:00:00Z\",\"geometry\":{\"type\":\"Curve\"}} | 2 | geometry and radius are no fence",
        "fence/a    | {\"version\":1,\"put\":\"2026-11-20T12:00:00Z\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\"radius\":-1} | 1 | geometry and radius are no fence"
      })
  void whatCannotBeReadHasItsVersion_AndAProblemWithoutContent(
      String key, String value, long version, String problem) throws RuleFormatException {
    assertThat(RuleCodec.read(key.getBytes(UTF_8), value.getBytes(UTF_8)))
        .contains(new RuleMessage.Unreadable(key, version, problem));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rule/A", "rule/a/b", "fence/", "pause/\u001b[2J"})
  void aKeyNamesARuleOrAFence(String key) {
    assertThatThrownBy(() -> RuleCodec.read(key.getBytes(UTF_8), "{}".getBytes(UTF_8)))
        .isInstanceOf(RuleFormatException.class)
        .hasMessage("id: expected 1 to 64 of a-z, 0-9 and dashes");
  }

  @Test
  void aMessageHasAValueOfABoundedSize() throws RuleFormatException {
    assertThatThrownBy(() -> RuleCodec.read("rule/a".getBytes(UTF_8), null))
        .isInstanceOf(RuleFormatException.class)
        .hasMessage("it has no value");
    assertThat(RuleCodec.read("rule/a".getBytes(UTF_8), new byte[0]))
        .contains(
            new RuleMessage.Unreadable(
                "rule/a", 0, "version is no whole number from 1 to 2^53 - 1"));
    String large = "{\"version\":7,\"yaml\":\"%s\"}".formatted("a".repeat(1 << 20));
    assertThat(RuleCodec.read("rule/a".getBytes(UTF_8), large.getBytes(UTF_8)))
        .contains(new RuleMessage.Unreadable("rule/a", 7, "the value has more than 1048576 bytes"));
  }

  @Test
  void anUnreadableMessageIsNotWritten() {
    RuleMessage unreadable = new RuleMessage.Unreadable("rule/a", 7, "no JSON");

    assertThat(unreadable.id()).isEqualTo("a");
    assertThatThrownBy(() -> RuleCodec.value(unreadable))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rule/a, version 7: no JSON");
  }

  /** FenceReaderTest has what is not checked. */
  @Test
  void theGeometryOfAFenceIsNotComputed() throws RuleFormatException {
    String crossing =
        "{\"version\":1,\"put\":\"2026-11-20T12:00:00Z\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2],[2,1],[1,2],[1,1]]]}}";

    assertThat(RuleCodec.read("fence/a".getBytes(UTF_8), crossing.getBytes(UTF_8)))
        .containsInstanceOf(RuleMessage.OfFence.class);
  }
}
