package io.lastfix.store.query;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.ResultState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries density, flows, stays and trips. Thread-safe. */
public final class ResultQueries {
  private final QueryServer server;
  private final MongoDatabase database;
  private final QueryOptions options;
  private final Function<NumberKind, NumberCollections> collections;

  /**
   * Queries a database whose client the caller closes.
   *
   * @param collections the collections of each kind
   */
  public ResultQueries(
      MongoDatabase database,
      Function<NumberKind, NumberCollections> collections,
      QueryOptions options) {
    this.server = new QueryServer(database, options);
    this.database = options.applyTo(database);
    this.options = options;
    this.collections = collections;
  }

  /**
   * Which results.
   *
   * @param range of their windows or begins
   * @param by kind of their places
   * @param user only those of this user, as stored; null: all
   */
  public record Selection(NumberKind kind, TimeRange range, PlaceKind by, @Nullable String user) {}

  /**
   * How complete some results are.
   *
   * @param results how many there are
   * @param open how many can still change with each record
   * @param batch how many are computed from History
   * @param withheld how many have no number, as their groups are too small
   */
  public record Completeness(long results, long open, long batch, long withheld) {
    private Completeness plus(Completeness other) {
      return new Completeness(
          results + other.results,
          open + other.open,
          batch + other.batch,
          withheld + other.withheld);
    }
  }

  /**
   * Reads the documents: flows with the most moves first, withheld ones last; all others in the
   * order of time.
   *
   * @param limit how many at most, 1 or more
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<Document> read(Selection selection, int limit) {
    List<Document> found = new ArrayList<>();
    boolean isByTime = selection.kind() != NumberKind.FLOWS;
    for (String collection : collections(selection.kind(), selection.range())) {
      if (isByTime && found.size() >= limit) {
        break;
      }
      each(
          collection,
          List.of(
              Aggregates.match(filter(selection)),
              Aggregates.sort(
                  switch (selection.kind()) {
                    case FLOWS -> Sorts.orderBy(Sorts.descending("n"), Sorts.ascending("_id"));
                    case STAYS, TRIPS ->
                        Sorts.orderBy(Sorts.ascending("_id.begin"), Sorts.ascending("_id"));
                    default -> Sorts.ascending("_id");
                  }),
              Aggregates.limit(limit)),
          found::add);
    }
    if (!isByTime) {
      found.sort(Comparator.comparingInt((Document flow) -> flow.getInteger("n", -1)).reversed());
    }
    return found.subList(0, Math.min(limit, found.size()));
  }

  /**
   * Returns how complete the results are.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Completeness completeness(Selection selection) {
    Completeness[] sum = {new Completeness(0, 0, 0, 0)};
    for (String collection : collections(selection.kind(), selection.range())) {
      each(
          collection,
          List.of(
              Aggregates.match(filter(selection)),
              Aggregates.group(
                  null,
                  Accumulators.sum("results", 1L),
                  Accumulators.sum("open", oneIf("$state", ResultState.OPEN.text())),
                  Accumulators.sum("batch", oneIf("$state", ResultState.BATCH.text())),
                  Accumulators.sum("withheld", oneIf("$withheld", true)))),
          document ->
              sum[0] =
                  sum[0].plus(
                      new Completeness(
                          document.getLong("results"),
                          document.getLong("open"),
                          document.getLong("batch"),
                          document.getLong("withheld"))));
    }
    return sum[0];
  }

  /**
   * Returns the density at an instant: of each place the last document of a window that had ended
   * by then.
   *
   * @param lookBack a place whose number changed last before that is not found: the number is then
   *     unknown, and not 0
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<Document> levels(Instant at, Duration lookBack, PlaceKind by) {
    Instant end = at.minusMillis(WindowCount.WINDOW_MILLIS).plusMillis(1);
    TimeRange range = new TimeRange(end.minus(lookBack), end);
    Selection selection = new Selection(NumberKind.DENSITY, range, by, null);
    Map<String, Document> newest = new HashMap<>();
    for (String collection : collections(NumberKind.DENSITY, range)) {
      each(
          collection,
          List.of(
              Aggregates.match(filter(selection)),
              Aggregates.sort(Sorts.ascending("_id")),
              Aggregates.group("$_id.k", Accumulators.last("last", "$$ROOT")),
              Aggregates.replaceRoot("$last")),
          document -> newest.put(document.get("_id", Document.class).getString("k"), document));
    }
    return newest.values().stream()
        .sorted(
            Comparator.comparingInt((Document place) -> place.getInteger("n", -1))
                .reversed()
                .thenComparing(place -> place.get("_id", Document.class).getString("k")))
        .toList();
  }

  /**
   * Returns the newest window or begin; empty if there is no result.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Instant> newest(NumberKind kind) {
    String field = kind.isPersonal() ? "begin" : "w";
    List<String> names = collections(kind, TimeRange.ALL);
    List<Instant> newest = new ArrayList<>();
    for (int i = names.size() - 1; i >= 0 && newest.isEmpty(); i--) {
      each(
          names.get(i),
          List.of(
              Aggregates.sort(Sorts.descending(kind.isPersonal() ? "_id.begin" : "_id")),
              Aggregates.limit(1)),
          document -> newest.add(document.get("_id", Document.class).getDate(field).toInstant()));
    }
    return newest.stream().findFirst();
  }

  /** A result that is about to be computed again is what it was: complete as far as was known. */
  public static String state(Document result) {
    String state = result.getString("state");
    return state.equals(Recount.MARK) ? ResultState.CLOSED.text() : state;
  }

  private void each(String collection, List<Bson> pipeline, Consumer<Document> target) {
    AggregateIterable<Document> query =
        database
            .getCollection(collection)
            .aggregate(pipeline)
            .allowDiskUse(true)
            .maxTime(options.timeLimit().toMillis(), TimeUnit.MILLISECONDS);
    try (MongoCursor<Document> found = query.iterator()) {
      found.forEachRemaining(target);
    } catch (MongoExecutionTimeoutException e) {
      throw new QueryTimeLimitException(collection, options.timeLimit(), e);
    }
  }

  /** The collections that can have results of the range, from old to new. */
  private List<String> collections(NumberKind kind, TimeRange range) {
    String prefix = collections.apply(kind).collectionPrefix();
    return HistoryQueries.partitions(server, prefix, range).stream()
        .map(HistoryPartition::collection)
        .toList();
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
    return Filters.and(filters);
  }

  private static Document oneIf(String field, Object value) {
    return new Document("$cond", List.of(new Document("$eq", List.of(field, value)), 1L, 0L));
  }
}
