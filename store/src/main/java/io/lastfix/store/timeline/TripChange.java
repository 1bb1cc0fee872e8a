package io.lastfix.store.timeline;

import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * A trip to store, or to delete. The documents:
 *
 * <pre>
 * {_id: {user: String, by: "cell" | "area", begin: Date}, from: place, to: place,
 *  end: Date, via: Int, state: "closed" | "batch"}
 * </pre>
 *
 * <p>{@code user} is the name in History: a pseudonym if the jobs have a key.
 *
 * @param user of the trip
 * @param trip the trip; replaces an earlier one of the same identity
 * @param isDeleted true if a late record has refuted it: there is no trip of this identity any more
 */
public record TripChange(String user, Trip trip, boolean isDeleted) implements StoredResult {
  @Override
  public long timeMillis() {
    return trip.beginMillis();
  }

  @Override
  public BsonDocument id() {
    return ResultConverter.idOfUser(user, trip.by(), trip.beginMillis());
  }

  @Override
  public WindowState state() {
    return isDeleted ? WindowState.DELETED : WindowState.CLOSED;
  }

  @Override
  public BsonDocument fields() {
    return new BsonDocument("from", new BsonString(trip.from()))
        .append("to", new BsonString(trip.to()))
        .append("end", new BsonDateTime(trip.endMillis()))
        .append("via", new BsonInt32(trip.via()));
  }

  @Override
  public int charsOfId() {
    return user.length();
  }
}
