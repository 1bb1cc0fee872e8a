package io.lastfix.store.query;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.client.MongoCursor;
import java.time.Duration;
import java.util.function.Supplier;
import org.bson.Document;

/** The results of one statement, batch by batch. */
record StatementCursor(Statement statement, MongoCursor<Document> cursor, Duration timeLimit)
    implements AutoCloseable {
  boolean hasNext() {
    return limited(statement.collection(), timeLimit, cursor::hasNext);
  }

  Document next() {
    return limited(statement.collection(), timeLimit, cursor::next);
  }

  /** Converts the server's time limit error to a {@link QueryTimeLimitException}. */
  static <T> T limited(String collection, Duration timeLimit, Supplier<T> query) {
    try {
      return query.get();
    } catch (MongoExecutionTimeoutException e) {
      throw new QueryTimeLimitException(collection, timeLimit, e);
    }
  }

  @Override
  public void close() {
    cursor.close();
  }
}
