package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;

/** The parts of GeoJSON. */
public final class GeoJson {
  private GeoJson() {}

  /** Longitude, latitude, in GeoJSON's order. */
  public static ArrayNode coordinates(Position position) {
    return JsonNodeFactory.instance.arrayNode().add(position.lon()).add(position.lat());
  }

  /** The same of a node with {@code lon} and {@code lat}. */
  public static ArrayNode coordinates(JsonNode place) {
    return JsonNodeFactory.instance.arrayNode().add(place.get("lon")).add(place.get("lat"));
  }

  /**
   * A GeoJSON feature.
   *
   * @param points each as {@link #coordinates}: one is a point, several are a line, and none is no
   *     geometry
   */
  public static ObjectNode feature(ArrayNode points, ObjectNode properties) {
    ObjectNode feature = JsonNodeFactory.instance.objectNode().put("type", "Feature");
    if (points.isEmpty()) {
      feature.putNull("geometry");
    } else {
      boolean isPoint = points.size() == 1;
      feature
          .putObject("geometry")
          .put("type", isPoint ? "Point" : "LineString")
          .set("coordinates", isPoint ? points.get(0) : points);
    }
    return feature.set("properties", properties);
  }
}
