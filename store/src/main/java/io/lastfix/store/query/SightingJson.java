package io.lastfix.store.query;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Sightings as JSON, in the shape of the MongoDB documents. What is not known is absent, except the
 * cell: it is null.
 */
public final class SightingJson {
  private SightingJson() {}

  /**
   * A device's newest sighting, with its newest own position as {@code fix}, also if they are the
   * same; without {@code fix} if there is none.
   */
  public static ObjectNode of(LastKnownLocation known) {
    ObjectNode node = of(known.last(), null);
    if (known.fix() != null) {
      ObjectNode fix = of(known.fix(), null);
      fix.remove("user");
      node.set("fix", fix);
    }
    return node;
  }

  /**
   * A sighting.
   *
   * @param distanceMeters from the queried place; null if there was none
   */
  public static ObjectNode of(Sighting sighting, @Nullable Double distanceMeters) {
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
        .put("distance", distanceMeters);
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
}
