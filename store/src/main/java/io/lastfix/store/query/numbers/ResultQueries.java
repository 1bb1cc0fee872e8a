package io.lastfix.store.query.numbers;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.NumberReader;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries density, flows, stays and trips. Thread-safe. */
public record ResultQueries(
    NumberReader reader, Function<NumberKind, NumberCollections> collections) {
  /**
   * Queries a database whose client the caller closes.
   *
   * @param collections the collections of each kind
   */
  public ResultQueries(
      MongoDatabase database,
      Function<NumberKind, NumberCollections> collections,
      QueryOptions options) {
    this(new NumberReader(database, options), collections);
  }

  /**
   * Which results.
   *
   * @param range of their windows or begins
   * @param by kind of their places
   * @param user only those of this user, as stored; null: all
   * @param place only density of this place; null: all
   */
  public record Selection(
      NumberKind kind,
      TimeRange range,
      PlaceKind by,
      @Nullable String user,
      @Nullable String place) {}

  /**
   * Reads the documents: flows with the most moves first, withheld ones last; all others in the
   * order of time.
   *
   * @param limit how many at most, 1 or more
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<Document> read(Selection selection, int limit) {
    return read(selection, filter(selection), limit);
  }

  /** Reads the documents in that order, without results that are withheld. */
  public List<Document> readShown(Selection selection, int limit) {
    return read(
        selection, Filters.and(filter(selection), Filters.exists("withheld", false)), limit);
  }

  private List<Document> read(Selection selection, Bson filter, int limit) {
    List<Document> found = new ArrayList<>();
    boolean isByTime = selection.kind() != NumberKind.FLOWS;
    String prefix = collections.apply(selection.kind()).collectionPrefix();
    for (String collection : reader.collections(prefix, selection.range())) {
      if (isByTime && found.size() >= limit) {
        break;
      }
      reader.each(
          collection,
          List.of(
              Aggregates.match(filter),
              Aggregates.sort(
                  switch (selection.kind()) {
                    case FLOWS -> Sorts.orderBy(Sorts.descending("n"), Sorts.ascending("_id"));
                    case STAYS, TRIPS ->
                        Sorts.orderBy(Sorts.ascending("_id.begin"), Sorts.ascending("_id"));
                    default -> Sorts.ascending("_id");
                  }),
              Aggregates.limit(limit)),
          found::add);
      if (!isByTime) {
        found.sort(Comparator.comparingInt((Document flow) -> flow.getInteger("n", -1)).reversed());
      }
      // A range can have hundreds of collections, so no more than that is kept of all of them.
      found.subList(Math.min(limit, found.size()), found.size()).clear();
    }
    return found;
  }

  /**
   * Returns how complete the results are.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Completeness completeness(Selection selection) {
    Completeness[] sum = {Completeness.NONE};
    String time = "$_id." + collections.apply(selection.kind()).timeField();
    eachGroup(
        selection,
        Aggregates.group(null, Completeness.sums(time)),
        document -> sum[0] = sum[0].plus(Completeness.of(document)));
    return sum[0];
  }

  /**
   * A number of a group of results.
   *
   * @param group a place, or two with an arrow between them
   * @param value moves, or milliseconds
   */
  public record GroupValue(String group, long value) {}

  /**
   * Returns the moves between each two places in all hours of the range, without withheld ones; the
   * most first.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<GroupValue> moves(Selection selection) {
    return greatest(
        selection,
        new Document("$concat", List.of("$_id.from", " -> ", "$_id.to")),
        new Document("$ifNull", List.of("$n", 0)));
  }

  /**
   * Returns the time of all stays that have ended at each place, in milliseconds; the longest
   * first.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<GroupValue> staysByPlace(Selection selection) {
    return greatest(
        selection,
        "$k",
        new Document(
            "$subtract",
            List.of(new Document("$ifNull", List.of("$end", "$_id.begin")), "$_id.begin")));
  }

  /** Groups of which the sum is 0 are left out. */
  private List<GroupValue> greatest(Selection selection, Object group, Document value) {
    Map<String, Long> sums = new HashMap<>();
    eachGroup(
        selection,
        Aggregates.group(group, Accumulators.sum("sum", value)),
        document ->
            sums.merge(
                document.getString("_id"), ((Number) document.get("sum")).longValue(), Long::sum));
    return sums.entrySet().stream()
        .filter(sum -> sum.getValue() > 0)
        .map(sum -> new GroupValue(sum.getKey(), sum.getValue()))
        .sorted(
            Comparator.comparingLong(GroupValue::value).reversed().thenComparing(GroupValue::group))
        .toList();
  }

  /**
   * Returns how many results of users begin in each unit of time.
   *
   * @param unitMillis length of a unit, aligned to 1970
   * @return by first millisecond of the unit; without units that have none
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Map<Long, Long> begins(Selection selection, long unitMillis) {
    Document begin = new Document("$toLong", "$_id.begin");
    Map<Long, Long> begins = new TreeMap<>();
    eachGroup(
        selection,
        Aggregates.group(
            new Document(
                "$subtract", List.of(begin, new Document("$mod", List.of(begin, unitMillis)))),
            Accumulators.sum("results", 1L)),
        document -> begins.merge(document.getLong("_id"), document.getLong("results"), Long::sum));
    return begins;
  }

  /** Passes on the groups of each collection; one of several collections comes several times. */
  private void eachGroup(Selection selection, Bson group, Consumer<Document> target) {
    reader.each(
        collections.apply(selection.kind()).collectionPrefix(),
        selection.range(),
        List.of(Aggregates.match(filter(selection)), group),
        target);
  }

  /**
   * Returns the density at an instant: of each place the last document of a window that had ended
   * by then.
   *
   * @param lookBack a place whose number changed last before that is not found: the number is then
   *     unknown, and not 0
   * @param place null: all
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<Document> levels(
      Instant at, Duration lookBack, PlaceKind by, @Nullable String place) {
    Instant end = at.minusMillis(WindowCount.WINDOW_MILLIS).plusMillis(1);
    TimeRange range = new TimeRange(end.minus(lookBack), end);
    Selection selection = new Selection(NumberKind.DENSITY, range, by, null, place);
    Map<String, Document> newest = new HashMap<>();
    reader.each(
        collections.apply(NumberKind.DENSITY).collectionPrefix(),
        range,
        List.of(
            Aggregates.match(filter(selection)),
            Aggregates.sort(Sorts.ascending("_id")),
            Aggregates.group("$_id.k", Accumulators.last("last", "$$ROOT")),
            Aggregates.replaceRoot("$last")),
        // Collections of two periods overlap, if history.period was changed.
        document ->
            newest.merge(
                document.get("_id", Document.class).getString("k"),
                document,
                (one, other) -> window(other).isBefore(window(one)) ? one : other));
    return newest.values().stream()
        .sorted(
            Comparator.comparingInt((Document level) -> level.getInteger("n", -1))
                .reversed()
                .thenComparing(level -> level.get("_id", Document.class).getString("k")))
        .toList();
  }

  /**
   * Returns the newest window or begin that is not in the future; empty if there is none. The clock
   * of a device may be ahead: its results are not what is new.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Instant> newest(NumberKind kind) {
    return newest(kind, null);
  }

  /**
   * Returns the instant of the newest result of one user.
   *
   * @param user as stored; null: all
   */
  public Optional<Instant> newest(NumberKind kind, @Nullable String user) {
    NumberCollections ofKind = collections.apply(kind);
    return reader
        .newest(
            ofKind.collectionPrefix(),
            ofUser(ofKind.between(TimeRange.ALL.from(), Instant.now()), user),
            order(kind))
        .map(newest -> time(ofKind, newest));
  }

  /**
   * Returns the oldest window or begin; empty if there is none.
   *
   * @param user as stored; null: all
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Instant> oldest(NumberKind kind, @Nullable String user) {
    NumberCollections ofKind = collections.apply(kind);
    return reader
        .oldest(
            ofKind.collectionPrefix(),
            ofUser(ofKind.between(TimeRange.ALL.from(), TimeRange.ALL.to()), user),
            order(kind))
        .map(oldest -> time(ofKind, oldest));
  }

  private static Instant window(Document level) {
    return level.get("_id", Document.class).getDate("w").toInstant();
  }

  private static Bson ofUser(Bson filter, @Nullable String user) {
    return user == null ? filter : Filters.and(filter, NumberCollections.ofUser(user));
  }

  /** An index has this order. */
  private static String order(NumberKind kind) {
    return kind.isPersonal() ? "_id.begin" : "_id";
  }

  private static Instant time(NumberCollections ofKind, Document document) {
    return document.get("_id", Document.class).getDate(ofKind.timeField()).toInstant();
  }

  /**
   * Returns the density at an instant without the empty places.
   *
   * @param place null: all
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<Document> occupied(
      Instant at, Duration lookBack, PlaceKind by, @Nullable String place) {
    return levels(at, lookBack, by, place).stream()
        .filter(level -> level.getInteger("n", -1) != 0)
        .toList();
  }

  /**
   * Returns the instant at which the density is newest; empty if there is none.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Instant> newestDensity() {
    return newest(NumberKind.DENSITY).map(it -> it.plusMillis(WindowCount.WINDOW_MILLIS));
  }

  /**
   * Returns the range that a user means; empty if there is no result yet.
   *
   * @param from its begin; null: that long before the end
   * @param to its end; null: with {@code from} all later results, else just after the newest one
   * @param user as stored, whose newest result counts; null: of all
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<TimeRange> range(
      NumberKind kind,
      @Nullable Instant from,
      @Nullable Instant to,
      Duration span,
      @Nullable String user) {
    if (from != null) {
      return Optional.of(new TimeRange(from, to == null ? TimeRange.ALL.to() : to));
    }
    return Optional.ofNullable(to)
        .or(() -> newest(kind, user).map(newest -> newest.plusMillis(1)))
        .map(end -> new TimeRange(end.minus(span), end));
  }

  /** Returns the span of a query that names none. */
  public static Duration usualSpan(NumberKind kind) {
    return kind == NumberKind.DENSITY ? Duration.ofMinutes(10) : Duration.ofHours(24);
  }

  /** A result that is about to be computed again is what it was: complete as far as was known. */
  public static String state(Document result) {
    String state = result.getString("state");
    return Recount.isMark(state) ? WindowCount.State.CLOSED.text() : state;
  }

  private Bson filter(Selection selection) {
    List<Bson> filters = new ArrayList<>();
    TimeRange range = selection.range();
    filters.add(collections.apply(selection.kind()).between(range.from(), range.to()));
    filters.add(Filters.eq("_id.by", selection.by().text()));
    String user = selection.user();
    if (user != null) {
      filters.add(NumberCollections.ofUser(user));
    }
    if (selection.place() != null) {
      filters.add(Filters.eq("_id.k", selection.place()));
    }
    return Filters.and(filters);
  }
}
