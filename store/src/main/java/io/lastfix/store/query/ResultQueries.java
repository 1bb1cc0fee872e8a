package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.counts.WindowCount;
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
import java.util.function.Function;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries density, flows, stays and trips. Thread-safe. */
public final class ResultQueries {
  private final NumberReader reader;
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
    this.reader = new NumberReader(database, options);
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
      reader.each(
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
      reader.each(
          collection,
          List.of(
              Aggregates.match(filter(selection)),
              Aggregates.group(
                  null,
                  Accumulators.sum("results", 1L),
                  Accumulators.sum("open", NumberReader.oneIf("$state", ResultState.OPEN.text())),
                  Accumulators.sum("batch", NumberReader.oneIf("$state", ResultState.BATCH.text())),
                  Accumulators.sum("withheld", NumberReader.oneIf("$withheld", true)))),
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
      reader.each(
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
    NumberCollections ofKind = collections.apply(kind);
    return reader
        .newest(
            ofKind.collectionPrefix(),
            List.of(
                Aggregates.sort(Sorts.descending(kind.isPersonal() ? "_id.begin" : "_id")),
                Aggregates.limit(1)))
        .map(newest -> newest.get("_id", Document.class).getDate(ofKind.timeField()).toInstant());
  }

  /** A result that is about to be computed again is what it was: complete as far as was known. */
  public static String state(Document result) {
    String state = result.getString("state");
    return state.equals(Recount.MARK) ? ResultState.CLOSED.text() : state;
  }

  /** The collections that can have results of the range, from old to new. */
  private List<String> collections(NumberKind kind, TimeRange range) {
    return reader.collections(collections.apply(kind).collectionPrefix(), range);
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
}
