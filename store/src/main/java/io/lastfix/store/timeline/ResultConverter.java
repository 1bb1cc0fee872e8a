package io.lastfix.store.timeline;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.store.counts.WindowCount;
import java.io.Serializable;
import java.time.Instant;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Converts results to writes of their documents. A result replaces the document of its {@code _id},
 * or deletes it. So the last write wins, and the sink has to keep the order of the writes of one
 * {@code _id}.
 *
 * @param isFromHistory whether the results are of History, not of the stream
 * @param knownUntilMillis a stay that ended in absence after this time is open; in epoch
 *     milliseconds
 */
public record ResultConverter(boolean isFromHistory, long knownUntilMillis)
    implements Function<StoredResult, WriteModel<BsonDocument>>, Serializable {
  private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

  /** Operators, field names, lengths, numbers, dates, and two places of up to 40 chars. */
  private static final int MAX_BYTES_BESIDE_ID = 624;

  /** Chars with up to three bytes in UTF-8. */
  private static final int BYTES_PER_CHAR = 3;

  /** {@code _id} is there twice, in the filter and in the document. */
  private static final int TIMES_OF_ID = 2;

  /** Converts results of the stream. */
  public static ResultConverter ofStream() {
    return new ResultConverter(false, Long.MAX_VALUE);
  }

  /**
   * Converts results of History: their state is {@link WindowCount.State#BATCH}. Records end
   * somewhere, and a device that is silent from then on need not be absent.
   *
   * @param knownUntil a stay that ended in absence after this time is open
   */
  public static ResultConverter ofHistory(Instant knownUntil) {
    return new ResultConverter(true, knownUntil.toEpochMilli());
  }

  /**
   * Returns an upper bound of the write in a message to the server, in bytes; the same for all
   * results of one {@code _id}.
   */
  public static int maxEncodedBytes(StoredResult result) {
    return MAX_BYTES_BESIDE_ID + BYTES_PER_CHAR * TIMES_OF_ID * result.charsOfId();
  }

  @Override
  public WriteModel<BsonDocument> apply(StoredResult given) {
    StoredResult result = given.knownUntil(knownUntilMillis);
    BsonDocument id = result.id();
    if (result.state() == WindowState.DELETED) {
      return new DeleteOneModel<>(new BsonDocument("_id", id));
    }
    BsonDocument document = new BsonDocument("_id", id);
    document.putAll(result.fields());
    document.append("state", new BsonString(stored(result.state()).text()));
    return new ReplaceOneModel<>(new BsonDocument("_id", id), document, UPSERT);
  }

  private WindowCount.State stored(WindowState state) {
    if (isFromHistory) {
      return WindowCount.State.BATCH;
    }
    return state == WindowState.OPEN ? WindowCount.State.OPEN : WindowCount.State.CLOSED;
  }

  /** Returns the first fields of {@code _id} of a number of a window. */
  static BsonDocument idOfWindow(long windowMillis, String by) {
    return new BsonDocument("w", new BsonDateTime(windowMillis)).append("by", new BsonString(by));
  }

  /** Returns the {@code _id} of a result of a user. */
  static BsonDocument idOfUser(String user, PlaceKind by, long beginMillis) {
    return new BsonDocument("user", new BsonString(user))
        .append("by", new BsonString(by.text()))
        .append("begin", new BsonDateTime(beginMillis));
  }

  /** Returns the fields of a number of too few devices. */
  static BsonDocument withheld() {
    return new BsonDocument("withheld", BsonBoolean.TRUE);
  }
}
