package io.lastfix.sink;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexModel;
import java.util.List;
import org.bson.BsonDocument;

/** Makes a collection and its indexes on a server or a replica set. */
final class UnshardedProvisioner implements CollectionProvisioner {
  /** What the server answers where another subtask was first. */
  private static final int NAMESPACE_EXISTS = 48;

  private final MongoDatabase database;
  private final List<IndexModel> indexes;

  UnshardedProvisioner(MongoDatabase database, List<IndexModel> indexes) {
    this.database = database;
    this.indexes = indexes;
  }

  @Override
  public void provision(String collection) {
    try {
      database.createCollection(collection);
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != NAMESPACE_EXISTS) {
        throw e;
      }
    }
    if (!indexes.isEmpty()) {
      // Leaves an index alone that is there already.
      database.getCollection(collection, BsonDocument.class).createIndexes(indexes);
    }
  }
}
