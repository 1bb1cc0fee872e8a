package io.lastfix.audit.stored;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** The collections of a MongoDB database. */
public record MongoCollections(MongoDatabase database) implements StoredCollections {
  @Override
  public List<String> names() {
    return database.listCollectionNames().into(new ArrayList<>());
  }

  @Override
  public long estimatedCount(String collection) {
    return collection(collection).estimatedDocumentCount();
  }

  @Override
  public MongoCursor<BsonDocument> documents(String collection, BsonDocument filter) {
    return open(collection(collection).find(filter));
  }

  // By the bounds of the index, because a comparison in a filter only finds values of its own type.

  @Override
  public MongoCursor<BsonDocument> documentsBelow(String collection, BsonValue id) {
    return open(collection(collection).find().max(new BsonDocument("_id", id)));
  }

  @Override
  public MongoCursor<BsonDocument> documentsFrom(String collection, BsonValue id) {
    return open(collection(collection).find().min(new BsonDocument("_id", id)));
  }

  private static MongoCursor<BsonDocument> open(FindIterable<BsonDocument> found) {
    return found
        .sort(Sorts.ascending("_id"))
        .hint(new BsonDocument("_id", new BsonInt32(1)))
        .cursor();
  }

  @Override
  public List<BsonDocument> find(String collection, List<? extends BsonValue> ids) {
    return collection(collection).find(Filters.in("_id", ids)).into(new ArrayList<>());
  }

  private MongoCollection<BsonDocument> collection(String name) {
    return database.getCollection(name, BsonDocument.class);
  }
}
