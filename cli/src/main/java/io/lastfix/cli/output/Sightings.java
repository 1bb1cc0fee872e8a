package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sightings as a table for users, and the parts of GeoJSON. */
final class Sightings {
  /** The table's column with the distance, if it has one. */
  private static final int DISTANCE = 4;

  private Sightings() {}

  /** Longitude, latitude, in GeoJSON's order. */
  static ArrayNode coordinates(Position position) {
    return JsonNodeFactory.instance.arrayNode().add(position.lon()).add(position.lat());
  }

  /**
   * A GeoJSON feature.
   *
   * @param coordinates null if it has no geometry; {@code type} then does not matter
   */
  static ObjectNode feature(String type, @Nullable ArrayNode coordinates, ObjectNode properties) {
    ObjectNode feature = JsonNodeFactory.instance.objectNode().put("type", "Feature");
    if (coordinates == null) {
      feature.putNull("geometry");
    } else {
      feature.putObject("geometry").put("type", type).set("coordinates", coordinates);
    }
    return feature.set("properties", properties);
  }

  static Table newTable(boolean withDistance) {
    String[] heading = {
      "USER", "TIME (UTC)", "LATITUDE", "LONGITUDE", "SOURCE", "ACCURACY (M)", "CELL"
    };
    return new Table(withDistance ? with("DISTANCE (M)", heading) : heading);
  }

  static void addTo(Table table, Row row, boolean withDistance) {
    Sighting sighting = row.sighting();
    Position position = sighting.position();
    String cell = sighting.cell() == null ? "-" : sighting.cell();
    String[] cells = {
      sighting.user(),
      sighting.timestamp().toString(),
      position == null ? "unknown" : decimal("%.6f", position.lat()),
      position == null ? "unknown" : decimal("%.6f", position.lon()),
      sighting.source() == null ? "-" : sighting.source().text(),
      sighting.accuracyMeters() == null ? "-" : decimal("%.1f", sighting.accuracyMeters()),
      sighting.isFar() ? cell + " (far)" : cell
    };
    Double distance = row.distanceMeters();
    table.row(
        withDistance ? with(distance == null ? "" : decimal("%.1f", distance), cells) : cells);
  }

  private static String[] with(String distance, String[] others) {
    List<String> cells = new ArrayList<>(List.of(others));
    cells.add(DISTANCE, distance);
    return cells.toArray(String[]::new);
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
