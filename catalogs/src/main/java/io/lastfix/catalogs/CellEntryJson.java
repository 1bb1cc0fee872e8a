package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A catalogue entry as a message of {@code lastfix.cells}.
 *
 * <p>The key is the cell id as text, the value JSON:
 *
 * <pre>{@code
 * {"cell":"311-480-9728-9903886","towers":[{"radio":"LTE","versions":[
 *   {"from":"2017-04-03T18:02:39Z","lon":-122.393744,"lat":37.788097}]}]}
 * }</pre>
 *
 * <p>A message without a value, or with {@code "towers":[]}, takes the cell out of the catalogue; a
 * value that has neither {@code towers} nor the members of the flat form below is an error. When
 * reading, {@code from} may also be milliseconds since 1970-01-01T00:00:00Z, and a cell with one
 * tower and one version may be written flat, its {@code from} left out where it always stood there:
 *
 * <pre>{@code
 * {"cell":"311-480-9728-9903886","radio":"LTE","lon":-122.393744,"lat":37.788097}
 * }</pre>
 *
 * <p>{@code "revision"}, a whole number from 0 to {@link Revision#MAX_NUMBER}, by convention
 * milliseconds since 1970, decides which entry of the cell counts; without it, Kafka's timestamp of
 * the message stands in its place. Of two with the same number the greater offset counts. One that
 * is more than {@link Revision#MAX_AHEAD_MILLIS} ahead of that timestamp is an error. The clock has
 * no part in that, so the same message is judged alike whenever it is read.
 *
 * <p>Members it does not know are passed over. A message of more than {@link #MAX_BYTES} is an
 * error: read, it would take many times its size of memory, and a cell of so many versions would be
 * slow to look up for ever.
 */
public final class CellEntryJson {
  /** What key and value may have together: 1 MiB, Kafka's own default, some 13,000 versions. */
  public static final int MAX_BYTES = 1 << 20;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final ObjectReader READER = MAPPER.reader();

  private CellEntryJson() {}

  /** The message's key. */
  public static byte[] key(CellEntry entry) {
    return entry.cell().toString().getBytes(UTF_8);
  }

  /**
   * The message's value; null, which removes the cell from a compacted topic, if it has no towers.
   */
  public static byte @Nullable [] value(CellEntry entry) {
    if (entry.towers().isEmpty()) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(160);
    try (JsonGenerator json = MAPPER.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("cell", entry.cell().toString());
      if (entry.revision().number() >= 0) {
        json.writeNumberField("revision", entry.revision().number());
      }
      json.writeArrayFieldStart("towers");
      for (Tower tower : entry.towers()) {
        writeTower(tower, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static void writeTower(Tower tower, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("radio", tower.radio().name());
    json.writeArrayFieldStart("versions");
    for (CellVersion version : tower.versions()) {
      json.writeStartObject();
      json.writeStringField("from", Instant.ofEpochMilli(version.validFromMillis()).toString());
      json.writeNumberField("lon", version.position().lon());
      json.writeNumberField("lat", version.position().lat());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * Reads a message.
   *
   * @param key its key; null only where the value names the cell
   * @param value its value; null removes the cell
   * @param message where it stood and when; its number holds where the value gives none
   * @throws CellEntryException naming what is wrong
   */
  public static CellEntry read(byte @Nullable [] key, byte @Nullable [] value, Revision message)
      throws CellEntryException {
    long bytes = (key == null ? 0L : key.length) + (value == null ? 0 : value.length);
    if (bytes > MAX_BYTES) {
      throw tooLarge(bytes);
    }
    if (value == null) {
      if (key == null) {
        throw CellEntryException.badValue("key", "expected a cell id where there is no value");
      }
      return entry("key", cell("key", new String(key, UTF_8)), List.of(), message);
    }
    JsonNode root = tree(value);
    CellId cell = cell("/cell", text(root, "", "cell"));
    if (key != null && !cell("key", new String(key, UTF_8)).equals(cell)) {
      throw CellEntryException.badValue("key", "expected the cell id that the value names");
    }
    List<Tower> towers = root.has("towers") ? towers(root) : List.of(flatTower(root));
    return entry("/cell", cell, towers, revision(root, message));
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

  /** What is wrong with a message of so many bytes, more than {@link #MAX_BYTES}. */
  static CellEntryException tooLarge(long bytes) {
    return CellEntryException.tooLarge(
        "expected at most %d bytes with the key, found %d".formatted(MAX_BYTES, bytes));
  }

  private static JsonNode tree(byte[] value) throws CellEntryException {
    JsonNode root;
    try {
      root = READER.readTree(value);
    } catch (JsonProcessingException e) {
      // Not its message, which quotes the payload.
      throw CellEntryException.malformed("malformed JSON at byte " + offset(e));
    } catch (IOException | RuntimeException e) {
      // On bad bytes the library may throw any of the latter too.
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

  private static CellEntry entry(String path, CellId cell, List<Tower> towers, Revision revision)
      throws CellEntryException {
    try {
      return new CellEntry(cell, towers, revision);
    } catch (IllegalArgumentException e) {
      throw CellEntryException.badValue(path, String.valueOf(e.getMessage()));
    }
  }

  private static CellId cell(String path, String text) throws CellEntryException {
    try {
      return CellId.parse(text);
    } catch (IllegalArgumentException e) {
      throw CellEntryException.badValue(path, String.valueOf(e.getMessage()));
    }
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
      versions.add(new CellVersion(from(version, versionPath), position(version, versionPath)));
    }
    try {
      return new Tower(radio, versions);
    } catch (IllegalArgumentException e) {
      throw CellEntryException.badValue(path, String.valueOf(e.getMessage()));
    }
  }

  private static Tower flatTower(JsonNode root) throws CellEntryException {
    long from = root.has("from") ? from(root, "") : 0;
    return new Tower(radio(root, ""), List.of(new CellVersion(from, position(root, ""))));
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
    double lon = number(node, path, "lon");
    double lat = number(node, path, "lat");
    try {
      return new Position(lon, lat);
    } catch (IllegalArgumentException e) {
      throw CellEntryException.badValue(
          path.isEmpty() ? "/" : path, String.valueOf(e.getMessage()));
    }
  }

  private static double number(JsonNode node, String path, String name) throws CellEntryException {
    JsonNode number = node.path(name);
    if (!number.isNumber()) {
      throw CellEntryException.badValue(path + "/" + name, "expected a number");
    }
    return number.doubleValue();
  }

  private static String text(JsonNode node, String path, String name) throws CellEntryException {
    JsonNode text = node.path(name);
    if (!text.isTextual()) {
      throw CellEntryException.badValue(path + "/" + name, "expected a text");
    }
    return text.textValue();
  }

  private static JsonNode array(JsonNode node, String path, String name) throws CellEntryException {
    JsonNode array = node.path(name);
    if (!array.isArray()) {
      throw CellEntryException.badValue(path + "/" + name, "expected an array");
    }
    return array;
  }
}
