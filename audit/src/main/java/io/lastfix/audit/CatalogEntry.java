package io.lastfix.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.audit.stored.Place;
import io.lastfix.model.Radio;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message of the catalogue: the complete state of a cell id from then on.
 *
 * @param area of the cell id
 * @param publishedMillis Kafka's timestamp, milliseconds since 1970
 * @param towers empty: the cell was removed
 */
record CatalogEntry(long area, long publishedMillis, List<Tower> towers) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The end of the year 9999, in milliseconds. */
  private static final long LAST_REVISION = 253_402_300_799_999L;

  /** The largest lead of a revision over its message's timestamp. */
  private static final long DAY_MILLIS = 86_400_000;

  /** A tower with its positions over time, oldest first. */
  record Tower(Radio radio, List<Version> versions) {
    /** The version at that time: the newest one that is not later, else the earliest. */
    Version at(long timestampMillis) {
      Version valid = versions.get(0);
      for (Version version : versions) {
        if (version.fromMillis() <= timestampMillis) {
          valid = version;
        }
      }
      return valid;
    }
  }

  /**
   * A position from an instant on.
   *
   * @param rangeMeters the radius in which the cell is heard; 0: unknown
   */
  record Version(long fromMillis, Place place, int rangeMeters) {}

  /** The parts of a cell id: mcc, mnc, area, cid. */
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
   * The cell id of a message's value or, if it has no value, of its key.
   *
   * @throws IOException or IllegalArgumentException if there is none
   */
  static long[] cell(@Nullable String key, byte @Nullable [] value) throws IOException {
    return cell(value == null ? String.valueOf(key) : JSON.readTree(value).path("cell").asText());
  }

  /**
   * The revision in a message's value; without one, the message's timestamp.
   *
   * @param publishedMillis that timestamp; negative: unknown
   * @throws IOException or IllegalArgumentException if the value is not a revision
   */
  static long revision(byte @Nullable [] value, long publishedMillis) throws IOException {
    if (value == null) {
      return publishedMillis;
    }
    JsonNode revision = JSON.readTree(value).path("revision");
    if (revision.isMissingNode()) {
      return publishedMillis;
    }
    long number = revision.longValue();
    if (!revision.isIntegralNumber()
        || !revision.canConvertToLong()
        || number < 0
        || number > LAST_REVISION) {
      throw new IllegalArgumentException("expected a revision");
    }
    if (publishedMillis >= 0 && number - publishedMillis > DAY_MILLIS) {
      throw new IllegalArgumentException("expected a revision that is not days ahead");
    }
    return number;
  }

  /**
   * The towers of a message's value.
   *
   * @throws IOException or IllegalArgumentException if it is not a catalogue entry
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
    return withoutZeros(towers);
  }

  /** Leaves out what is at (0, 0). */
  private static List<Tower> withoutZeros(List<Tower> towers) {
    List<Tower> known = new ArrayList<>();
    for (Tower tower : towers) {
      List<Version> versions =
          tower.versions().stream()
              .filter(version -> version.place().lon() != 0 || version.place().lat() != 0)
              .toList();
      if (!versions.isEmpty()) {
        known.add(new Tower(tower.radio(), versions));
      }
    }
    if (known.isEmpty() && !towers.isEmpty()) {
      throw new IllegalArgumentException("expected a position other than (0, 0)");
    }
    return known;
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
    // Anything but metres is an unknown range, as for the job.
    JsonNode range = node.path("range");
    int meters = range.isNumber() ? (int) Math.ceil(Math.max(0, range.doubleValue())) : 0;
    // Adding zero turns -0.0 into 0.0, which the collections hold.
    return new Version(
        fromMillis,
        new Place(node.get("lon").doubleValue() + 0.0, node.get("lat").doubleValue() + 0.0),
        meters);
  }
}
