package io.lastfix.store.counts;

import io.lastfix.store.connect.ArgumentChecks;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * The collections of counts, one for each period of History, {@code counts_2026_11}.
 *
 * @param collectionPrefix prefix of the collections' names, 1 to 60 letters, digits, {@code _} or
 *     {@code -}
 * @param period length of time of one collection, as of History
 */
public record CountsOptions(String collectionPrefix, PartitionPeriod period)
    implements Serializable {
  /** Checks the prefix. */
  public CountsOptions {
    ArgumentChecks.isName("collectionPrefix", collectionPrefix);
    Objects.requireNonNull(period, "period");
  }

  /**
   * Returns the name of the collection of a window.
   *
   * @param windowMillis milliseconds since 1970-01-01T00:00:00Z
   */
  public String collectionAt(long windowMillis) {
    return period.collectionName(collectionPrefix, windowMillis);
  }

  /**
   * Returns the description of a collection. {@code _id} begins with the window, so its own index
   * serves a range of time.
   */
  public static CollectionDescription description(String collection) {
    return new CollectionDescription(collection, KeyPattern.hashed("_id"), List.of(), List.of());
  }
}
