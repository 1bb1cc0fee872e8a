package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A FeatureCollection of one LineString, with the timestamps, sources and accuracies of its
 * positions; an unknown accuracy is null. Rows without a position are left out. A line needs two
 * positions, so a single one becomes a Point, and none a feature without geometry. Unlike the other
 * forms, it holds all rows in memory.
 */
final class GeoJsonLine implements RowWriter {
  private final PrintWriter out;
  private final JsonGenerator json;
  private final List<Sighting> located = new ArrayList<>();

  GeoJsonLine(PrintWriter out, JsonGenerator json) {
    this.out = out;
    this.json = json;
  }

  @Override
  public void write(Row row) {
    if (row.sighting().position() != null) {
      located.add(row.sighting());
    }
  }

  /** Prints nothing: a part of the line would look like the whole. */
  @Override
  public boolean breakOff() {
    return false;
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    ArrayNode coordinates = nodes.arrayNode();
    ObjectNode properties = nodes.objectNode();
    if (!located.isEmpty()) {
      properties.put("user", located.get(0).user());
    }
    ArrayNode times = properties.putArray("times");
    ArrayNode sources = properties.putArray("sources");
    ArrayNode accuracies = properties.putArray("accuracies");
    for (Sighting sighting : located) {
      Position position = sighting.position();
      PositionSource source = sighting.source();
      if (position != null && source != null) {
        coordinates.add(GeoJson.coordinates(position));
        times.add(sighting.timestamp().toString());
        sources.add(source.text());
        accuracies.add(sighting.accuracyMeters());
      }
    }
    ObjectNode collection = nodes.objectNode().put("type", "FeatureCollection");
    collection.putArray("features").add(GeoJson.feature(coordinates, properties));
    json.writeTree(collection);
    json.close();
    out.println();
  }
}
