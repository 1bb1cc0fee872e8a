package io.lastfix.store.counts;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import java.io.Serializable;
import java.time.Instant;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * Converts a count to the upsert of its document:
 *
 * <pre>
 * {_id: {w: Date, by: "cell", k: "mcc-mnc-area-cid"}, n: Long, state: "open", rev: Long}
 * </pre>
 *
 * <p>A stream's number only grows, also from one attempt of the job to the next, because it counts
 * distinct records: {@code $max} of {@code n} and {@code rev} and {@code $min} of {@code state}
 * make any order of any repetition of its writes end in the same document, even a write of an
 * attempt that Flink has given up. A count of History replaces what was there; a record that comes
 * in later can still raise it.
 */
public final class WindowCountConverter
    implements Function<WindowCount, WriteModel<BsonDocument>>, Serializable {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  @Override
  public WriteModel<BsonDocument> apply(WindowCount count) {
    BsonDocument numbers =
        new BsonDocument("n", new BsonInt64(count.n())).append("rev", new BsonInt64(count.rev()));
    BsonString state = new BsonString(count.state().text());
    BsonDocument update =
        count.state() == WindowCount.State.BATCH
            ? new BsonDocument("$set", numbers.append("state", state))
            : new BsonDocument("$max", numbers).append("$min", new BsonDocument("state", state));
    return new UpdateOneModel<>(new BsonDocument("_id", id(count)), update, UPSERT);
  }

  /**
   * Returns the bound of {@code _id} below which are all windows before that instant, and none from
   * it on.
   */
  public static BsonDocument firstIdAt(Instant instant) {
    return window(instant.toEpochMilli());
  }

  private static BsonDocument window(long windowMillis) {
    return new BsonDocument("w", new BsonDateTime(windowMillis));
  }

  /** The window comes first, so that a range of time is a range of {@code _id}. */
  static BsonDocument id(WindowCount count) {
    return window(count.windowMillis())
        .append("by", new BsonString(count.by().text()))
        .append("k", new BsonString(count.key()));
  }
}
