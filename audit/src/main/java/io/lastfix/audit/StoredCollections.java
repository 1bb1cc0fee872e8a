package io.lastfix.audit;

import java.util.Iterator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The collections of the database, as the comparisons read them. */
interface StoredCollections {
  /** The names of all of them. */
  List<String> names();

  /** How many documents there are, about. */
  long estimatedCount(String collection);

  /** The documents that a filter lets through, in the order of {@code _id}. */
  Documents documents(String collection, BsonDocument filter);

  /** The documents whose {@code _id} is less than that, in MongoDB's order of all types. */
  Documents documentsBelow(String collection, BsonValue id);

  /** The documents whose {@code _id} is that or greater, in MongoDB's order of all types. */
  Documents documentsFrom(String collection, BsonValue id);

  /** The documents of those {@code _id}s, in any order. */
  List<BsonDocument> find(String collection, List<? extends BsonValue> ids);

  /** Goes through documents, once. */
  interface Documents extends Iterator<BsonDocument>, AutoCloseable {
    @Override
    void close();
  }
}
