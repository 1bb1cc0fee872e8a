package io.lastfix.store.query;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Runs statements on one database, each with a time limit that the server enforces. */
record QueryServer(MongoDatabase database, Duration timeLimit) {
  /**
   * Error codes if the index that a statement needs does not exist: BadValue for a hint;
   * NoQueryExecutionPlans, IndexNotFound or NamespaceNotFound for {@code $geoNear}. BadValue has
   * other meanings too; the statement without an index then fails in the same way.
   */
  private static final Set<Integer> NO_SUCH_INDEX = Set.of(2, 291, 27, 26);

  QueryServer(MongoDatabase database, QueryOptions options) {
    this(options.applyTo(database), options.timeLimit());
  }

  StatementCursor run(Statement statement) {
    return new StatementCursor(
        statement,
        limited(statement.collection(), () -> statement.open(database, timeLimit.toMillis())),
        timeLimit);
  }

  /** Passes on each document that a statement finds. */
  void each(Statement statement, Consumer<Document> target) {
    try (StatementCursor found = run(statement)) {
      while (found.hasNext()) {
        target.accept(found.next());
      }
    }
  }

  /**
   * Runs the first statement whose index exists. Listing the indexes first would need an additional
   * right and one more round trip, and its result could be stale.
   *
   * @param statements at least one; the last one needs no index
   */
  StatementCursor runFirstPossible(List<? extends Statement> statements) {
    for (Statement statement : statements.subList(0, statements.size() - 1)) {
      try {
        return run(statement);
      } catch (MongoException e) {
        if (!NO_SUCH_INDEX.contains(e.getCode())) {
          throw e;
        }
      }
    }
    return run(statements.get(statements.size() - 1));
  }

  /** Returns the server's explanation of a statement, which it executes. */
  QueryPlan explain(Statement statement) {
    // The time limit belongs beside the explained command: the server ignores a limit inside it.
    BsonDocument command =
        new BsonDocument("explain", statement.command())
            .append("verbosity", new BsonString("executionStats"))
            .append("maxTimeMS", new BsonInt64(timeLimit.toMillis()));
    Document explained =
        limited(
            statement.collection(),
            () -> database.runCommand(command, database.getReadPreference()));
    return QueryPlan.read(statement.collection(), explained);
  }

  /**
   * Returns the collections with that prefix. The driver's own listing always queries the primary.
   */
  List<String> collections(String prefix) {
    BsonDocument command =
        new BsonDocument("listCollections", new BsonInt32(1))
            .append("nameOnly", BsonBoolean.TRUE)
            .append("authorizedCollections", BsonBoolean.TRUE)
            .append(
                "filter",
                new BsonDocument(
                    "name",
                    new BsonDocument(
                        "$regex", new BsonRegularExpression("^" + Pattern.quote(prefix)))))
            .append("maxTimeMS", new BsonInt64(timeLimit.toMillis()));
    Document cursor =
        limited("the collections", () -> database.runCommand(command, database.getReadPreference()))
            .get("cursor", Document.class);
    if (cursor.getLong("id") != 0) {
      // The server returns all names in one batch of up to 16 MB: some 100,000 names.
      throw new IllegalStateException(
          "Database %s has more collections than one reply of the server can list"
              .formatted(database.getName()));
    }
    return cursor.getList("firstBatch", Document.class).stream()
        .map(collection -> collection.getString("name"))
        .toList();
  }

  /** Counts the documents one by one. */
  long count(String collection) {
    CountOptions limited = new CountOptions().maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
    return limited(
        collection,
        () -> database.getCollection(collection).countDocuments(new Document(), limited));
  }

  /** Returns whether a document matches. */
  boolean hasAny(String collection, BsonDocument filter) {
    CountOptions limited =
        new CountOptions().limit(1).maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
    return limited(
            collection, () -> database.getCollection(collection).countDocuments(filter, limited))
        > 0;
  }

  /** Returns the first document in an order; null if none matches. */
  @Nullable BsonDocument first(String collection, Bson filter, Bson order) {
    return limited(
        collection,
        () ->
            database
                .getCollection(collection, BsonDocument.class)
                .find(filter)
                .sort(order)
                .maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS)
                .first());
  }

  /** Returns the number of documents from the collection's metadata. */
  long estimatedCount(String collection) {
    EstimatedDocumentCountOptions limited =
        new EstimatedDocumentCountOptions().maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
    return limited(
        collection, () -> database.getCollection(collection).estimatedDocumentCount(limited));
  }

  private <T> T limited(String collection, Supplier<T> query) {
    return StatementCursor.limited(collection, timeLimit, query);
  }
}
