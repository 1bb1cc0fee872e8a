package io.lastfix.console.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.HistoryQueries.Visitor;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries.GridCount;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateRecords;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** What the console reads. Thread-safe; every method waits for the server. */
public interface LocationStore extends AutoCloseable {
  /**
   * A page of History.
   *
   * @param sightings oldest first
   * @param next the token of the next page; null if there is none
   */
  record Page(List<Sighting> sightings, @Nullable String next) {}

  /** Where a device was last seen. */
  Optional<LastKnownLocation> where(String user);

  /** The first page of where a device was. */
  Page history(String user, TimeRange range, TimeOrder order, int limit);

  /**
   * A further page.
   *
   * @throws IllegalArgumentException if the token is of another query, or damaged
   */
  Page history(String user, String token, int limit);

  /**
   * The devices last seen in an area, the latest first.
   *
   * @param own whether the newest position of the device's own counts, even if a cell's is newer
   * @param since leave out older positions; null: any age
   */
  QueryResult<Sighting> within(Polygon area, boolean own, @Nullable Instant since, int limit);

  /** The devices last seen near a place, the nearest first; parameters as {@link #within}. */
  QueryResult<Neighbour> near(
      Position place, double radiusMeters, boolean own, @Nullable Instant since, int limit);

  /**
   * How many devices were last seen in each square of a grid, the most first; other parameters as
   * {@link #within}.
   *
   * @param areas polygons that together cover the grid
   */
  QueryResult<GridCount> grid(Grid grid, List<Polygon> areas, boolean own, @Nullable Instant since);

  /** The devices that were in an area in a time, by name. */
  List<Visitor> visitors(Polygon area, TimeRange range, int limit);

  /** See {@link CountQueries#range}. */
  Optional<TimeRange> countedRange(@Nullable Instant from, @Nullable Instant to, Duration span);

  /** The sums of the groups, the greatest first, and how complete all are; parameters as below. */
  CountQueries.Sums countSums(TimeRange range, CountBy by, @Nullable String key, int limit);

  /** Each window; of one group, or of all if {@code key} is null. */
  CountQueries.Windows countWindows(TimeRange range, CountBy by, @Nullable String key, int limit);

  /** See {@link CountQueries#completeness}. */
  Completeness countCompleteness(
      TimeRange range, CountBy by, @Nullable String key, CountQueries.Windows read);

  /** See {@link io.lastfix.store.query.numbers.LateQueries#read(NumberKind, TimeRange)}. */
  LateRecords late(NumberKind kind, TimeRange range);

  /** See {@link io.lastfix.store.query.numbers.ResultQueries#range}. */
  Optional<TimeRange> resultRange(
      NumberKind kind,
      @Nullable Instant from,
      @Nullable Instant to,
      Duration span,
      @Nullable String user);

  /**
   * Results, and how complete all of them are.
   *
   * @param found as many as were requested, at most
   */
  record Results(List<Document> found, Completeness completeness) {}

  /**
   * The results of a range.
   *
   * @param user only those of this device; null: of all
   */
  Results results(NumberKind kind, TimeRange range, PlaceKind by, @Nullable String user, int limit);

  /** The instant at which the density is newest; empty if there is none. */
  Optional<Instant> newestDensity();

  /** Returns the places that have devices at an instant, those with the most devices first. */
  Results density(Instant at, Duration lookBack, PlaceKind by, int limit);

  /** Why the server cannot be queried now; empty if it can. */
  Optional<String> problem();

  /** What there is, for the health: the number of devices, and of partitions of History. */
  ObjectNode health();

  /** The result of that job's last audit; without fields if none is kept. */
  ObjectNode lastAudit(String job);

  @Override
  void close();
}
