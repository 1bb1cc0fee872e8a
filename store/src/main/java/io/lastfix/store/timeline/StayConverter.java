package io.lastfix.store.timeline;

import java.util.Locale;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The documents of stays:
 *
 * <pre>
 * {_id: {user: String, by: "cell" | "area", begin: Date}, k: place,
 *  end: Date, ended: "open" | "left" | "absent", state: "open" | "closed" | "batch"}
 * </pre>
 *
 * <p>An open stay has no {@code end}. {@code user} is the name in History: a pseudonym if the jobs
 * have a key.
 */
public final class StayConverter extends ResultConverter<StayChange> {
  /** The longest name of a place: a cell with a dash as separators, or an area. */
  static final int MAX_CHARS_OF_PLACE = 40;

  private final long knownUntilMillis;

  private StayConverter(boolean isFromHistory, long knownUntilMillis) {
    super(isFromHistory);
    this.knownUntilMillis = knownUntilMillis;
  }

  /** Converts results of the stream. */
  public static StayConverter ofStream() {
    return new StayConverter(false, Long.MAX_VALUE);
  }

  /**
   * Converts results of History. Records end somewhere, and a device that is silent from then on
   * need not be absent.
   *
   * @param knownUntilMillis a stay that ended in absence after this time is open
   */
  public static StayConverter ofHistory(long knownUntilMillis) {
    return new StayConverter(true, knownUntilMillis);
  }

  @Override
  public long timeMillis(StayChange change) {
    return change.stay().beginMillis();
  }

  @Override
  public BsonDocument id(StayChange change) {
    return id(change.user(), change.stay().by(), change.stay().beginMillis());
  }

  static BsonDocument id(String user, PlaceKind by, long beginMillis) {
    return new BsonDocument("user", new BsonString(user))
        .append("by", new BsonString(by.text()))
        .append("begin", new BsonDateTime(beginMillis));
  }

  @Override
  WindowState state(StayChange change) {
    if (change.isDeleted()) {
      return WindowState.DELETED;
    }
    return end(change.stay()) == Stay.End.OPEN ? WindowState.OPEN : WindowState.CLOSED;
  }

  private Stay.End end(Stay stay) {
    return stay.end() == Stay.End.ABSENT && stay.endMillis() > knownUntilMillis
        ? Stay.End.OPEN
        : stay.end();
  }

  @Override
  BsonDocument fields(StayChange change) {
    Stay stay = change.stay();
    Stay.End end = end(stay);
    BsonDocument fields = new BsonDocument("k", new BsonString(stay.place()));
    if (end != Stay.End.OPEN) {
      fields.append("end", new BsonDateTime(stay.endMillis()));
    }
    return fields.append("ended", new BsonString(end.name().toLowerCase(Locale.ROOT)));
  }

  @Override
  int charsOfId(StayChange change) {
    return change.user().length();
  }

  @Override
  int maxCharsOfFields() {
    return MAX_CHARS_OF_PLACE;
  }
}
