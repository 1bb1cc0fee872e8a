package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * {@code {"sightings": [...]}}, followed by the fields about the rows as a whole; or a
 * FeatureCollection of points, in which a feature without a position has no geometry.
 */
final class JsonRows implements RowWriter {
  private final PrintWriter out;
  private final JsonGenerator json;
  private final boolean asGeoJson;

  JsonRows(PrintWriter out, JsonGenerator json, boolean asGeoJson) throws IOException {
    this.out = out;
    this.json = json;
    this.asGeoJson = asGeoJson;
    json.writeStartObject();
    if (asGeoJson) {
      json.writeStringField("type", "FeatureCollection");
    }
    json.writeArrayFieldStart(asGeoJson ? "features" : "sightings");
  }

  @Override
  public void write(ObjectNode row) throws IOException {
    if (asGeoJson) {
      JsonNode place = row.remove("loc");
      ArrayNode points = JsonNodeFactory.instance.arrayNode();
      if (place != null) {
        points.add(GeoJson.coordinates(place));
      }
      json.writeTree(GeoJson.feature(points, row));
    } else {
      json.writeTree(row);
    }
  }

  /** Without the closing brackets: a reader then finds that the output is incomplete. */
  @Override
  public boolean breakOff() throws IOException {
    json.flush();
    return true;
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    json.writeEndArray();
    if (!asGeoJson) {
      for (var field : about.properties()) {
        json.writeFieldName(field.getKey());
        json.writeTree(field.getValue());
      }
    }
    json.writeEndObject();
    json.close();
    out.println();
  }
}
