package io.lastfix.store.lastknown;

import io.lastfix.store.connect.Checks;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Where Last Known Location is kept.
 *
 * @param collection its name, 1 to 60 letters, digits, {@code _} or {@code -}
 * @param positionIndex whether it has an index on the position, for who is near a place
 * @param cellIndex whether it has an index on (cell, ts), for who was last seen in a cell
 */
public record LastKnownLocationOptions(String collection, boolean positionIndex, boolean cellIndex)
    implements Serializable {
  public LastKnownLocationOptions {
    Checks.isName("collection", collection);
  }

  /** With no more indexes than the sink needs. */
  public LastKnownLocationOptions(String collection) {
    this(collection, false, false);
  }

  /** The collection {@code last_known_location}. */
  public static LastKnownLocationOptions defaults() {
    return new LastKnownLocationOptions("last_known_location");
  }

  /** The collection as it must be. */
  public CollectionDescription description() {
    List<KeyPattern> indexes = new ArrayList<>();
    if (positionIndex) {
      indexes.add(KeyPattern.sphere("last.loc"));
    }
    if (cellIndex) {
      indexes.add(KeyPattern.ascending("last.cell", "last.ts"));
    }
    return new CollectionDescription(collection, KeyPattern.hashed("_id"), List.of(), indexes);
  }
}
