package io.lastfix.store.timeline;

import java.util.Locale;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * A stay to store, or to delete. The documents:
 *
 * <pre>
 * {_id: {user: String, by: "cell" | "area", begin: Date}, k: place,
 *  end: Date, ended: "open" | "left" | "absent", state: "open" | "closed" | "batch"}
 * </pre>
 *
 * <p>An open stay has no {@code end}. {@code user} is the name in History: a pseudonym if the jobs
 * have a key.
 *
 * @param user of the stay
 * @param stay the stay; replaces an earlier one of the same identity
 * @param isDeleted true if a late record has refuted it: there is no stay of this identity any more
 */
public record StayChange(String user, Stay stay, boolean isDeleted) implements StoredResult {
  /** A stay that ended in absence after that time is open. */
  @Override
  public StayChange knownUntil(long millis) {
    return stay.end() == Stay.End.ABSENT && stay.endMillis() > millis
        ? new StayChange(
            user,
            new Stay(stay.by(), stay.place(), stay.beginMillis(), Stay.NO_END, Stay.End.OPEN),
            isDeleted)
        : this;
  }

  @Override
  public long timeMillis() {
    return stay.beginMillis();
  }

  @Override
  public BsonDocument id() {
    return ResultConverter.idOfUser(user, stay.by(), stay.beginMillis());
  }

  @Override
  public WindowState state() {
    if (isDeleted) {
      return WindowState.DELETED;
    }
    return stay.end() == Stay.End.OPEN ? WindowState.OPEN : WindowState.CLOSED;
  }

  @Override
  public BsonDocument fields() {
    BsonDocument fields = new BsonDocument("k", new BsonString(stay.place()));
    if (stay.end() != Stay.End.OPEN) {
      fields.append("end", new BsonDateTime(stay.endMillis()));
    }
    return fields.append("ended", new BsonString(stay.end().name().toLowerCase(Locale.ROOT)));
  }

  @Override
  public int charsOfId() {
    return user.length();
  }
}
