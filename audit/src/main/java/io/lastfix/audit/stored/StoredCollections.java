package io.lastfix.audit.stored;

import com.mongodb.client.MongoCursor;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The database's collections, as the comparisons read them. */
public interface StoredCollections {
  /** All names. */
  List<String> names();

  /** The approximate number of documents. */
  long estimatedCount(String collection);

  /** The documents that match a filter, in the order of {@code _id}. */
  MongoCursor<BsonDocument> documents(String collection, BsonDocument filter);

  /** The documents with a lesser {@code _id}, in MongoDB's order of all types. */
  MongoCursor<BsonDocument> documentsBelow(String collection, BsonValue id);

  /** The documents with that {@code _id} or a greater one, in MongoDB's order of all types. */
  MongoCursor<BsonDocument> documentsFrom(String collection, BsonValue id);

  /** The documents with those {@code _id}s, in any order. */
  List<BsonDocument> find(String collection, List<? extends BsonValue> ids);
}
