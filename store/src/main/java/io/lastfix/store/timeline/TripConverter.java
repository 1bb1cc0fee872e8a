package io.lastfix.store.timeline;

import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The documents of trips:
 *
 * <pre>
 * {_id: {user: String, by: "cell" | "area", begin: Date}, from: place, to: place,
 *  end: Date, via: Int, state: "closed" | "batch"}
 * </pre>
 *
 * <p>{@code user} is the name in History: a pseudonym if the jobs have a key.
 */
public final class TripConverter extends ResultConverter<TripChange> {
  /** Converts results of the stream, or of History. */
  public TripConverter(boolean isFromHistory) {
    super(isFromHistory);
  }

  @Override
  public long timeMillis(TripChange change) {
    return change.trip().beginMillis();
  }

  @Override
  public BsonDocument id(TripChange change) {
    return StayConverter.id(change.user(), change.trip().by(), change.trip().beginMillis());
  }

  @Override
  WindowState state(TripChange change) {
    return change.isDeleted() ? WindowState.DELETED : WindowState.CLOSED;
  }

  @Override
  BsonDocument fields(TripChange change) {
    Trip trip = change.trip();
    return new BsonDocument("from", new BsonString(trip.from()))
        .append("to", new BsonString(trip.to()))
        .append("end", new BsonDateTime(trip.endMillis()))
        .append("via", new BsonInt32(trip.via()));
  }

  @Override
  int charsOfId(TripChange change) {
    return change.user().length();
  }

  @Override
  int maxCharsOfFields() {
    return 2 * StayConverter.MAX_CHARS_OF_PLACE;
  }
}
