package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.util.List;
import java.util.Locale;

/**
 * Sightings as a table for users and as JSON for programs, in the shape of the MongoDB documents.
 */
public final class Sightings {
  private Sightings() {}

  /** A sighting in the form of its MongoDB document. */
  public static ObjectNode toJson(Sighting sighting) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("user", sighting.user())
            .put("ts", sighting.timestamp().toString())
            .put("cell", sighting.cell());
    if (sighting.position() != null) {
      node.putObject("loc")
          .put("lon", sighting.position().lon())
          .put("lat", sighting.position().lat());
    }
    return node;
  }

  /** The same with the distance in metres, if there is one. */
  static ObjectNode toJson(Row row) {
    ObjectNode node = toJson(row.sighting());
    return row.distanceMeters() == null ? node : node.put("distance", row.distanceMeters());
  }

  /** Longitude, latitude, in GeoJSON's order. */
  static ArrayNode coordinates(Position position) {
    return JsonNodeFactory.instance.arrayNode().add(position.lon()).add(position.lat());
  }

  /** All sightings, without a line end after them. */
  public static String toTable(List<Sighting> sightings) {
    Table table = newTable(false);
    sightings.forEach(sighting -> addTo(table, Row.of(sighting), false));
    return table.toString();
  }

  static Table newTable(boolean withDistance) {
    return withDistance
        ? new Table("USER", "TIME (UTC)", "LATITUDE", "LONGITUDE", "DISTANCE (M)", "CELL")
        : new Table("USER", "TIME (UTC)", "LATITUDE", "LONGITUDE", "CELL");
  }

  static void addTo(Table table, Row row, boolean withDistance) {
    Sighting sighting = row.sighting();
    Position position = sighting.position();
    String latitude = position == null ? "unknown" : decimal("%.6f", position.lat());
    String longitude = position == null ? "unknown" : decimal("%.6f", position.lon());
    if (withDistance) {
      String distance = row.distanceMeters() == null ? "" : decimal("%.1f", row.distanceMeters());
      table.row(
          sighting.user(),
          sighting.timestamp().toString(),
          latitude,
          longitude,
          distance,
          sighting.cell());
    } else {
      table.row(
          sighting.user(), sighting.timestamp().toString(), latitude, longitude, sighting.cell());
    }
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
