package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * A FeatureCollection of one LineString, with the timestamps, sources and accuracies of its
 * positions; an unknown accuracy is null. Rows without a position are left out. A line needs two
 * positions, so a single one becomes a Point, and none a feature without geometry. Unlike the other
 * forms, it holds all rows in memory.
 */
final class GeoJsonLine implements RowWriter {
  private final PrintWriter out;
  private final JsonGenerator json;
  private @Nullable JsonNode user;
  private final ArrayNode coordinates = JsonNodeFactory.instance.arrayNode();
  private final ArrayNode times = JsonNodeFactory.instance.arrayNode();
  private final ArrayNode sources = JsonNodeFactory.instance.arrayNode();
  private final ArrayNode accuracies = JsonNodeFactory.instance.arrayNode();

  GeoJsonLine(PrintWriter out, JsonGenerator json) {
    this.out = out;
    this.json = json;
  }

  @Override
  public void write(ObjectNode row) {
    if (row.has("loc")) {
      user = row.get("user");
      coordinates.add(GeoJson.coordinates(row.get("loc")));
      times.add(row.get("ts"));
      sources.add(row.get("src"));
      accuracies.add(row.get("acc"));
    }
  }

  /** Prints nothing: a part of the line would look like the whole. */
  @Override
  public boolean breakOff() {
    return false;
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    ObjectNode properties = JsonNodeFactory.instance.objectNode();
    if (user != null) {
      properties.set("user", user);
    }
    properties.set("times", times);
    properties.set("sources", sources);
    properties.set("accuracies", accuracies);
    ObjectNode collection = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    collection.putArray("features").add(GeoJson.feature(coordinates, properties));
    json.writeTree(collection);
    json.close();
    out.println();
  }
}
