package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;

/** A FeatureCollection of points; a feature has no geometry if the cell was unknown. */
final class GeoJsonRows implements RowWriter {
  private final PrintWriter out;
  private final JsonGenerator json;

  GeoJsonRows(PrintWriter out, JsonGenerator json) throws IOException {
    this.out = out;
    this.json = json;
    json.writeStartObject();
    json.writeStringField("type", "FeatureCollection");
    json.writeArrayFieldStart("features");
  }

  @Override
  public void write(Row row) throws IOException {
    ObjectNode properties = Sightings.toJson(row);
    properties.remove("loc");
    json.writeStartObject();
    json.writeStringField("type", "Feature");
    json.writeFieldName("geometry");
    if (row.sighting().position() == null) {
      json.writeNull();
    } else {
      json.writeStartObject();
      json.writeStringField("type", "Point");
      json.writeFieldName("coordinates");
      json.writeTree(Sightings.coordinates(row.sighting().position()));
      json.writeEndObject();
    }
    json.writeFieldName("properties");
    json.writeTree(properties);
    json.writeEndObject();
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    json.writeEndArray();
    json.writeEndObject();
    json.close();
    out.println();
  }
}
