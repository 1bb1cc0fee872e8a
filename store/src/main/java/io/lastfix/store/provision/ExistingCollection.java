package io.lastfix.store.provision;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A collection, or what else has its name, as it is on the server.
 *
 * @param type {@code collection}, {@code view} or {@code timeseries}
 * @param options what it was made with, by the server's names
 * @param indexes of a collection; empty for anything else
 * @param shardKey null if it is not sharded
 * @param hasDocuments asked where it matters only: for one that is not sharded on a sharded
 *     cluster; false elsewhere
 */
record ExistingCollection(
    String type,
    BsonDocument options,
    List<ExistingIndex> indexes,
    @Nullable KeyPattern shardKey,
    boolean hasDocuments) {
  static final String COLLECTION = "collection";
  static final String VIEW = "view";

  ExistingCollection {
    indexes = List.copyOf(indexes);
  }

  /** Reads an entry of {@code listCollections}, without what has to be asked apart. */
  static ExistingCollection of(BsonDocument listed) {
    return new ExistingCollection(
        listed.getString("type", new BsonString(COLLECTION)).getValue(),
        listed.getDocument("options", new BsonDocument()),
        List.of(),
        null,
        false);
  }

  boolean isCollection() {
    return type.equals(COLLECTION);
  }

  boolean isView() {
    return type.equals(VIEW);
  }

  ExistingCollection withIndexes(List<ExistingIndex> newIndexes) {
    return new ExistingCollection(type, options, newIndexes, shardKey, hasDocuments);
  }

  ExistingCollection withShardKey(KeyPattern newShardKey) {
    return new ExistingCollection(type, options, indexes, newShardKey, hasDocuments);
  }

  ExistingCollection withDocuments(boolean newHasDocuments) {
    return new ExistingCollection(type, options, indexes, shardKey, newHasDocuments);
  }
}
