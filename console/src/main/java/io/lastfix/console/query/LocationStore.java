package io.lastfix.console.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.HistoryQueries.Visitor;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries.GridCount;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the console reads. Thread-safe; every method waits for the server. */
public interface LocationStore extends NumberStore, AutoCloseable {
  /**
   * A page of History.
   *
   * @param sightings oldest first
   * @param next the token of the next page; null if there is none
   */
  record Page(List<Sighting> sightings, @Nullable String next) {
    /** Copies the sightings. */
    public Page {
      sightings = List.copyOf(sightings);
    }
  }

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

  /** Why the server cannot be queried now; empty if it can. */
  String problem();

  /** What there is, for the health: the number of devices, and of partitions of History. */
  ObjectNode health();

  /** What the last audit of that job said; without fields if none is kept. */
  ObjectNode lastAudit(String job);

  @Override
  void close();
}
