package io.lastfix.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.query.Sighting;
import java.util.List;
import java.util.Locale;

/**
 * Sightings as a table for people and as JSON for programs, in the shape of the MongoDB documents.
 */
final class Sightings {
  static final ObjectMapper JSON = new ObjectMapper();

  private Sightings() {}

  static ObjectNode toJson(Sighting sighting) {
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

  static String toTable(List<Sighting> sightings) {
    Table table = new Table("USER", "TIME (UTC)", "LATITUDE", "LONGITUDE", "CELL");
    for (Sighting sighting : sightings) {
      table.row(
          sighting.user(),
          sighting.timestamp().toString(),
          sighting.position() == null ? "unknown" : degrees(sighting.position().lat()),
          sighting.position() == null ? "unknown" : degrees(sighting.position().lon()),
          sighting.cell());
    }
    return table.toString();
  }

  private static String degrees(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }
}
