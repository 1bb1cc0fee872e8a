package io.lastfix.parse;

import static io.lastfix.parse.Messages.ARCANUM;
import static io.lastfix.parse.Messages.JSON;
import static io.lastfix.parse.Messages.MLP_CGI_POS;
import static io.lastfix.parse.Messages.MLP_LTE_POS;
import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.mlp;
import static io.lastfix.parse.Messages.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Invariant: any bytes are either parsed or rejected. */
class DecoderPropertiesTest {
  private static final List<String> PROFILES = List.of("arcanum", "mlp", "json");

  private static final Map<String, byte[]> VALID =
      Map.of(
          "arcanum", utf8(Messages.arcanumEvents(ARCANUM, ARCANUM)),
          "mlp", utf8(mlp(MLP_CGI_POS, MLP_LTE_POS)),
          "json", utf8(JSON + "\n" + JSON + "\n[" + JSON + "]"));

  /** One for all tries, so that a message that spoils the decoder for the next one is found too. */
  private final Map<String, RecordDecoder> decoders =
      Map.of(
          "arcanum", Decoded.decoder("arcanum"),
          "mlp", Decoded.decoder("mlp"),
          "json", Decoded.decoder("json"));

  @Property(tries = 2_000)
  void anyBytesYieldARecordOrARejection(@ForAll byte @Size(max = 200) [] bytes) {
    PROFILES.forEach(profile -> assertParsedOrRejected(profile, bytes));
  }

  @Property(tries = 6_000)
  void anyChangedMessageYieldsARecordOrARejection(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int changes) {
    for (String profile : PROFILES) {
      byte[] valid = VALID.get(profile);
      assertParsedOrRejected(profile, changed(valid, new Random(seed), changes));
    }
  }

  @Property(tries = 1_000)
  void anyChangedGzipYieldsARecordOrARejection(@ForAll long seed) {
    for (String profile : PROFILES) {
      byte[] valid = gzip(VALID.get(profile));
      assertParsedOrRejected(profile, changed(valid, new Random(seed), 1));
    }
  }

  private void assertParsedOrRejected(String profile, byte[] message) {
    byte[] before = message.clone();
    Decoded decoded = Decoded.of(decoders.get(profile), message);
    assertThat(decoded.records.size() + decoded.rejectedRecords()).isPositive();
    assertThat(message).isEqualTo(before);
    assertThat(Decoded.of(decoders.get(profile), VALID.get(profile)).rejections).isEmpty();
  }

  /** Overwrites, cuts out, doubles and inserts bytes, mostly such as mean something to a parser. */
  private static byte[] changed(byte[] valid, Random random, int changes) {
    String telling = "<>/&;\"'{}[]:,!-?=\\ \n\0#x0123456789eE.+\u00ff\u00c3\u0080\u00f0";
    byte[] bytes = valid;
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(bytes.length);
      byte value =
          random.nextInt(4) == 0
              ? (byte) random.nextInt(256)
              : (byte) telling.charAt(random.nextInt(telling.length()));
      switch (random.nextInt(4)) {
        case 0 -> {
          bytes = bytes.clone();
          bytes[at] = value;
        }
        case 1 ->
            bytes =
                joined(
                    Arrays.copyOf(bytes, at + 1),
                    bytes,
                    Math.min(bytes.length, at + random.nextInt(20)));
        case 2 -> bytes = joined(Arrays.copyOf(bytes, at + 1), bytes, at / 2);
        default -> {
          byte[] head = Arrays.copyOf(bytes, at + 1);
          head[at] = value;
          bytes = joined(head, bytes, at);
        }
      }
      if (bytes.length > 20_000) {
        return bytes;
      }
    }
    return bytes;
  }

  private static byte[] joined(byte[] head, byte[] bytes, int tailFrom) {
    byte[] joined = Arrays.copyOf(head, head.length + bytes.length - tailFrom);
    System.arraycopy(bytes, tailFrom, joined, head.length, bytes.length - tailFrom);
    return joined;
  }
}
