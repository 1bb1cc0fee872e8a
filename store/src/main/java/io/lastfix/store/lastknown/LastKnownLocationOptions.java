package io.lastfix.store.lastknown;

import io.lastfix.store.connect.ArgumentChecks;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The collection of Last Known Location.
 *
 * @param collection name, 1 to 60 letters, digits, {@code _} or {@code -}
 * @param positionIndex true if it has an index on the newest position, for queries of users near a
 *     place
 * @param cellIndex true if it has an index on (cell, ts), for queries of users last seen in a cell
 * @param fixIndex true if it has an index on the newest position of the device's own, for the same
 *     queries of those positions
 */
public record LastKnownLocationOptions(
    String collection, boolean positionIndex, boolean cellIndex, boolean fixIndex)
    implements Serializable {
  public LastKnownLocationOptions {
    ArgumentChecks.isName("collection", collection);
  }

  /** Returns the description of the collection. */
  public CollectionDescription description() {
    List<KeyPattern> indexes = new ArrayList<>();
    if (positionIndex) {
      indexes.add(KeyPattern.sphere("last.loc"));
    }
    if (cellIndex) {
      indexes.add(KeyPattern.ascending("last.cell", "last.ts"));
    }
    if (fixIndex) {
      indexes.add(KeyPattern.sphere("fix.loc"));
    }
    return new CollectionDescription(collection, KeyPattern.hashed("_id"), List.of(), indexes);
  }
}
