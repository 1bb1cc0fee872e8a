package io.lastfix.model.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.device.HeartbeatMessage.Bye;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HeartbeatCodecTest {
  private static final String MANIFEST = "0f".repeat(32);

  @Test
  void theBytesOfVersion1AreFixed() {
    assertThat(hex(new Tick("gw"))).isEqualTo("01 00 02 67 77");
    assertThat(hex(new RecordSign(300, "a/1"))).isEqualTo("01 01 ac 02 03 61 2f 31");
    assertThat(hex(new RecordSign(0, null))).isEqualTo("01 01 00 00");
    assertThat(hex(new Heartbeat(2, 7, 60, "p", null, null, "ok")))
        .isEqualTo("01 02 02 07 3c 01 70 00 00 02 6f 6b");
    assertThat(hex(new Heartbeat(2, 7, 60, null, "s", MANIFEST, null)))
        .isEqualTo("01 02 02 07 3c 00 01 73 20 " + "0f ".repeat(32) + "00");
    assertThat(hex(new Bye())).isEqualTo("01 03");
  }

  /** The page describes the bytes for readers in other languages. */
  @Test
  void theManualHasTheseBytesAndKinds() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "topics.md"));
    String example = hex(new Heartbeat(300, 7, 60, "phone", "a/1", null, "ok"));

    assertThat(page.replace(" ", "")).contains("\n" + example.replace(" ", "") + "\n");
    assertThat(page)
        .contains(
            "| message | 1 byte version (%s), 1 byte kind".formatted(example.charAt(1)),
            "| tick (kind %s) |".formatted(kind(new Tick("gw"))),
            "| record (kind %s) |".formatted(kind(new RecordSign(0, null))),
            "| heartbeat (kind %s) |".formatted(example.charAt(4)),
            "| bye (kind %s) |".formatted(kind(new Bye())));
  }

  private static int kind(HeartbeatMessage message) {
    return HeartbeatCodec.write(message)[1];
  }

  @Test
  void anotherVersionOrKindIsRefused() {
    assertThatThrownBy(() -> read("02 00 02 67 77"))
        .isInstanceOf(HeartbeatFormatException.class)
        .hasMessage("version: expected 1, found 2");
    assertThatThrownBy(() -> read("01 04"))
        .isInstanceOf(HeartbeatFormatException.class)
        .hasMessage("kind: expected 0 to 3, found 4");
    assertThatThrownBy(() -> read("01 00 02 67 77 00"))
        .isInstanceOf(HeartbeatFormatException.class)
        .hasMessage("1 bytes after the last field");
    assertThatThrownBy(() -> read("01 00 02 ff fe"))
        .isInstanceOf(HeartbeatFormatException.class)
        .hasMessage("text: expected UTF-8");
  }

  @Property(tries = 300)
  void whatIsWrittenIsReadAgain(@ForAll("messages") HeartbeatMessage message) throws Exception {
    assertThat(HeartbeatCodec.read(HeartbeatCodec.write(message))).isEqualTo(message);
  }

  @Property(tries = 300)
  void aMessageThatIsCutOffIsRefused(@ForAll("messages") HeartbeatMessage message) {
    byte[] bytes = HeartbeatCodec.write(message);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> HeartbeatCodec.read(cut))
          .isInstanceOf(HeartbeatFormatException.class);
    }
  }

  @Property(tries = 2_000)
  void anyBytesAreReadOrRefused(@ForAll byte[] bytes) {
    bytes = bytes.length > 1 ? bytes : new byte[] {1, 2};
    bytes[0] = 1;
    bytes[1] = (byte) Math.floorMod(bytes[1], 4);
    try {
      assertThat(HeartbeatCodec.read(bytes)).isNotNull();
    } catch (HeartbeatFormatException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @Provide
  Arbitrary<HeartbeatMessage> messages() {
    Arbitrary<String> text = Arbitraries.strings().ofMinLength(1).ofMaxLength(20).alpha();
    Arbitrary<String> optional = text.injectNull(0.3);
    Arbitrary<String> manifest = Arbitraries.just(MANIFEST).injectNull(0.5);
    Arbitrary<Integer> bytes = Arbitraries.integers().between(0, Integer.MAX_VALUE);
    return Arbitraries.oneOf(
        text.map(Tick::new),
        Arbitraries.just(new Bye()),
        Combinators.combine(bytes, optional).as(RecordSign::new),
        Combinators.combine(
                bytes,
                Arbitraries.longs().between(0, Long.MAX_VALUE),
                Arbitraries.integers().between(1, HeartbeatMessage.MAX_INTERVAL_SECONDS),
                optional,
                optional,
                manifest,
                optional)
            .as(Heartbeat::new));
  }

  private static HeartbeatMessage read(String hex) throws HeartbeatFormatException {
    return HeartbeatCodec.read(HexFormat.ofDelimiter(" ").parseHex(hex));
  }

  private static String hex(HeartbeatMessage message) {
    return HexFormat.ofDelimiter(" ").formatHex(HeartbeatCodec.write(message));
  }
}
