package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sightings as a table for users and as JSON for programs, in the shape of the MongoDB documents.
 */
public final class Sightings {
  /** The table's column with the distance, if it has one. */
  private static final int DISTANCE = 4;

  private Sightings() {}

  /**
   * A device's newest sighting, with its newest own position as {@code fix}, also if they are the
   * same; without {@code fix} if there is none.
   */
  public static ObjectNode toJson(LastKnownLocation known) {
    ObjectNode node = toJson(Row.of(known.last()));
    if (known.fix() != null) {
      ObjectNode fix = toJson(Row.of(known.fix()));
      fix.remove("user");
      node.set("fix", fix);
    }
    return node;
  }

  /**
   * A sighting in the form of its MongoDB document, and the distance in metres. What is not known
   * is absent, except the cell: it is null.
   */
  static ObjectNode toJson(Row row) {
    Sighting sighting = row.sighting();
    PositionSource source = sighting.source();
    Instant located = sighting.located();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("user", sighting.user())
            .put("ts", sighting.timestamp().toString())
            .put("cell", sighting.cell());
    node.set("loc", location(sighting.position()));
    node.put("src", source == null ? null : source.text())
        .put("acc", sighting.accuracyMeters())
        .put("alt", sighting.altitudeMeters());
    node.set("cellLoc", location(sighting.cellPosition()));
    node.put("far", sighting.isFar() ? true : null)
        .put("located", located == null ? null : located.toString())
        .put("distance", row.distanceMeters());
    node.properties()
        .removeIf(field -> field.getValue().isNull() && !field.getKey().equals("cell"));
    return node;
  }

  private static @Nullable ObjectNode location(@Nullable Position position) {
    return position == null
        ? null
        : JsonNodeFactory.instance
            .objectNode()
            .put("lon", position.lon())
            .put("lat", position.lat());
  }

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

  /** All sightings, without a line end after them. */
  public static String toTable(List<Sighting> sightings) {
    Table table = newTable(false);
    sightings.forEach(sighting -> addTo(table, Row.of(sighting), false));
    return table.toString();
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
