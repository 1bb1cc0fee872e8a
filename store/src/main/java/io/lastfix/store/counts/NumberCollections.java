package io.lastfix.store.counts;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.connect.ArgumentChecks;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import java.io.Serializable;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/**
 * The collections of one kind of numbers, one for each period of History, {@code counts_2026_11}.
 *
 * @param collectionPrefix prefix of the collections' names, 1 to 60 letters, digits, {@code _} or
 *     {@code -}
 * @param period length of time of one collection, as of History
 * @param timeField the field of {@code _id} with the time that decides on the collection
 */
public record NumberCollections(String collectionPrefix, PartitionPeriod period, String timeField)
    implements Serializable {
  /** Prefix of the collections of {@link #ofLateRecords}. */
  public static final String LATE_PREFIX = "late";

  /** Prefix of the collections of {@link #ofAlerts}. */
  public static final String ALERTS_PREFIX = "alerts";

  private static final String FIRST_FIELD = "w";
  private static final String ALERTS_FIELD = "at";

  /** Checks the prefix. */
  public NumberCollections {
    ArgumentChecks.isName("collectionPrefix", collectionPrefix);
  }

  /** The collections that a kind has by default, which bear its name. */
  public static NumberCollections of(NumberKind kind, PartitionPeriod period) {
    return kind.isPersonal() ? ofUsers(kind.text(), period) : ofWindows(kind.text(), period);
  }

  /** Numbers of windows, whose {@code _id} begins with the window's first instant, {@code w}. */
  public static NumberCollections ofWindows(String collectionPrefix, PartitionPeriod period) {
    return new NumberCollections(collectionPrefix, period, FIRST_FIELD);
  }

  /** How many records of an hour the stream's numbers lack. */
  public static NumberCollections ofLateRecords(PartitionPeriod period) {
    return ofWindows(LATE_PREFIX, period);
  }

  /** Results of users, whose {@code _id} begins with the user, and has the time {@code begin}. */
  public static NumberCollections ofUsers(String collectionPrefix, PartitionPeriod period) {
    return new NumberCollections(collectionPrefix, period, "begin");
  }

  /** Alerts of rules, whose {@code _id} begins with the user, and has the time {@code at}. */
  public static NumberCollections ofAlerts(PartitionPeriod period) {
    return new NumberCollections(ALERTS_PREFIX, period, ALERTS_FIELD);
  }

  /**
   * Returns the name of the collection of a time.
   *
   * @param millis milliseconds since 1970-01-01T00:00:00Z
   */
  public String collectionAt(long millis) {
    return period.collectionName(collectionPrefix, millis);
  }

  /** Returns the filter of what is up to an instant, including it. */
  public Bson upTo(Instant last) {
    return Filters.lte(timePath(), Date.from(last));
  }

  /** Returns the filter of the numbers of {@code [from, to)}, which an index serves. */
  public Bson between(Instant from, Instant to) {
    return isTimeFirst()
        ? Filters.and(
            Filters.gte("_id", WindowCount.firstIdAt(from)),
            Filters.lt("_id", WindowCount.firstIdAt(to)))
        : Filters.and(
            Filters.gte(timePath(), Date.from(from)), Filters.lt(timePath(), Date.from(to)));
  }

  /** Returns the order by time, which an index serves. */
  public Bson byTime() {
    return Sorts.ascending(isTimeFirst() ? "_id" : timePath());
  }

  /** Returns the filter of the results of one user, which the index on {@code _id} serves. */
  public static Bson ofUser(String user) {
    return Filters.and(
        Filters.gte("_id", user(user)),
        // The next text after the user's name.
        Filters.lt("_id", user(user + '\0')),
        Filters.eq("_id.user", user));
  }

  private static BsonDocument user(String user) {
    return new BsonDocument("user", new BsonString(user));
  }

  private boolean isTimeFirst() {
    return timeField.equals(FIRST_FIELD);
  }

  /** Returns the path of the time in a document. */
  public String timePath() {
    return "_id." + timeField;
  }

  /** Returns the description of a collection. */
  public CollectionDescription description(String collection) {
    return new CollectionDescription(collection, KeyPattern.hashed("_id"), List.of(), indexes());
  }

  /** If {@code _id} begins with the time, its own index serves a range of time. */
  private List<KeyPattern> indexes() {
    if (isTimeFirst()) {
      return List.of();
    }
    KeyPattern byTime = KeyPattern.ascending(timePath());
    return timeField.equals(ALERTS_FIELD)
        ? List.of(byTime, KeyPattern.ascending("_id.rule", timePath()))
        : List.of(byTime);
  }
}
