package io.lastfix.cli.output;

import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import org.jspecify.annotations.Nullable;

/**
 * One row of a result.
 *
 * @param sighting the sighting
 * @param distanceMeters from the queried place; null if there was none
 */
public record Row(Sighting sighting, @Nullable Double distanceMeters) {
  public static Row of(Sighting sighting) {
    return new Row(sighting, null);
  }

  public static Row of(Neighbour neighbour) {
    return new Row(neighbour.sighting(), neighbour.distanceMeters());
  }
}
