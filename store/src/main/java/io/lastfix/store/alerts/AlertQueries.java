package io.lastfix.store.alerts;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.model.alert.Alert;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.query.NumberReader;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries alerts. Thread-safe. */
public record AlertQueries(NumberReader reader, NumberCollections collections) {
  /** Queries a database whose client the caller closes. */
  public AlertQueries(MongoDatabase database, NumberCollections collections, QueryOptions options) {
    this(new NumberReader(database, options), collections);
  }

  /**
   * Which alerts.
   *
   * @param rule only those of the rule of this id; null: all
   * @param user only those of this user, as stored; null: all
   */
  public record Selection(@Nullable String rule, @Nullable String user) {
    /** Returns whether an alert is one of them. */
    public boolean has(Alert alert) {
      return (rule == null || rule.equals(alert.rule()))
          && (user == null || user.equals(alert.user()));
    }
  }

  /**
   * Reads alerts of a range of their instants. Those of one instant have no order.
   *
   * @param limit how many documents at most, 1 or more
   * @param skipped receives a line about each document that is no alert, without the user
   * @throws io.lastfix.store.query.QueryTimeLimitException if the server takes too long
   */
  public List<StoredAlert> read(
      Selection selection, TimeRange range, TimeOrder order, int limit, Consumer<String> skipped) {
    boolean isOldestFirst = order == TimeOrder.OLDEST_FIRST;
    String time = collections.timePath();
    List<String> names = new ArrayList<>(reader.collections(collections.collectionPrefix(), range));
    if (!isOldestFirst) {
      Collections.reverse(names);
    }
    List<StoredAlert> found = new ArrayList<>();
    int[] left = {limit};
    for (String name : names) {
      if (left[0] == 0) {
        break;
      }
      reader.each(
          name,
          List.of(
              Aggregates.match(filter(selection, range)),
              // The order of an index, so that the server reads no more than the limit.
              Aggregates.sort(isOldestFirst ? Sorts.ascending(time) : Sorts.descending(time)),
              Aggregates.limit(left[0])),
          document -> {
            left[0]--;
            BsonDocument alert = document.toBsonDocument();
            try {
              found.add(
                  new StoredAlert(
                      AlertConverter.read(alert), AlertConverter.acknowledgement(alert)));
            } catch (IllegalArgumentException e) {
              skipped.accept(
                  "Documents of %s that are no alerts are skipped: %s"
                      .formatted(name, e.getMessage()));
            }
          });
    }
    return found;
  }

  /**
   * Returns the range that a user means; empty if it depends on the newest alert and there is none.
   *
   * @param from its begin; null: not given
   * @param to its end; null: not given
   * @param last without a begin: its length, up to its end or just after the newest alert that is
   *     not in the future; null: not given
   * @throws io.lastfix.store.query.QueryTimeLimitException if the server takes too long
   */
  public Optional<TimeRange> range(
      Selection selection, @Nullable Instant from, @Nullable Instant to, @Nullable Duration last) {
    if (from != null || last == null) {
      return Optional.of(
          new TimeRange(
              from == null ? TimeRange.ALL.from() : from, to == null ? TimeRange.ALL.to() : to));
    }
    return Optional.ofNullable(to)
        .or(() -> newest(selection).map(newest -> newest.plusMillis(1)))
        .map(end -> new TimeRange(TimeRange.earlier(end, last), end));
  }

  private Optional<Instant> newest(Selection selection) {
    return reader
        .newest(
            collections.collectionPrefix(),
            filter(selection, new TimeRange(TimeRange.ALL.from(), Instant.now())),
            collections.timePath())
        .map(it -> it.get("_id", Document.class).getDate(collections.timeField()).toInstant());
  }

  private Bson filter(Selection selection, TimeRange range) {
    List<Bson> filters = new ArrayList<>();
    filters.add(collections.between(range.from(), range.to()));
    if (selection.rule() != null) {
      filters.add(Filters.eq("_id.rule", selection.rule()));
    }
    if (selection.user() != null) {
      filters.add(NumberCollections.ofUser(selection.user()));
    }
    return Filters.and(filters);
  }
}
