package io.lastfix.store.presence;

import io.lastfix.store.connect.ArgumentChecks;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import java.io.Serializable;
import java.util.List;

/**
 * The collection with one document per device.
 *
 * @param name 1 to 60 letters, digits, {@code _} or {@code -}
 */
public record PresenceCollection(String name) implements Serializable {
  /** Checks the name. */
  public PresenceCollection {
    ArgumentChecks.isName("name", name);
  }

  /** Returns the description of the collection: an index finds the devices that are offline. */
  public CollectionDescription description() {
    return new CollectionDescription(
        name, KeyPattern.hashed("_id"), List.of(), List.of(KeyPattern.ascending("state", "since")));
  }
}
