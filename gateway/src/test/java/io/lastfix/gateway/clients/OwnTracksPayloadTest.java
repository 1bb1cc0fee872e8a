package io.lastfix.gateway.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnTracksPayloadTest {
  private static final String TOPIC = "owntracks/jane/phone";

  private static @Nullable String withTopic(String payload) {
    byte[] value = OwnTracksPayload.withTopic(payload.getBytes(UTF_8), TOPIC);
    return value == null ? null : new String(value, UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {\"topic\":\"owntracks/jane/phone\"}",
        " { } | {\"topic\":\"owntracks/jane/phone\" }",
        "{\"a\":{\"topic\":\"x\"}} | {\"topic\":\"owntracks/jane/phone\",\"a\":{\"topic\":\"x\"}}",
        "{\"topic\":\"owntracks/jane/phone\"} | {\"topic\":\"owntracks/jane/phone\"}"
      })
  void theTopicIsThereOnce(String payload, String expected) {
    assertThat(withTopic(payload)).isEqualToIgnoringWhitespace(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"topic\":\"owntracks/joe/phone\"}",
        "{\"topic\":\"owntracks/jane/phone\",\"topic\":\"owntracks/joe/phone\"}",
        "{\"\\u0074opic\":\"owntracks/joe/phone\"}",
        "{\"topic\":1}",
        "[{}]",
        "{} {\"topic\":\"owntracks/joe/phone\"}",
        "{\"a\":",
        "",
        "text"
      })
  void aPayloadThatCouldNameAnotherIsRefused(String payload) {
    assertThat(withTopic(payload)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"lat\":1,\"_type\":\"location\",\"tid | column 33, in or after its member _type",
        "{\"lat\":1,\"tst\":17x} | column 18, in or after its member tst",
        "{\"lat\" | column 7, in or after its member lat",
        "{ | column 2"
      })
  void theErrorSaysWhereAPayloadIsCutShort(String payload, String where) {
    assertThatThrownBy(
            () -> OwnTracksPayload.topic(new ByteArrayInputStream(payload.getBytes(UTF_8))))
        .isInstanceOf(IOException.class)
        .hasMessage("it is cut short or wrong at line 1, " + where);
  }

  @Test
  void ofALongNameTheErrorShowsTheBeginning() {
    String payload = "{\"%s\":".formatted("n".repeat(1000));

    assertThatThrownBy(
            () -> OwnTracksPayload.topic(new ByteArrayInputStream(payload.getBytes(UTF_8))))
        .message()
        .endsWith("its member " + "n".repeat(40));
  }

  @Test
  void anotherEncodingOfUnicodeIsRefused() {
    byte[] payload = "{\"topic\":\"owntracks/joe/phone\"}".getBytes(StandardCharsets.UTF_16LE);

    assertThat(OwnTracksPayload.withTopic(payload, TOPIC)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"_type\":\"lwt\",\"tst\":1795176001} | true",
        "{\"a\":{\"_type\":\"lwt\"}} | false",
        "{\"a\":{\"_type\":\"location\"},\"_type\":\"lwt\"} | true",
        "{\"_type\":\"location\",\"lwt\":\"lwt\"} | false",
        "{\"_type\":1} | false",
        "{} | false"
      })
  void onlyTheAppsWillIsAWill(String payload, boolean isWill) {
    assertThat(OwnTracksPayload.isWill(payload.getBytes(UTF_8))).isEqualTo(isWill);
  }

  @Property
  void whateverTheTopicTheObjectSaysSoAndKeepsTheRest(
      @ForAll @StringLength(min = 1, max = 30) @Chars({'"', '\\', 'a', '/', 'é'}) String name)
      throws Exception {
    String topic = "owntracks/" + name + "/phone";
    byte[] value =
        OwnTracksPayload.withTopic("{\"tid\":\"ph\",\"lat\":1.5}".getBytes(UTF_8), topic);

    JsonNode found = new ObjectMapper().readTree(value);
    ObjectNode expected = new ObjectMapper().createObjectNode();
    expected.put("topic", topic);
    expected.put("tid", "ph");
    expected.put("lat", 1.5);
    assertThat(found).isEqualTo(expected);
  }
}
