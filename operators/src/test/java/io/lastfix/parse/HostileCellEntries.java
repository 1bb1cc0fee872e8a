package io.lastfix.parse;

import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nasty messages of the catalogue's topic that are known by name. */
public final class HostileCellEntries {
  /** The cell that they are about, unless they are about another. */
  public static final String CELL = "901-98-7-4711";

  private static final String FLAT =
      "{\"cell\":\"" + CELL + "\",\"radio\":\"LTE\",\"lon\":1.5,\"lat\":2.5}";
  private static final String FULL =
      "{\"cell\":\""
          + CELL
          + "\",\"towers\":[{\"radio\":\"GSM\",\"versions\":[{\"from\":\"2017-04-03T18:02:39Z\","
          + "\"lon\":-1.25,\"lat\":2.5},{\"from\":1700000000000,\"lon\":3,\"lat\":4}]},"
          + "{\"radio\":\"NR\",\"versions\":[{\"from\":0,\"lon\":5,\"lat\":6}]}]}";

  private final List<HostileCellEntry> entries = new ArrayList<>();

  /**
   * One message.
   *
   * @param keyText each of its characters is one byte of the key; null: no key
   * @param reason the code that it is rejected with; null where it is an entry
   * @param builder makes the value, the same each time; null for a tombstone
   */
  public record HostileCellEntry(
      String name,
      @Nullable String keyText,
      @Nullable String reason,
      Supplier<byte @Nullable []> builder) {
    /** The key; null where there is none. */
    public byte @Nullable [] key() {
      return keyText == null ? null : keyText.getBytes(ISO_8859_1);
    }

    /** The value; null where it is a tombstone. */
    public byte @Nullable [] value() {
      return builder.get();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private HostileCellEntries() {
    add("a tombstone", CELL, null, () -> null);
    add("a tombstone without a key", null, "bad-value", () -> null);
    add("a tombstone of no cell", "$where", "bad-value", () -> null);
    add("a key of zeros", "\0".repeat(64), "bad-value", () -> utf8(FLAT));
    add("a key of 500,000 digits", "9".repeat(500_000), "bad-value", () -> utf8(FLAT));
    add("a key that is not UTF-8", "\u00ff\u00fe", "bad-value", () -> utf8(FLAT));
    add("the key of another cell", "901-98-7-4712", "bad-value", () -> utf8(FLAT));
    add("no bytes", CELL, "bad-value", () -> new byte[0]);
    rejected("cut short", "malformed", () -> FULL.substring(0, FULL.length() / 2));
    rejected("something behind", "malformed", () -> FLAT + FLAT);
    rejected("no object", "bad-value", () -> "[" + FLAT + "]");
    rejected("a member twice", "malformed", () -> FLAT.replace("{", "{\"lon\":9,"));
    rejected("deep", "malformed", () -> "[".repeat(100_000) + "]".repeat(100_000));
    rejected(
        "deep in a member that nobody reads",
        "malformed",
        () -> FLAT.replace("{", "{\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + ","));
    for (String number : List.of("1e999999999", "-1e999999999", "181", "\"1.5\"", "null", "[1]")) {
      rejected("the longitude " + number, "bad-value", () -> FLAT.replace("1.5", number));
    }
    for (String number :
        List.of("NaN", "Infinity", "0x1F", "9".repeat(2_000), "1." + "1".repeat(2_000))) {
      String name = number.length() > 20 ? number.length() + " digits" : number;
      rejected("the longitude " + name, "malformed", () -> FLAT.replace("1.5", number));
    }
    add("the longitude -0", CELL, null, () -> utf8(FLAT.replace("1.5", "-0")));
    add("the longitude 1e-999999999", CELL, null, () -> utf8(FLAT.replace("1.5", "1e-999999999")));
    rejected(
        "the position (0, 0)", "bad-value", () -> FLAT.replace("1.5", "0").replace("2.5", "-0.0"));
    for (String from :
        List.of(
            "\"+1000000000-12-31T23:59:59.999999999Z\"",
            "\"2026-02-30T00:00:00Z\"",
            "9223372036854775808",
            "1e3",
            "\"\"",
            "{}")) {
      rejected(
          "the version from " + from,
          "bad-value",
          () -> FLAT.replace("{", "{\"from\":" + from + ","));
    }
    add(
        "the version from the earliest of times",
        CELL,
        null,
        () -> utf8(FLAT.replace("{", "{\"from\":-9223372036854775808,")));
    rejected("versions that descend", "bad-value", () -> FULL.replace("1700000000000", "0"));
    rejected("a radio twice", "bad-value", () -> FULL.replace("NR", "GSM"));
    rejected("a radio nobody knows", "bad-value", () -> FULL.replace("NR", "$ne"));
    rejected("a cid past 36 bits", "bad-value", () -> FLAT.replace("4711", "68719476736"));
    add("UTF-16", CELL, null, () -> FLAT.getBytes(StandardCharsets.UTF_16));
    add("not UTF-8", CELL, "malformed", () -> FLAT.replace("LTE", "\u00c3(").getBytes(ISO_8859_1));
    add("gzip, which the catalogue does not take", CELL, "malformed", () -> gzip(utf8(FLAT)));
    add("a gzip bomb", CELL, "malformed", () -> HostileMessages.gzipOfZeros(1_000));
    add("10,000 versions", CELL, null, () -> utf8(withVersions(10_000)));
    add("2,000,000 versions", CELL, "message-too-large", () -> utf8(withVersions(2_000_000)));
    rejected("100,000 towers", "bad-value", () -> towers("{\"radio\":\"LTE\"},".repeat(60_000)));
    rejected("300,000 empty towers", "bad-value", () -> towers("{},".repeat(300_000)));
    add(
        "80,000 members that nobody reads",
        CELL,
        null,
        () ->
            utf8(
                IntStream.range(0, 80_000)
                    .mapToObj(i -> "\"n" + i + "\":0,")
                    .collect(Collectors.joining("", "{", FLAT.substring(1)))));
  }

  /** All of them. */
  public static List<HostileCellEntry> all() {
    return List.copyOf(new HostileCellEntries().entries);
  }

  /** Well-formed values, for {@link Mutations} to begin with. */
  public static List<byte[]> valid() {
    return List.of(utf8(FLAT), utf8(FULL));
  }

  private void add(
      String name,
      @Nullable String key,
      @Nullable String reason,
      Supplier<byte @Nullable []> builder) {
    entries.add(new HostileCellEntry(name, key, reason, builder));
  }

  private void rejected(String name, String reason, Supplier<String> text) {
    add(name, null, reason, () -> utf8(text.get()));
  }

  private static String towers(String towersWithCommas) {
    return "{\"cell\":\""
        + CELL
        + "\",\"towers\":["
        + towersWithCommas.substring(0, towersWithCommas.length() - 1)
        + "]}";
  }

  private static String withVersions(int count) {
    return towers(
        IntStream.range(0, count)
            .mapToObj(i -> "{\"from\":" + i + ",\"lon\":" + i % 180 + ",\"lat\":1}")
            .collect(Collectors.joining(",", "{\"radio\":\"LTE\",\"versions\":[", "]},")));
  }
}
