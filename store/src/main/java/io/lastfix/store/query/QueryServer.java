package io.lastfix.store.query;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.Document;

/** Asks one database. Every statement carries the time limit that the server enforces. */
final class QueryServer {
  /**
   * What the server answers where an index that a statement needs is not there: BadValue to a hint,
   * NoQueryExecutionPlans, IndexNotFound or NamespaceNotFound to {@code $geoNear}. (BadValue means
   * many other things too; the statement that needs no index then meets the same.)
   */
  private static final Set<Integer> NO_SUCH_INDEX = Set.of(2, 291, 27, 26);

  private final MongoDatabase database;
  private final Duration timeLimit;

  QueryServer(MongoDatabase database, QueryOptions options) {
    this.database = options.applyTo(database);
    this.timeLimit = options.timeLimit();
  }

  StatementCursor run(Statement statement) {
    return new StatementCursor(
        statement,
        limited(statement.collection(), () -> statement.open(database, timeLimit.toMillis())),
        timeLimit);
  }

  /**
   * Runs the first statement whose index there is. To ask for the indexes beforehand would need a
   * right of its own and one more round trip, and be wrong where one comes or goes in between.
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

  /** Has the server run a statement and tell how. */
  QueryPlan explain(Statement statement) {
    // The limit stands beside the explained command: a limit within it is not enforced.
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
   * The collections whose names begin so. The driver's own listing would always ask the primary.
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
      // The server puts all names into one answer of up to 16 MB: some 100,000 of them.
      throw new IllegalStateException(
          "Database %s has more collections than one answer of the server holds"
              .formatted(database.getName()));
    }
    return cursor.getList("firstBatch", Document.class).stream()
        .map(collection -> collection.getString("name"))
        .toList();
  }

  /** Counts them one by one. */
  long count(String collection) {
    CountOptions limited = new CountOptions().maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
    return limited(
        collection,
        () -> database.getCollection(collection).countDocuments(new Document(), limited));
  }

  /** How many there are by the collection's metadata. */
  long estimatedCount(String collection) {
    EstimatedDocumentCountOptions limited =
        new EstimatedDocumentCountOptions().maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
    return limited(
        collection, () -> database.getCollection(collection).estimatedDocumentCount(limited));
  }

  private <T> T limited(String collection, Supplier<T> asking) {
    return StatementCursor.limited(collection, timeLimit, asking);
  }
}
