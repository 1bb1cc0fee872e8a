package io.lastfix.cli.output;

import io.lastfix.model.Sighting;
import io.lastfix.store.query.Neighbour;
import org.jspecify.annotations.Nullable;

/**
 * What is printed of one answer.
 *
 * @param sighting the answer
 * @param distanceMeters from the place asked about; null where none was
 */
public record Row(Sighting sighting, @Nullable Double distanceMeters) {
  public static Row of(Sighting sighting) {
    return new Row(sighting, null);
  }

  public static Row of(Neighbour neighbour) {
    return new Row(neighbour.sighting(), neighbour.distanceMeters());
  }
}
