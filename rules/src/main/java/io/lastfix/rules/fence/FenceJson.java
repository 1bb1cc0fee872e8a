package io.lastfix.rules.fence;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import java.util.List;

/** Fences as GeoJSON, as {@link FenceReader} reads them. */
public final class FenceJson {
  private FenceJson() {}

  /** Returns the geometry alone: that of a circle is its centre. */
  public static ObjectNode geometry(Fence.Area area) {
    ObjectNode geometry = JsonNodeFactory.instance.objectNode();
    if (area instanceof Fence.Circle circle) {
      geometry.put("type", "Point").set("coordinates", array(circle.center()));
      return geometry;
    }
    geometry.put("type", "MultiPolygon");
    ArrayNode polygons = geometry.putArray("coordinates");
    for (List<List<Position>> rings : ((Fence.Polygons) area).list()) {
      ArrayNode polygon = polygons.addArray();
      for (List<Position> ring : rings) {
        ArrayNode positions = polygon.addArray();
        ring.forEach(position -> positions.add(array(position)));
      }
    }
    return geometry;
  }

  private static ArrayNode array(Position position) {
    return JsonNodeFactory.instance.arrayNode().add(position.lon()).add(position.lat());
  }

  /** Returns a Feature that is the whole fence. */
  public static ObjectNode feature(Fence fence) {
    ObjectNode feature =
        JsonNodeFactory.instance.objectNode().put("type", "Feature").put("id", fence.id());
    ObjectNode properties = feature.putObject("properties");
    if (fence.area() instanceof Fence.Circle circle) {
      properties.put("radius", circle.radiusMeters());
    }
    feature.set("geometry", geometry(fence.area()));
    return feature;
  }
}
