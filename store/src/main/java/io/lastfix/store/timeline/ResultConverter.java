package io.lastfix.store.timeline;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.WriteModel;
import java.io.Serializable;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Converts one kind of results to writes of their documents. A result replaces the document of its
 * {@code _id}, or deletes it. So the last write wins, and the sink has to keep the order of the
 * writes of one {@code _id}.
 *
 * @param <T> the results
 */
public abstract class ResultConverter<T>
    implements Function<T, WriteModel<BsonDocument>>, Serializable {
  private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

  /** Operators, field names, lengths, numbers and dates. */
  private static final int MAX_BYTES_WITHOUT_TEXTS = 384;

  /** Chars with up to three bytes in UTF-8. */
  private static final int BYTES_PER_CHAR = 3;

  /** {@code _id} is there twice, in the filter and in the document. */
  private static final int TIMES_OF_ID = 2;

  private final boolean isFromHistory;

  /**
   * @param isFromHistory true if the results are computed from History: their state is {@link
   *     ResultState#BATCH}
   */
  ResultConverter(boolean isFromHistory) {
    this.isFromHistory = isFromHistory;
  }

  /** Returns the time that decides on the collection, in milliseconds since 1970. */
  public abstract long timeMillis(T result);

  /** Returns the {@code _id} of its document. */
  public abstract BsonDocument id(T result);

  /** Returns what a stream's result is: whether it is deleted, or can still change. */
  abstract WindowState state(T result);

  /** Returns the fields of its document, without {@code _id} and {@code state}. */
  abstract BsonDocument fields(T result);

  /** Returns the chars of the texts that vary, in {@code _id}. */
  abstract int charsOfId(T result);

  /** Returns the most chars that texts besides those of {@code _id} can have. */
  int maxCharsOfFields() {
    return 0;
  }

  /**
   * Returns an upper bound of the write in a message to the server, in bytes; the same for all
   * results of one {@code _id}.
   */
  public final int maxEncodedBytes(T result) {
    return MAX_BYTES_WITHOUT_TEXTS
        + BYTES_PER_CHAR * (TIMES_OF_ID * charsOfId(result) + maxCharsOfFields());
  }

  @Override
  public final WriteModel<BsonDocument> apply(T result) {
    BsonDocument id = id(result);
    WindowState state = state(result);
    if (state == WindowState.DELETED) {
      return new DeleteOneModel<>(new BsonDocument("_id", id));
    }
    BsonDocument document = new BsonDocument("_id", id);
    document.putAll(fields(result));
    document.append("state", new BsonString(stored(state).text()));
    return new ReplaceOneModel<>(new BsonDocument("_id", id), document, UPSERT);
  }

  private ResultState stored(WindowState state) {
    if (isFromHistory) {
      return ResultState.BATCH;
    }
    return state == WindowState.OPEN ? ResultState.OPEN : ResultState.CLOSED;
  }

  /** Returns the fields of a number of too few devices. */
  static BsonDocument withheld() {
    return new BsonDocument("withheld", BsonBoolean.TRUE);
  }
}
