package io.lastfix.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.lastfix.model.Radio;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One message of the catalogue: all that was known of a cell id from then on.
 *
 * @param area of the cell id
 * @param publishedMillis Kafka's timestamp, milliseconds since 1970
 * @param towers none: the cell was taken out
 */
record CatalogEntry(long area, long publishedMillis, List<Tower> towers) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The end of the year 9999, in milliseconds. */
  private static final BigInteger LAST_REVISION = BigInteger.valueOf(253_402_300_799_999L);

  /** A day: how far a revision may be ahead of the timestamp of its message. */
  private static final BigInteger DAY = BigInteger.valueOf(86_400_000);

  /** A tower, and where it stood from when on, oldest first. */
  record Tower(Radio radio, List<Version> versions) {
    /** Where it stood: the newest version not after that moment, else the earliest. */
    Place at(long timestampMillis) {
      Version valid = versions.get(0);
      for (Version version : versions) {
        if (version.fromMillis() <= timestampMillis) {
          valid = version;
        }
      }
      return valid.place();
    }
  }

  record Version(long fromMillis, Place place) {}

  /** What tells a cell id: mcc, mnc, area, cid. */
  static long[] cell(String text) {
    String[] parts = text.split("-", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("expected mcc-mnc-area-cid");
    }
    long[] cell = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      cell[i] = Long.parseLong(parts[i]);
    }
    return cell;
  }

  /**
   * The cell id of a message's value, or of its key where it has no value.
   *
   * @throws IOException or IllegalArgumentException if there is none
   */
  static long[] cell(@Nullable String key, byte @Nullable [] value) throws IOException {
    return cell(value == null ? String.valueOf(key) : JSON.readTree(value).path("cell").asText());
  }

  /**
   * The revision that a message's value gives; where it gives none, the message's timestamp counts.
   *
   * @param publishedMillis that timestamp; below 0 it is not known
   * @throws IOException or IllegalArgumentException if it is none
   */
  static OptionalLong revision(byte @Nullable [] value, long publishedMillis) throws IOException {
    JsonNode revision =
        value == null ? MissingNode.getInstance() : JSON.readTree(value).path("revision");
    if (revision.isMissingNode()) {
      return OptionalLong.empty();
    }
    if (!revision.isIntegralNumber()
        || revision.bigIntegerValue().signum() < 0
        || revision.bigIntegerValue().compareTo(LAST_REVISION) > 0) {
      throw new IllegalArgumentException("expected a revision");
    }
    BigInteger last = BigInteger.valueOf(publishedMillis).add(DAY);
    if (publishedMillis >= 0 && revision.bigIntegerValue().compareTo(last) > 0) {
      throw new IllegalArgumentException("expected a revision that is not days ahead");
    }
    return OptionalLong.of(revision.longValue());
  }

  /**
   * The towers of a message's value.
   *
   * @throws IOException or IllegalArgumentException if it is no catalogue entry
   */
  static List<Tower> towers(byte @Nullable [] value) throws IOException {
    if (value == null) {
      return List.of();
    }
    JsonNode root = JSON.readTree(value);
    List<Tower> towers = new ArrayList<>();
    if (!root.has("towers")) {
      // The flat form: one tower with one version.
      towers.add(new Tower(radio(root), List.of(version(root))));
    }
    for (JsonNode tower : root.path("towers")) {
      List<Version> versions = new ArrayList<>();
      tower.path("versions").forEach(version -> versions.add(version(version)));
      if (versions.isEmpty()) {
        throw new IllegalArgumentException("expected a version");
      }
      towers.add(new Tower(radio(tower), versions));
    }
    return towers;
  }

  private static Radio radio(JsonNode node) {
    return Radio.parse(node.path("radio").asText())
        .orElseThrow(() -> new IllegalArgumentException("expected a radio"));
  }

  private static Version version(JsonNode node) {
    JsonNode from = node.path("from");
    long fromMillis =
        from.isTextual() ? Instant.parse(from.textValue()).toEpochMilli() : from.asLong();
    if (!node.path("lon").isNumber() || !node.path("lat").isNumber()) {
      throw new IllegalArgumentException("expected lon and lat");
    }
    // Adding zero makes 0.0 of -0.0, as the collections have it.
    return new Version(
        fromMillis,
        new Place(node.get("lon").doubleValue() + 0.0, node.get("lat").doubleValue() + 0.0));
  }
}
