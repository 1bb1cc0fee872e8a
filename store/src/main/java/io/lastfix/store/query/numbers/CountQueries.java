package io.lastfix.store.query.numbers;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BsonField;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.NumberReader;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries how many records there were, per window or in a whole range. Thread-safe. */
public record CountQueries(NumberReader reader, String prefix) {
  private static final String TIME = "$_id.w";

  /**
   * Queries a database whose client the caller closes.
   *
   * @param prefix prefix of the collections' names
   */
  public CountQueries(MongoDatabase database, String prefix, QueryOptions options) {
    this(new NumberReader(database, options), prefix);
  }

  /** Returns the first instant of the window that contains that one. */
  public static Instant windowOf(Instant instant) {
    return Instant.ofEpochMilli(WindowCount.windowOf(instant.toEpochMilli()));
  }

  /** Returns the range from the window that contains its first instant to the one of its last. */
  public static TimeRange wholeWindows(TimeRange range) {
    long to = range.to().toEpochMilli();
    long lastWindow = WindowCount.windowOf(to - 1);
    return new TimeRange(
        windowOf(range.from()),
        Instant.ofEpochMilli(
            Math.min(lastWindow + WindowCount.WINDOW_MILLIS, TimeRange.ALL.to().toEpochMilli())));
  }

  /**
   * The sum of a group over several windows.
   *
   * @param key the group
   * @param n its records
   * @param windows how complete the windows with at least one record are
   */
  public record GroupSum(String key, long n, Completeness windows) {
    private GroupSum plus(GroupSum other) {
      return new GroupSum(key, n + other.n, windows.plus(other.windows));
    }
  }

  /**
   * Some of the windows of a range.
   *
   * @param counts in the order of time and group
   * @param more whether there are more than the limit
   */
  public record Windows(List<WindowCount> counts, boolean more) {
    private Completeness completeness() {
      return new Completeness(
          counts.size(),
          counts.stream().filter(it -> it.state() == WindowCount.State.OPEN).count(),
          counts.stream().filter(it -> it.state() == WindowCount.State.BATCH).count(),
          0,
          counts.isEmpty()
              ? Optional.empty()
              : Optional.of(Instant.ofEpochMilli(counts.get(counts.size() - 1).windowMillis())));
    }
  }

  /**
   * Returns the counts whose window begins in the range, in the order of time and group.
   *
   * @param key only this group; null: all
   * @param limit how many at most, 1 or more
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Windows windows(TimeRange range, CountBy by, @Nullable String key, int limit) {
    List<WindowCount> counts = new ArrayList<>();
    for (String collection : reader.collections(prefix, range)) {
      if (counts.size() > limit) {
        break;
      }
      reader.each(
          collection,
          List.of(
              Aggregates.match(filter(range, by, key)),
              Aggregates.sort(Sorts.ascending("_id")),
              Aggregates.limit(limit + 1 - counts.size())),
          document -> counts.add(count(document)));
    }
    return new Windows(counts.stream().limit(limit).toList(), counts.size() > limit);
  }

  /**
   * Returns how complete the windows of the range are. If those that were read are all, it queries
   * nothing. Otherwise the server adds up, and returns one document: there may be many groups.
   *
   * @param key only this group; null: all
   * @param read what {@link #windows} has found in that range
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Completeness completeness(
      TimeRange range, CountBy by, @Nullable String key, Windows read) {
    if (!read.more()) {
      return read.completeness();
    }
    Completeness[] all = {Completeness.NONE};
    reader.each(
        prefix,
        range,
        List.of(
            Aggregates.match(filter(range, by, key)),
            Aggregates.group(null, Completeness.sums(TIME))),
        document -> all[0] = all[0].plus(Completeness.of(document)));
    return all[0];
  }

  /**
   * Returns the range that a user means; empty if there are no counts yet.
   *
   * @param from the first window is the one with this instant; null: that long before the end
   * @param to the end; null: with {@code from} all later windows, else the end of the newest window
   *     with a count
   */
  public Optional<TimeRange> range(@Nullable Instant from, @Nullable Instant to, Duration span) {
    if (from != null) {
      return Optional.of(new TimeRange(windowOf(from), to == null ? TimeRange.ALL.to() : to));
    }
    return Optional.ofNullable(to)
        .or(() -> newestWindow().map(it -> it.plusMillis(WindowCount.WINDOW_MILLIS)))
        .map(end -> new TimeRange(windowOf(end.minus(span)), end));
  }

  /**
   * The sums of groups over a range.
   *
   * @param top the greatest first, equal ones by name
   * @param more whether there are more groups than the limit
   * @param completeness of the windows of all groups
   */
  public record Sums(List<GroupSum> top, boolean more, Completeness completeness) {}

  /**
   * Returns the sums of the groups over the range, the greatest first, equal ones by name.
   *
   * @param limit how many at most, 1 or more
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<GroupSum> top(TimeRange range, CountBy by, int limit) {
    return sums(range, by, null, limit).top();
  }

  /**
   * Returns the sums of the groups over the range, and how complete they are.
   *
   * @param key only this group; null: all
   * @param limit how many at most, 1 or more
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Sums sums(TimeRange range, CountBy by, @Nullable String key, int limit) {
    List<BsonField> fields = new ArrayList<>(Completeness.sums(TIME));
    fields.add(Accumulators.sum("n", "$n"));
    Map<String, GroupSum> sums = new HashMap<>();
    reader.each(
        prefix,
        range,
        List.of(Aggregates.match(filter(range, by, key)), Aggregates.group("$_id.k", fields)),
        document -> {
          String group = document.getString("_id");
          GroupSum sum = new GroupSum(group, document.getLong("n"), Completeness.of(document));
          sums.merge(group, sum, GroupSum::plus);
        });
    List<GroupSum> top =
        sums.values().stream()
            .sorted(Comparator.comparingLong(GroupSum::n).reversed().thenComparing(GroupSum::key))
            .limit(limit)
            .toList();
    return new Sums(
        top,
        sums.size() > limit,
        sums.values().stream()
            .map(GroupSum::windows)
            .reduce(Completeness.NONE, Completeness::plus));
  }

  /**
   * Returns the first instant of the newest window with a count that has begun; empty if there is
   * none. The clock of a device may be ahead, by {@code parse.max-timestamp-ahead} at most: its
   * windows are not what is new.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Instant> newestWindow() {
    return reader
        .newest(prefix, Filters.lt("_id", WindowCount.firstIdAt(Instant.now())), "_id")
        .map(CountQueries::window);
  }

  /**
   * Returns the first instant of the oldest window with a count; empty if there is none.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Instant> oldestWindow() {
    return reader.oldest(prefix, Filters.empty(), "_id").map(CountQueries::window);
  }

  private static Instant window(Document document) {
    return Instant.ofEpochMilli(count(document).windowMillis());
  }

  /** A range of {@code _id}, which begins with the window, so that its index answers. */
  private static Bson filter(TimeRange range, CountBy by, @Nullable String key) {
    List<Bson> filters = new ArrayList<>();
    filters.add(Filters.gte("_id", WindowCount.firstIdAt(range.from())));
    filters.add(Filters.lt("_id", WindowCount.firstIdAt(range.to())));
    filters.add(Filters.eq("_id.by", by.text()));
    if (key != null) {
      filters.add(Filters.eq("_id.k", key));
    }
    return Filters.and(filters);
  }

  private static WindowCount count(Document document) {
    Document id = document.get("_id", Document.class);
    return new WindowCount(
        id.getDate("w").toInstant().toEpochMilli(),
        CountBy.ofText(id.getString("by")),
        id.getString("k"),
        document.getLong("n"),
        state(document.getString("state")),
        document.getLong("rev"));
  }

  /** A number that is about to be counted again is what it was: complete as far as was known. */
  private static WindowCount.State state(String text) {
    return Recount.isMark(text) ? WindowCount.State.CLOSED : WindowCount.State.ofText(text);
  }
}
