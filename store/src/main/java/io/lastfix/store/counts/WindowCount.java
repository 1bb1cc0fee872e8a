package io.lastfix.store.counts;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import java.time.Instant;
import java.util.Locale;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * How many records of a group have their timestamp in a window. The document:
 *
 * <pre>
 * {_id: {w: Date, by: "cell", k: "mcc-mnc-area-cid"}, n: Long, state: "open", rev: Long}
 * </pre>
 *
 * @param windowMillis the window's first instant, in milliseconds since 1970-01-01T00:00:00Z, a
 *     multiple of {@link #WINDOW_MILLIS}
 * @param by what is counted by
 * @param key the group
 * @param n the number of distinct records, 1 or more
 * @param state how complete the number is
 * @param rev from the stream, how often this number was published before; from History, the time of
 *     that count in milliseconds since 1970
 */
public record WindowCount(
    long windowMillis, CountBy by, String key, long n, State state, long rev) {
  /** The length of every window. */
  public static final long WINDOW_MILLIS = 10_000;

  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  /**
   * How complete a number is. Of the names, the more complete one is the smaller text, so that
   * {@code $min} of MongoDB never takes a step back.
   */
  public enum State {
    /** More records are expected. */
    OPEN,
    /** Event time has passed the window's end; a record that is late by an hour still counts. */
    CLOSED,
    /** Counted from History. */
    BATCH;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the name in documents and messages. */
    public String text() {
      return text;
    }

    /**
     * Returns the state with that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static State ofText(String text) {
      return ConstantTexts.find(values(), State::text, text);
    }
  }

  /** Identifies the number, whatever its value and state. */
  public record Id(long windowMillis, CountBy by, String key) {}

  /** Returns which number it is. */
  public Id id() {
    return new Id(windowMillis, by, key);
  }

  /** Returns the last instant of a window by its first one, both in milliseconds since 1970. */
  public static long lastInstantOf(long windowMillis) {
    return windowMillis + WINDOW_MILLIS - 1;
  }

  /** Returns the first instant of the window that contains the timestamp, both in milliseconds. */
  public static long windowOf(long timestampMillis) {
    return timestampMillis - Math.floorMod(timestampMillis, WINDOW_MILLIS);
  }

  /**
   * Returns the upsert of its document.
   *
   * <p>A stream's number only grows, also from one attempt of the job to the next, because it
   * counts distinct records: {@code $max} of {@code n} and {@code rev} and {@code $min} of {@code
   * state} make any order of any repetition of its writes end in the same document, even a write of
   * an attempt that Flink has given up. A count of History replaces what was there; a record that
   * comes in later can still raise it.
   */
  public WriteModel<BsonDocument> toUpsert() {
    BsonDocument numbers =
        new BsonDocument("n", new BsonInt64(n)).append("rev", new BsonInt64(rev));
    BsonString text = new BsonString(state.text());
    BsonDocument update =
        state == State.BATCH
            ? new BsonDocument("$set", numbers.append("state", text))
            : new BsonDocument("$max", numbers).append("$min", new BsonDocument("state", text));
    // The window comes first, so that a range of time is a range of _id.
    BsonDocument documentId =
        window(windowMillis)
            .append("by", new BsonString(by.text()))
            .append("k", new BsonString(key));
    return new UpdateOneModel<>(new BsonDocument("_id", documentId), update, UPSERT);
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
}
