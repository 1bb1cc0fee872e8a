package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The format of a catalogue entry in a message of {@code lastfix.cells}.
 *
 * <p>The key is the cell id as text, the value is JSON:
 *
 * <pre>{@code
 * {"cell":"311-480-9728-9903886","towers":[{"radio":"LTE","versions":[
 *   {"from":"2017-04-03T18:02:39Z","lon":-122.393744,"lat":37.788097,"range":1000}]}]}
 * }</pre>
 *
 * <p>{@code range} is the radius in which the cell is heard, in metres; it may be absent.
 *
 * <p>A message without a value, or with {@code "towers":[]}, removes the cell from the catalogue.
 * The reader also accepts {@code from} in milliseconds since 1970-01-01T00:00:00Z. It also accepts
 * a flat form for a cell with one tower and one version. There, {@code from} may be absent if the
 * tower has always stood there:
 *
 * <pre>{@code
 * {"cell":"311-480-9728-9903886","radio":"LTE","lon":-122.393744,"lat":37.788097}
 * }</pre>
 *
 * <p>A value that has neither {@code towers} nor the members of the flat form is an error. The
 * reader leaves out versions at exactly (0, 0), which is no position; a value without any other is
 * an error.
 *
 * <p>{@code "revision"} decides which entry of a cell wins. It is a whole number from 0 to {@link
 * Revision#MAX_NUMBER}, by convention milliseconds since 1970. If it is absent, Kafka's timestamp
 * of the message takes its place. If two numbers are equal, the greater offset wins. A revision
 * more than {@link Revision#MAX_AHEAD_MILLIS} ahead of Kafka's timestamp is an error. The check
 * does not use the clock, so every read of a message gives the same result.
 *
 * <p>The reader ignores unknown members. A message larger than {@link #MAX_BYTES} is an error:
 * parsing would need many times its size in memory, and every lookup of a cell with that many
 * versions would be slow.
 */
public final class CellEntryJson {
  /** Maximum size of key and value together: 1 MiB, Kafka's own default, some 13,000 versions. */
  public static final int MAX_BYTES = 1 << 20;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final ObjectReader READER = MAPPER.reader();

  private CellEntryJson() {}

  /** Returns the message's key. */
  public static byte[] key(CellEntry entry) {
    return entry.cell().toString().getBytes(UTF_8);
  }

  /**
   * Returns the message's value. It is null if the entry has no towers; a null value removes the
   * cell from a compacted topic.
   */
  public static byte @Nullable [] value(CellEntry entry) {
    if (entry.towers().isEmpty()) {
      return null;
    }
    ObjectNode root = MAPPER.createObjectNode().put("cell", entry.cell().toString());
    if (entry.revision().number() >= 0) {
      root.put("revision", entry.revision().number());
    }
    ArrayNode towers = root.putArray("towers");
    for (Tower tower : entry.towers()) {
      ArrayNode versions =
          towers.addObject().put("radio", tower.radio().name()).putArray("versions");
      tower.versions().forEach(version -> write(version, versions.addObject()));
    }
    return root.toString().getBytes(UTF_8);
  }

  private static void write(CellVersion version, ObjectNode node) {
    node.put("from", Instant.ofEpochMilli(version.validFromMillis()).toString())
        .put("lon", version.position().lon())
        .put("lat", version.position().lat());
    if (version.rangeMeters() > 0) {
      node.put("range", version.rangeMeters());
    }
  }

  /**
   * Parses a message.
   *
   * @param key the message's key; null is valid only if the value names the cell
   * @param value the message's value; null removes the cell
   * @param message offset, partition and Kafka's timestamp; its number applies if the value has no
   *     revision
   * @throws CellEntryException if the message is invalid; names the invalid part
   */
  public static CellEntry read(byte @Nullable [] key, byte @Nullable [] value, Revision message)
      throws CellEntryException {
    long bytes = (key == null ? 0L : key.length) + (value == null ? 0 : value.length);
    if (bytes > MAX_BYTES) {
      throw CellEntryException.tooLarge(bytes);
    }
    if (value == null) {
      if (key == null) {
        throw CellEntryException.badValue(
            "key", "expected a cell id, since the message has no value");
      }
      CellId removed = cell("key", new String(key, UTF_8));
      return checked("key", () -> new CellEntry(removed, List.of(), message));
    }
    JsonNode root = tree(value);
    CellId cell = cell("/cell", text(root, "", "cell"));
    if (key != null && !cell("key", new String(key, UTF_8)).equals(cell)) {
      throw CellEntryException.badValue("key", "expected the same cell id as in the value");
    }
    String path = root.has("towers") ? "/towers" : "/lon";
    List<Tower> towers = root.has("towers") ? towers(root) : List.of(flatTower(root));
    List<Tower> positioned =
        towers.stream().map(Tower::positioned).filter(Objects::nonNull).toList();
    if (positioned.isEmpty() && !towers.isEmpty()) {
      throw CellEntryException.badValue(path, "(0, 0) is no position");
    }
    Revision revision = revision(root, message);
    return checked("/cell", () -> new CellEntry(cell, positioned, revision));
  }

  private static Revision revision(JsonNode root, Revision message) throws CellEntryException {
    if (!root.has("revision")) {
      return message;
    }
    JsonNode number = root.get("revision");
    if (!number.isIntegralNumber()
        || !number.canConvertToLong()
        || number.longValue() < 0
        || number.longValue() > Revision.MAX_NUMBER) {
      throw CellEntryException.badValue(
          "/revision", "expected a whole number from 0 to " + Revision.MAX_NUMBER);
    }
    if (message.number() >= 0
        && number.longValue() - message.number() > Revision.MAX_AHEAD_MILLIS) {
      throw CellEntryException.badValue(
          "/revision", "expected at most a day after the message's timestamp in Kafka");
    }
    return message.withNumber(number.longValue());
  }

  private static JsonNode tree(byte[] value) throws CellEntryException {
    JsonNode root;
    try {
      root = READER.readTree(value);
    } catch (JsonProcessingException e) {
      // The message of Jackson's exception quotes the payload, so it is not passed on.
      throw CellEntryException.malformed("malformed JSON at byte " + offset(e));
    } catch (IOException | RuntimeException e) {
      // On invalid bytes Jackson may also throw RuntimeExceptions.
      throw CellEntryException.malformed("unreadable as JSON");
    }
    if (!root.isObject()) {
      throw CellEntryException.badValue("value", "expected a JSON object");
    }
    return root;
  }

  private static long offset(JsonProcessingException e) {
    return e.getLocation() == null ? 0 : e.getLocation().getByteOffset();
  }

  /** Makes a value, and names its place in the message if it is invalid. */
  private static <T> T checked(String path, Supplier<T> value) throws CellEntryException {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw CellEntryException.badValue(path, String.valueOf(e.getMessage()));
    }
  }

  private static CellId cell(String path, String text) throws CellEntryException {
    return checked(path, () -> CellId.parse(text));
  }

  private static List<Tower> towers(JsonNode root) throws CellEntryException {
    List<Tower> towers = new ArrayList<>();
    int index = 0;
    for (JsonNode tower : array(root, "", "towers")) {
      towers.add(tower(tower, "/towers/" + index++));
    }
    return towers;
  }

  private static Tower tower(JsonNode node, String path) throws CellEntryException {
    Radio radio = radio(node, path);
    List<CellVersion> versions = new ArrayList<>();
    int index = 0;
    for (JsonNode version : array(node, path, "versions")) {
      String versionPath = path + "/versions/" + index++;
      versions.add(version(from(version, versionPath), version, versionPath));
    }
    return checked(path, () -> new Tower(radio, versions));
  }

  private static Tower flatTower(JsonNode root) throws CellEntryException {
    long from = root.has("from") ? from(root, "") : 0;
    return new Tower(radio(root, ""), List.of(version(from, root, "")));
  }

  /** Anything but metres, 0 or more, is an unknown range. */
  private static CellVersion version(long from, JsonNode node, String path)
      throws CellEntryException {
    double range = node.path("range").isNumber() ? node.get("range").doubleValue() : 0;
    // A cast of NaN gives 0, of too great a value the greatest.
    return new CellVersion(from, position(node, path), Math.max(0, (int) Math.ceil(range)));
  }

  private static Radio radio(JsonNode node, String path) throws CellEntryException {
    return Radio.parse(text(node, path, "radio"))
        .orElseThrow(() -> CellEntryException.badValue(path + "/radio", "expected a known radio"));
  }

  private static long from(JsonNode node, String path) throws CellEntryException {
    JsonNode from = node.path("from");
    if (from.canConvertToLong() && from.isIntegralNumber()) {
      return from.longValue();
    }
    if (from.isTextual()) {
      try {
        return Instant.parse(from.textValue()).toEpochMilli();
      } catch (DateTimeException | ArithmeticException e) {
        throw CellEntryException.badValue(path + "/from", "expected ISO 8601");
      }
    }
    throw CellEntryException.badValue(
        path + "/from", "expected ISO 8601 or milliseconds since 1970");
  }

  private static Position position(JsonNode node, String path) throws CellEntryException {
    double lon = member(node, path, "lon", JsonNode::isNumber, "a number").doubleValue();
    double lat = member(node, path, "lat", JsonNode::isNumber, "a number").doubleValue();
    return checked(path.isEmpty() ? "/" : path, () -> new Position(lon, lat));
  }

  private static String text(JsonNode node, String path, String name) throws CellEntryException {
    return member(node, path, name, JsonNode::isTextual, "a text").textValue();
  }

  private static JsonNode array(JsonNode node, String path, String name) throws CellEntryException {
    return member(node, path, name, JsonNode::isArray, "an array");
  }

  private static JsonNode member(
      JsonNode node, String path, String name, Predicate<JsonNode> isExpected, String expected)
      throws CellEntryException {
    JsonNode member = node.path(name);
    if (!isExpected.test(member)) {
      throw CellEntryException.badValue(path + "/" + name, "expected " + expected);
    }
    return member;
  }
}
