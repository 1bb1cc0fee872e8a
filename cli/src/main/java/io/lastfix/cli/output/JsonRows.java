package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;

/** {@code {"sightings": [...]}}, followed by the fields about the rows as a whole. */
final class JsonRows implements RowWriter {
  private final PrintWriter out;
  private final JsonGenerator json;

  JsonRows(PrintWriter out, JsonGenerator json) throws IOException {
    this.out = out;
    this.json = json;
    json.writeStartObject();
    json.writeArrayFieldStart("sightings");
  }

  @Override
  public void write(Row row) throws IOException {
    json.writeTree(Sightings.toJson(row));
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    json.writeEndArray();
    for (var field : about.properties()) {
      json.writeFieldName(field.getKey());
      json.writeTree(field.getValue());
    }
    json.writeEndObject();
    json.close();
    out.println();
  }
}
