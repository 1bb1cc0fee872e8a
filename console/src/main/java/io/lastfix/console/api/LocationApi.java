package io.lastfix.console.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Problem;
import io.lastfix.console.http.ProblemException;
import io.lastfix.console.http.Queries;
import io.lastfix.console.query.Box;
import io.lastfix.console.query.LocationStore;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.HistoryQueries.Visitor;
import io.lastfix.store.query.LastKnownLocationQueries.GridCount;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.OptionalIndex;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.SightingJson;
import io.lastfix.store.query.SphericalDistance;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Last known locations and histories, with the JSON of {@code lastfix where}, {@code history},
 * {@code within} and {@code near}; counts by a grid, and who was in an area.
 */
public final class LocationApi {
  private static final int GREATEST_LIMIT = 25_000;
  private static final int GREATEST_PAGE = 10_000;
  private static final int GREATEST_USER_LENGTH = 512;
  private static final double USUAL_RADIUS_METERS = 1_000;

  private static final String LIMIT = "limit";
  private static final String NEWER_THAN = "newer-than";
  private static final String FIX = "fix";
  private static final String BBOX = "bbox";
  private static final String POLYGON = "polygon";
  private static final int USUAL_COLUMNS = 24;

  private final LocationStore store;
  private final Queries queries;
  private final InstantSource clock;

  /** The routes of a store. */
  public LocationApi(LocationStore store, Queries queries, InstantSource clock) {
    this.store = store;
    this.queries = queries;
    this.clock = clock;
  }

  /** Adds the routes. */
  public void addTo(ServerBuilder builder) {
    QueryRoutes routes = new QueryRoutes(builder, queries);
    routes.add("/v1/where/{user}", Set.of(), this::where);
    routes.add("/v1/history/{user}", Set.of("from", "to", "order", LIMIT, "token"), this::history);
    routes.add("/v1/within", Set.of(BBOX, POLYGON, FIX, NEWER_THAN, LIMIT), this::within);
    routes.add("/v1/grid", Set.of(BBOX, "columns", "rows", FIX, NEWER_THAN), this::grid);
    routes.add("/v1/visitors", Set.of(POLYGON, "from", "to", LIMIT), this::visitors);
    routes.add("/v1/near", Set.of("lat", "lon", "radius", FIX, NEWER_THAN, LIMIT), this::near);
  }

  /** The device that the path names. */
  static String user(ServiceRequestContext context) {
    String user = context.pathParam("user");
    if (user == null || user.isEmpty() || user.length() > GREATEST_USER_LENGTH) {
      throw Parameters.refused("user: expected 1 to %d characters".formatted(GREATEST_USER_LENGTH));
    }
    return user;
  }

  private ObjectNode where(ServiceRequestContext context, Parameters parameters) {
    return store
        .where(user(context))
        .map(SightingJson::of)
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.unknown("This device has no last known location: check its id.")));
  }

  private ObjectNode history(ServiceRequestContext context, Parameters parameters) {
    String user = user(context);
    int limit = parameters.number(LIMIT, 100, 1, GREATEST_PAGE);
    String token = parameters.text("token");
    LocationStore.Page page;
    if (token == null) {
      TimeOrder order = order(parameters.text("order"));
      page =
          store.history(
              user, range(parameters.instant("from"), parameters.instant("to")), order, limit);
    } else {
      if (parameters.text("from") != null
          || parameters.text("to") != null
          || parameters.text("order") != null) {
        throw Parameters.refused(
            "token: continues in the range and order of the page before: leave out from, to and"
                + " order");
      }
      try {
        page = store.history(user, token, limit);
      } catch (IllegalArgumentException e) {
        throw Parameters.refused("token: expected the 'next' of a page of this device");
      }
    }
    ObjectNode answer = sightings(page.sightings(), it -> SightingJson.of(it, null));
    if (page.next() != null) {
      answer.put("next", page.next());
    }
    return answer;
  }

  private static TimeOrder order(@Nullable String text) {
    return switch (text == null ? "newest-first" : text) {
      case "newest-first" -> TimeOrder.NEWEST_FIRST;
      case "oldest-first" -> TimeOrder.OLDEST_FIRST;
      default -> throw Parameters.refused("order: expected newest-first or oldest-first");
    };
  }

  private static TimeRange range(@Nullable Instant from, @Nullable Instant to) {
    try {
      return new TimeRange(
          from == null ? TimeRange.ALL.from() : from, to == null ? TimeRange.ALL.to() : to);
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode within(ServiceRequestContext context, Parameters parameters) {
    boolean own = parameters.flag(FIX);
    int limit = parameters.number(LIMIT, 100, 1, GREATEST_LIMIT);
    Instant since = since(parameters);
    Polygon polygon = parameters.polygon(POLYGON);
    if (polygon != null) {
      if (parameters.text(BBOX) != null) {
        throw Parameters.refused("polygon: expected without bbox");
      }
      QueryResult<Sighting> result = ofPolygon(() -> store.within(polygon, own, since, limit));
      return place(
          result.found(), it -> SightingJson.of(it, null), result.more(), result.missingIndex());
    }
    Box box = box(parameters);
    Map<String, Sighting> found = new TreeMap<>();
    boolean more = false;
    Optional<OptionalIndex> missing = Optional.empty();
    for (Polygon part : box.polygons()) {
      QueryResult<Sighting> result = store.within(part, own, since, limit);
      more |= result.more();
      missing = missing.or(result::missingIndex);
      for (Sighting sighting : result.found()) {
        Position position = sighting.position();
        if (position != null && box.contains(position)) {
          // The parts touch, so a device on their common edge is in both.
          found.put(sighting.user(), sighting);
        }
      }
    }
    List<Sighting> newest =
        found.values().stream()
            .sorted(
                Comparator.comparing(Sighting::timestamp).reversed().thenComparing(Sighting::user))
            .limit(limit)
            .toList();
    return place(newest, it -> SightingJson.of(it, null), more || found.size() > limit, missing);
  }

  /** MongoDB refuses a polygon whose edges cross. */
  private static <T> T ofPolygon(Supplier<T> query) {
    try {
      return query.get();
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(String.valueOf(e.getMessage()));
    }
  }

  /** How many devices are in each square of a grid over a box. */
  private ObjectNode grid(ServiceRequestContext context, Parameters parameters) {
    Box box = box(parameters);
    int columns = parameters.number("columns", USUAL_COLUMNS, 1, Grid.MOST);
    Grid grid = box.grid(columns, parameters.number("rows", columns, 1, Grid.MOST));
    QueryResult<GridCount> counted =
        store.grid(grid, box.polygons(), parameters.flag(FIX), since(parameters));
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("west", grid.west())
            .put("south", grid.south())
            .put("width", grid.width())
            .put("height", grid.height())
            .put("columns", grid.columns())
            .put("rows", grid.rows())
            .put("devices", counted.found().stream().mapToLong(GridCount::devices).sum());
    ArrayNode squares = answer.putArray("squares");
    counted
        .found()
        .forEach(
            it ->
                squares
                    .addObject()
                    .put("c", it.column())
                    .put("r", it.row())
                    .put("n", it.devices())
                    .put("newest", it.newest().toString()));
    counted.missingIndex().ifPresent(index -> answer.put("missingIndex", index.setting()));
    return answer;
  }

  /** Who was in an area in a time. */
  private ObjectNode visitors(ServiceRequestContext context, Parameters parameters) {
    Polygon polygon = parameters.polygon(POLYGON);
    if (polygon == null) {
      throw Parameters.refused("polygon: expected lon,lat of 3 corners or more, found none");
    }
    Instant from = parameters.instant("from");
    if (from == null) {
      throw Parameters.refused("from: expected a time, found none");
    }
    TimeRange range = range(from, parameters.instant("to"));
    int limit = parameters.number(LIMIT, 1_000, 1, GREATEST_PAGE);
    List<Visitor> found = ofPolygon(() -> store.visitors(polygon, range, limit + 1));
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", range.from().toString())
            .put("to", range.to().toString())
            .put("more", found.size() > limit);
    ArrayNode visitors = answer.putArray("visitors");
    found.stream()
        .limit(limit)
        .forEach(
            it ->
                visitors
                    .addObject()
                    .put("user", it.user())
                    .put("records", it.records())
                    .put("first", it.first().toString())
                    .put("last", it.last().toString()));
    return answer;
  }

  /** The area that {@code bbox} names. */
  static Box box(Parameters parameters) {
    List<Double> bounds = parameters.decimals(BBOX, 4);
    try {
      return new Box(bounds.get(0), bounds.get(1), bounds.get(2), bounds.get(3));
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(e.getMessage() + "; the order is west,south,east,north");
    }
  }

  private ObjectNode near(ServiceRequestContext context, Parameters parameters) {
    double radius = parameters.decimal("radius", USUAL_RADIUS_METERS);
    if (!(radius > 0 && radius <= SphericalDistance.FARTHEST_METERS)) {
      throw Parameters.refused(
          "radius: expected more than 0 m, up to %d m"
              .formatted((long) SphericalDistance.FARTHEST_METERS));
    }
    Position place;
    try {
      place = new Position(parameters.required("lon"), parameters.required("lat"));
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(String.valueOf(e.getMessage()));
    }
    QueryResult<Neighbour> result =
        store.near(
            place,
            radius,
            parameters.flag(FIX),
            since(parameters),
            parameters.number(LIMIT, 100, 1, GREATEST_LIMIT));
    return place(
        result.found(),
        it -> SightingJson.of(it.sighting(), it.distanceMeters()),
        result.more(),
        result.missingIndex());
  }

  private @Nullable Instant since(Parameters parameters) {
    Duration window = parameters.window(NEWER_THAN);
    return window == null ? null : clock.instant().minus(window);
  }

  private static <T> ObjectNode place(
      List<T> found,
      Function<T, ObjectNode> toJson,
      boolean more,
      Optional<OptionalIndex> missingIndex) {
    ObjectNode answer = sightings(found, toJson).put("more", more);
    missingIndex.ifPresent(index -> answer.put("missingIndex", index.setting()));
    return answer;
  }

  private static <T> ObjectNode sightings(List<T> found, Function<T, ObjectNode> toJson) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode rows = answer.putArray("sightings");
    found.forEach(it -> rows.add(toJson.apply(it)));
    return answer;
  }
}
