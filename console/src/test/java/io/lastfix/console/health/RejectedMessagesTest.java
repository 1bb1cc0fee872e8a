package io.lastfix.console.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RejectedMessagesTest {
  private static ConsumerRecord<byte @Nullable [], byte @Nullable []> message(byte[] value) {
    ConsumerRecord<byte @Nullable [], byte @Nullable []> message =
        new ConsumerRecord<>("lastfix.rejected", 0, 7, "user".getBytes(UTF_8), value);
    message.headers().add("reason", "bad-timestamp".getBytes(UTF_8));
    message.headers().add("detail", "ts: expected a time".getBytes(UTF_8));
    message.headers().add("offset", "42".getBytes(UTF_8));
    return message;
  }

  private static ObjectNode shown(byte[] value) {
    return new RejectedMessages("lastfix.rejected", true).json(message(value));
  }

  @Test
  void aMessageHasItsReasonOriginAndText() {
    ObjectNode shown = shown("{\"user\":\"ü\"}".getBytes(UTF_8));

    assertThat(shown.path("reason").asText()).isEqualTo("bad-timestamp");
    assertThat(shown.path("detail").asText()).isEqualTo("ts: expected a time");
    assertThat(shown.path("offset").asText()).isEqualTo("42");
    assertThat(shown.path("key").asText()).isEqualTo("user");
    assertThat(shown.path("form").asText()).isEqualTo("text");
    assertThat(shown.path("text").asText()).isEqualTo("{\"user\":\"ü\"}");
    assertThat(shown.path("cut").asBoolean()).isFalse();
    assertThat(shown.has("topic")).isFalse();
  }

  @Test
  void aLongTextIsCutBetweenCharacters() {
    ObjectNode shown = shown(("x" + "ü".repeat(5_000)).getBytes(UTF_8));

    assertThat(shown.path("cut").asBoolean()).isTrue();
    assertThat(shown.path("bytes").asInt()).isEqualTo(10_001);
    assertThat(shown.path("text").asText()).hasSize(1_000).endsWith("ü");
  }

  /** However much it inflates to, only what is shown is inflated. */
  @Test
  void gzipIsInflated() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write("a".repeat(50_000_000).getBytes(UTF_8));
    }
    ObjectNode shown = shown(bytes.toByteArray());

    assertThat(shown.path("form").asText()).isEqualTo("gzip");
    assertThat(shown.path("text").asText()).isEqualTo("a".repeat(2_000));
    assertThat(shown.path("cut").asBoolean()).isTrue();
  }

  /** Java's own reader would overflow the stack, and the reading would never end. */
  @Test
  void gzipMayHaveAnyNumberOfEmptyMembers() throws IOException {
    ByteArrayOutputStream member = new ByteArrayOutputStream();
    new GZIPOutputStream(member).close();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < 50_000; i++) {
      bytes.writeBytes(member.toByteArray());
    }
    ObjectNode shown = shown(bytes.toByteArray());

    assertThat(shown.path("form").asText()).isEqualTo("gzip");
    assertThat(shown.path("text").asText()).isEmpty();
  }

  @Test
  void otherBytesAreShownAsDigits() {
    assertThat(shown(new byte[] {0, 1, (byte) 0xff}).toString())
        .contains("\"form\":\"binary\",\"text\":\"0001ff\",\"cut\":false");
    // What begins like gzip, and is none.
    assertThat(shown(new byte[] {0x1f, (byte) 0x8b, 8, 0}).path("text").asText())
        .isEqualTo("1f8b0800");
  }

  /** The job replaces users by pseudonyms, and a message has them as they were sent. */
  @Test
  void withPseudonymsNothingThatMayNameAUserIsShown() {
    String shown =
        new RejectedMessages("lastfix.rejected", false)
            .json(message("secret".getBytes(UTF_8)))
            .toString();

    assertThat(shown).contains("bad-timestamp").doesNotContain("user", "secret", "expected");
  }
}
