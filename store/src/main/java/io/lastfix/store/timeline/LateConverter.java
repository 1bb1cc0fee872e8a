package io.lastfix.store.timeline;

import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The documents of records that came too late:
 *
 * <pre>
 * {_id: {w: Date, by: "counts" | "density" | …, k: burst}, n: Long, since: Date, state: "closed"}
 * </pre>
 *
 * <p>{@code lastfix analyze} removes those of the hours that it has computed again from History. If
 * the stream may still rewrite such an hour, their state is {@link ResultState#BATCH} instead.
 */
public final class LateConverter extends ResultConverter<LateCount> {
  /** Converts counts of the stream; History has no late records. */
  public LateConverter() {
    super(false);
  }

  @Override
  public long timeMillis(LateCount count) {
    return count.hourMillis();
  }

  @Override
  public BsonDocument id(LateCount count) {
    return new BsonDocument("w", new BsonDateTime(count.hourMillis()))
        .append("by", new BsonString(count.kind().text()))
        .append("k", new BsonString(count.burst()));
  }

  @Override
  WindowState state(LateCount count) {
    return WindowState.CLOSED;
  }

  @Override
  BsonDocument fields(LateCount count) {
    return new BsonDocument("n", new BsonInt64(count.records()))
        .append("since", new BsonDateTime(count.sinceMillis()));
  }

  @Override
  int charsOfId(LateCount count) {
    return count.kind().text().length() + count.burst().length();
  }
}
