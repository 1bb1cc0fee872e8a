package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.parse.HostileMessages.HostileMessage;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the fast readers find is what the library would have found: the same records, the same
 * rejections in the same words. {@code parse.fast} is the switch between the two.
 */
class PlainReadingTest {
  private static final long SEED = 20261122;

  /** With {@code -Pchaos} the long form. */
  private static final int MUTATIONS = Boolean.getBoolean("lastfix.chaos") ? 1_000_000 : 20_000;

  /** Bytes that tell plain from not plain, and such as do not. */
  private static final byte[] TELLING =
      Messages.utf8("<>/=\"'&]![-? \t\n\r:.0123456789aex_{},\\\u00e9\u007f\u0000");

  private static RecordDecoder fast(String profile, DecoderLimits limits) {
    return Decoded.decoder(profile, limits);
  }

  private static RecordDecoder byTheLibrary(String profile, DecoderLimits limits) {
    return Decoded.decoder(Decoded.profile(profile), limits, false);
  }

  /** Valid messages as they are sent, of one record and of several. */
  private static List<byte[]> valid(String profile) {
    List<byte[]> messages = new ArrayList<>(HostileMessages.valid(profile));
    switch (profile) {
      case "arcanum" ->
          messages.add(
              Messages.utf8(
                  Messages.arcanumEvents(RecordDecoderContract.copies(Messages.ARCANUM, 3))));
      case "mlp" ->
          messages.add(
              Messages.utf8(
                  Messages.mlp(Messages.MLP_CGI_POS, Messages.MLP_LTE_POS, Messages.MLP_POSERR)));
      case "osmand", "owntracks", "geojson", "openschema" -> {}
      default -> {
        String[] objects = RecordDecoderContract.copies(Messages.JSON, 3);
        messages.add(Messages.utf8(String.join("\n", objects)));
        messages.add(Messages.utf8("[" + String.join(", ", objects) + "]"));
      }
    }
    return messages;
  }

  @ParameterizedTest
  @ValueSource(strings = {"arcanum", "mlp", "json", "osmand", "owntracks", "geojson", "openschema"})
  void hostileMessagesYieldTheSame(String profile) {
    RecordDecoder plain = fast(profile, DecoderLimits.defaults());
    RecordDecoder library = byTheLibrary(profile, DecoderLimits.defaults());
    for (HostileMessage message : HostileMessages.all()) {
      assertSame(plain, library, message.bytes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"arcanum", "mlp", "json", "osmand", "owntracks", "geojson", "openschema"})
  void messagesWithFewChangedBytesYieldTheSame(String profile) {
    Random random = new Random(SEED);
    List<byte[]> valid = valid(profile);
    DecoderLimits tight = RecordDecoderContract.TIGHT;
    RecordDecoder plain = fast(profile, DecoderLimits.defaults());
    RecordDecoder library = byTheLibrary(profile, DecoderLimits.defaults());
    RecordDecoder tightPlain = fast(profile, tight);
    RecordDecoder tightLibrary = byTheLibrary(profile, tight);
    int withRecords = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] message = changed(valid.get(random.nextInt(valid.size())), random);
      withRecords += assertSame(plain, library, message) > 0 ? 1 : 0;
      assertSame(tightPlain, tightLibrary, message);
    }
    assertThat(withRecords).as("messages that were not broken").isGreaterThan(MUTATIONS / 5);
  }

  /**
   * Whatever reads a field: what stands there may be a number, which is kept as one. No number is a
   * radio or a cell's whole text; there it is the words of the rejection that have to be the same.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto",
        "any",
        "epoch-millis",
        "epoch-seconds",
        "iso8601",
        "yyyyMMddHHmmss",
        "HH dd.MM.uuuu"
      })
  void numbersYieldTheSameInEveryField(String format) throws IOException {
    Profile profile = profileOfNumbers(format);
    for (DecoderLimits limits :
        List.of(DecoderLimits.defaults(), RecordDecoderContract.TIGHT, ofTexts(4))) {
      RecordDecoder plain = Decoded.decoder(profile, limits, true);
      RecordDecoder library = Decoded.decoder(profile, limits, false);
      for (String field : FIELDS) {
        int records = 0;
        for (String value : VALUES) {
          records += assertSame(plain, library, Messages.utf8(recordWith(format, field, value)));
        }
        boolean isRead = limits.maxTextLength() > 4 && !field.equals("radio");
        if (isRead && !(field.equals("ts") && format.startsWith("HH"))) {
          assertThat(records).as("records with some value of %s", field).isPositive();
        }
      }
    }
  }

  /**
   * What one record has left behind must be nothing to the next one. All of it is plain, or the
   * library would read the rest of either.
   */
  @Test
  void numbersAndTextsOfOneMessageYieldTheSame() throws IOException {
    Profile profile = profileOfNumbers("auto");
    DecoderLimits limits = DecoderLimits.defaults();
    RecordDecoder plain = Decoded.decoder(profile, limits, true);
    RecordDecoder library = Decoded.decoder(profile, limits, false);
    List<String> records = new ArrayList<>();
    for (String field : FIELDS) {
      records.add(recordWith("auto", field, "7"));
      records.add(recordWith("auto", field, "\"8\""));
    }

    String array = "[" + String.join(",", records) + "]";
    String lines = String.join("\n", records);
    int inArray = assertSame(plain, library, Messages.utf8(array));
    assertThat(inArray).as("user, mcc, mnc, area, cid, each both ways").isGreaterThanOrEqualTo(10);
    assertThat(assertSame(plain, library, Messages.utf8(lines))).isEqualTo(inArray);
  }

  private static final List<String> FIELDS =
      List.of(
          "user", "mcc", "mnc", "area", "cid", "radio", "ts", "zone", "text", "lon", "acc", "by",
          "ok");

  private static final List<String> VALUES =
      List.of(
          "0",
          "7",
          "00",
          "07",
          "10",
          "234",
          "1000",
          "1795176001",
          "1795176001001",
          "20261120120001",
          "999999999999999999",
          "1000000000000000000",
          "\"234\"",
          "\"0234\"",
          "\" 7 \"",
          "\"2026-11-20T12:00:01Z\"",
          "\"234-10--2\"",
          "-0",
          "-7",
          "1795176001.5",
          "1795176001.",
          "07.5",
          "1e3",
          "true",
          "null",
          "[7]",
          "{\"a\":7}");

  private static Profile profileOfNumbers(String format) throws IOException {
    return ProfileLoader.read(
        "numbers",
        "numbers.yaml",
        new ByteArrayInputStream(
            Messages.utf8(
                """
                format: json
                user: user
                cell:
                  - {mcc: mcc, mnc: mnc, area: area, cid: cid, radio: radio}
                  - {text: text}
                position:
                  lon: lon
                  lat: lat
                  accuracy: acc
                  source: by
                  default-source: gnss
                  invalid: {path: ok, values: ["false", "7"]}
                timestamp: {path: ts, format: "%s", offset: zone}
                """
                    .formatted(format))));
  }

  private static DecoderLimits ofTexts(int maxTextLength) {
    DecoderLimits limits = DecoderLimits.defaults();
    return new DecoderLimits(
        limits.maxMessageBytes(),
        limits.maxDecompressedBytes(),
        limits.maxRecordsPerMessage(),
        limits.maxNestingDepth(),
        maxTextLength,
        limits.maxRejectionsPerMessage());
  }

  /** A record that is good but perhaps for that field. */
  private static String recordWith(String format, String field, String value) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("user", "\"35\"");
    members.put("mcc", "234");
    members.put("mnc", "10");
    members.put("area", "1");
    members.put("cid", "2");
    members.put("lon", "5");
    members.put("lat", "-6.25");
    members.put("ts", timeIn(format));
    members.put(field, value);
    if (field.equals("text")) {
      // Or the parts are taken, and the text is not looked at.
      members.remove("cid");
    }
    return members.entrySet().stream()
        .map(member -> "\"%s\":%s".formatted(member.getKey(), member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String timeIn(String format) {
    return switch (format) {
      case "auto", "epoch-millis" -> "1795176001001";
      case "any", "epoch-seconds" -> "1795176001";
      case "yyyyMMddHHmmss" -> "20261120120001";
      case "iso8601" -> "\"2026-11-20T12:00:01.001Z\"";
      default -> "\"12 20.11.2026\"";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "arcanum, <e><event/></e>",
    "arcanum, <event><event/></event>",
    "json, []",
    "json, {}"
  })
  void whatHoldsNothingYieldsTheSame(String profile, String message) {
    DecoderLimits limits = DecoderLimits.defaults();
    assertSame(fast(profile, limits), byTheLibrary(profile, limits), Messages.utf8(message));
  }

  @Test
  void manyNamesYieldTheSame() {
    DecoderLimits limits = DecoderLimits.defaults();
    for (int names : new int[] {900, 990, 1_000, 1_001, 1_100}) {
      StringBuilder text = new StringBuilder("<events>");
      for (int i = 0; i < names; i++) {
        text.append("<n").append(i).append("/>");
      }
      byte[] message = Messages.utf8(text + Messages.ARCANUM + "</events>");
      assertSame(fast("arcanum", limits), byTheLibrary("arcanum", limits), message);
    }
  }

  private static byte[] changed(byte[] valid, Random random) {
    byte[] bytes = valid.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      byte value = TELLING[random.nextInt(TELLING.length)];
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = value;
        case 1 -> bytes = replaced(bytes, at, at, value);
        default -> bytes = replaced(bytes, at, Math.min(bytes.length, at + random.nextInt(9)));
      }
    }
    return bytes.length == 0 ? valid : bytes;
  }

  /** The same bytes with others in the place of some. */
  private static byte[] replaced(byte[] bytes, int from, int to, byte... by) {
    byte[] replaced = new byte[bytes.length - (to - from) + by.length];
    System.arraycopy(bytes, 0, replaced, 0, from);
    System.arraycopy(by, 0, replaced, from, by.length);
    System.arraycopy(bytes, to, replaced, from + by.length, bytes.length - to);
    return replaced;
  }

  /** How many records there are. */
  private static int assertSame(
      RecordDecoder plain, RecordDecoder library, byte @Nullable [] message) {
    Decoded found = Decoded.of(plain, message);
    Decoded expected = Decoded.of(library, message);
    assertThat(found.records).as("records").isEqualTo(expected.records);
    assertThat(found.rejections).as("rejections").isEqualTo(expected.rejections);
    return found.records.size();
  }
}
