package io.lastfix.store.provision;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A collection on the server, or a view or time series of that name.
 *
 * @param type {@code collection}, {@code view} or {@code timeseries}
 * @param options options of its creation, by the server's names
 * @param indexes indexes of a collection; empty for other types
 * @param shardKey null if it is not sharded
 * @param hasDocuments read only if relevant: for an unsharded collection on a sharded cluster;
 *     false elsewhere
 */
record ExistingCollection(
    String type,
    BsonDocument options,
    List<ExistingIndex> indexes,
    @Nullable KeyPattern shardKey,
    boolean hasDocuments) {
  static final String COLLECTION = "collection";
  static final String VIEW = "view";

  /** Parses an entry of {@code listCollections}; the rest needs separate queries. */
  static ExistingCollection of(
      BsonDocument listed,
      List<ExistingIndex> indexes,
      @Nullable KeyPattern shardKey,
      boolean hasDocuments) {
    return new ExistingCollection(
        listed.getString("type", new BsonString(COLLECTION)).getValue(),
        listed.getDocument("options", new BsonDocument()),
        indexes,
        shardKey,
        hasDocuments);
  }

  /** Parses an entry of {@code listCollections} alone. */
  static ExistingCollection of(BsonDocument listed) {
    return of(listed, List.of(), null, false);
  }

  boolean isCollection() {
    return type.equals(COLLECTION);
  }

  boolean isView() {
    return type.equals(VIEW);
  }
}
