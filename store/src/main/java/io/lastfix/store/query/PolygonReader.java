package io.lastfix.store.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.model.Position;
import java.util.ArrayList;
import java.util.List;

/** Reads the polygon of a GeoJSON text (RFC 7946). */
final class PolygonReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PolygonReader() {}

  static Polygon read(String text) {
    try {
      return polygon(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "polygon: expected GeoJSON, found invalid JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static Polygon polygon(JsonNode node) {
    String type = node.path("type").asText();
    return switch (type) {
      case "FeatureCollection" -> polygon(onlyOne(node.path("features")));
      case "Feature" -> polygon(node.path("geometry"));
      case "Polygon" -> new Polygon(rings(node.path("coordinates")));
      default ->
          throw new IllegalArgumentException(
              "polygon: expected a Polygon, or a Feature with one, found "
                  + (type.isEmpty() ? "no type" : type));
    };
  }

  private static JsonNode onlyOne(JsonNode features) {
    if (features.size() != 1) {
      throw new IllegalArgumentException(
          "polygon: expected a collection of one feature, found a collection of "
              + features.size());
    }
    return features.get(0);
  }

  private static List<List<Position>> rings(JsonNode coordinates) {
    List<List<Position>> rings = new ArrayList<>();
    for (JsonNode ring : array(coordinates)) {
      List<Position> positions = new ArrayList<>();
      array(ring).forEach(position -> positions.add(position(position)));
      rings.add(positions);
    }
    return rings;
  }

  private static JsonNode array(JsonNode node) {
    if (!node.isArray()) {
      throw new IllegalArgumentException(
          "polygon: expected coordinates that are an array of rings, each an array of positions");
    }
    return node;
  }

  /** Reads longitude and latitude; ignores an altitude. */
  private static Position position(JsonNode node) {
    if (!node.path(0).isNumber() || !node.path(1).isNumber()) {
      throw new IllegalArgumentException(
          "polygon: expected positions that are [longitude, latitude]");
    }
    try {
      return new Position(node.get(0).asDouble(), node.get(1).asDouble());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("polygon: " + e.getMessage(), e);
    }
  }
}
