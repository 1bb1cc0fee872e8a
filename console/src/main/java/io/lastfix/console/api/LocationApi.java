package io.lastfix.console.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpStatus;
import io.lastfix.console.http.Parameter;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Problem;
import io.lastfix.console.http.ProblemException;
import io.lastfix.console.http.Route;
import io.lastfix.console.query.Box;
import io.lastfix.console.query.LocationStore;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.HistoryQueries.Visitor;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.LastKnownLocationQueries.GridCount;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.OptionalIndex;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.SightingJson;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Last known locations and histories, with the JSON of {@code lastfix where}, {@code history},
 * {@code within} and {@code near}; counts by a grid, and the users in an area.
 */
record LocationApi(LocationStore store, InstantSource clock) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int GREATEST_LIMIT = 25_000;
  private static final int GREATEST_PAGE = 10_000;
  private static final int USUAL_RADIUS_METERS = 1_000;
  private static final int USUAL_COLUMNS = 24;

  static final Parameter<String> USER = Parameter.user();
  private static final Parameter<@Nullable Instant> FROM =
      Parameter.instant("from", "At this time or later.");
  private static final Parameter<@Nullable Instant> TO =
      Parameter.instant("to", "Before this time.");
  private static final Parameter<TimeOrder> ORDER =
      Parameter.oneOf("order", "Which end the pages begin at.", TimeOrder.NEWEST_FIRST);
  private static final Parameter<Integer> PAGE =
      Parameter.number("limit", "Maximum number of records of a page.", 100, 1, GREATEST_PAGE);
  private static final Parameter<@Nullable String> TOKEN =
      Parameter.text("token", "The next of the page before, with its range and order.");

  static final Parameter<Box> BOX = Parameter.bbox("");
  private static final Parameter<Box> BOX_OR_POLYGON =
      Parameter.bbox(" Either this or polygon is required.");
  private static final Parameter<@Nullable Polygon> POLYGON = Parameter.polygon();
  private static final Parameter<Boolean> FIX =
      Parameter.flag(
          "fix",
          "Search and show the newest position of each device's own, even if a cell's is newer.");
  private static final Parameter<@Nullable Duration> NEWER_THAN =
      Parameter.window(
          "newer-than", "Leave out positions that are older than this: 90s, 10m, 2h, 7d.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", "Maximum number of results.", 100, 1, GREATEST_LIMIT);

  private static final Parameter<Integer> COLUMNS =
      Parameter.number(
          "columns", "Columns of equal degrees of longitude.", USUAL_COLUMNS, 1, Grid.MOST);
  private static final Parameter<@Nullable Integer> ROWS =
      Parameter.number(
          "rows",
          "Rows of equal degrees of latitude; as many as columns by default.",
          1,
          Grid.MOST);

  private static final Parameter<Polygon> AREA = POLYGON.required("lon,lat of 3 corners or more");
  private static final Parameter<Instant> SINCE =
      Parameter.instant("from", "The first instant.").required("a time");
  private static final Parameter<@Nullable Instant> UNTIL =
      Parameter.instant("to", "The first instant after the time; without it all later records.");
  private static final Parameter<Integer> VISITORS =
      Parameter.number("limit", "Maximum number of devices.", 1_000, 1, GREATEST_PAGE);

  private static final Parameter<Double> LAT =
      Parameter.decimal("lat", "Latitude, WGS 84.", "minimum: -90, maximum: 90")
          .required("a number");
  private static final Parameter<Double> LON =
      Parameter.decimal("lon", "Longitude.", "minimum: -180, maximum: 180").required("a number");
  private static final Parameter<@Nullable Double> RADIUS =
      Parameter.decimal(
          "radius", "Metres.", "exclusiveMinimum: 0, default: " + USUAL_RADIUS_METERS);

  private static final String SIGHTINGS =
      """
      type: object
      required: [sightings, more]
      properties:
        sightings: {type: array, items: {$ref: "#/components/schemas/Sighting"}}
        more: {type: boolean, description: Whether there are more than the limit.}
        missingIndex:
          type: string
          description: The setting that creates the index without which the whole
            collection was read.
      """;

  List<Route> routes() {
    return List.of(
        Route.get("/v1/where/{user}", "Where a device was last seen")
            .takes(USER)
            .answers(
                "Its newest sighting.",
                """
                allOf:
                  - {$ref: "#/components/schemas/Sighting"}
                  - type: object
                    properties:
                      fix:
                        type: object
                        description: "The newest position of the device's own: a sighting
                          without user."
                """)
            .refuses(HttpStatus.NOT_FOUND, HttpStatus.GATEWAY_TIMEOUT)
            .query(this::where),
        Route.get("/v1/history/{user}", "Where a device was, in pages, newest first by default")
            .takes(USER, FROM, TO, ORDER, PAGE, TOKEN)
            .answers(
                "A page.",
                """
                type: object
                required: [sightings]
                properties:
                  sightings: {type: array, items: {$ref: "#/components/schemas/Sighting"}}
                  next:
                    type: string
                    description: The token of the next page; absent on the last one.
                """)
            .refuses(HttpStatus.GATEWAY_TIMEOUT)
            .query(this::history),
        Route.get("/v1/within", "Devices last seen in a box or a polygon, the latest first")
            .takes(BOX_OR_POLYGON, POLYGON, FIX, NEWER_THAN, LIMIT)
            .answers("The devices.", SIGHTINGS)
            .refuses(HttpStatus.GATEWAY_TIMEOUT)
            .query(this::within),
        Route.get(
                "/v1/grid",
                "How many devices were last seen in each square of a grid over a box, the most"
                    + " first")
            .takes(BOX, COLUMNS, ROWS, FIX, NEWER_THAN)
            .answers(
                "The grid: column c is west + c * width / columns and eastwards, row r is south + r"
                    + " * height / rows and northwards. Squares without a device are left out.",
                """
                type: object
                required: [west, south, width, height, columns, rows, devices, squares]
                properties:
                  west: {type: number}
                  south: {type: number}
                  width: {type: number}
                  height: {type: number}
                  columns: {type: integer}
                  rows: {type: integer}
                  devices: {type: integer, description: In all squares together.}
                  squares:
                    type: array
                    items:
                      type: object
                      required: [c, r, n, newest]
                      properties:
                        c: {type: integer}
                        r: {type: integer}
                        n: {type: integer}
                        newest: {type: string, format: date-time}
                  missingIndex:
                    type: string
                    description: The setting that creates the index without which the whole
                      collection was read.
                """)
            .refuses(HttpStatus.GATEWAY_TIMEOUT)
            .query(this::grid),
        Route.get(
                "/v1/visitors",
                "Devices with a record in an area in a time, by name; the server reads all records"
                    + " of that time")
            .takes(AREA, SINCE, UNTIL, VISITORS)
            .answers(
                "The devices.",
                """
                type: object
                required: [from, to, more, visitors]
                properties:
                  from: {type: string, format: date-time}
                  to: {type: string, format: date-time}
                  more: {type: boolean, description: Whether there are more than the limit.}
                  visitors:
                    type: array
                    items:
                      type: object
                      properties:
                        user: {type: string}
                        records: {type: integer}
                        first: {type: string, format: date-time}
                        last: {type: string, format: date-time}
                """)
            .refuses(HttpStatus.GATEWAY_TIMEOUT)
            .query(this::visitors),
        Route.get("/v1/near", "Devices last seen near a place, the nearest first")
            .takes(LAT, LON, RADIUS, FIX, NEWER_THAN, LIMIT)
            .answers("The devices; each sighting has its distance in metres.", SIGHTINGS)
            .refuses(HttpStatus.GATEWAY_TIMEOUT)
            .query(this::near));
  }

  private ObjectNode where(Parameters request) {
    return store
        .where(USER.of(request))
        .map(SightingJson::of)
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.unknown("This device has no last known location: check its id.")));
  }

  private ObjectNode history(Parameters request) {
    String user = USER.of(request);
    int limit = PAGE.of(request);
    String token = TOKEN.of(request);
    LocationStore.Page page;
    if (token == null) {
      TimeOrder order = ORDER.of(request);
      page = store.history(user, range(FROM.of(request), TO.of(request)), order, limit);
    } else {
      if (FROM.isIn(request) || TO.isIn(request) || ORDER.isIn(request)) {
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

  private static TimeRange range(@Nullable Instant from, @Nullable Instant to) {
    return Parameters.orRefused(
        () ->
            new TimeRange(
                from == null ? TimeRange.ALL.from() : from, to == null ? TimeRange.ALL.to() : to));
  }

  private ObjectNode within(Parameters request) {
    boolean own = FIX.of(request);
    int limit = LIMIT.of(request);
    Instant since = since(request);
    Polygon polygon = POLYGON.of(request);
    if (polygon != null) {
      if (BOX_OR_POLYGON.isIn(request)) {
        throw Parameters.refused("polygon: expected without bbox");
      }
      // MongoDB refuses a polygon whose edges cross.
      QueryResult<Sighting> result =
          Parameters.orRefused(() -> store.within(polygon, own, since, limit));
      return place(
          result.found(), it -> SightingJson.of(it, null), result.more(), result.missingIndex());
    }
    Box box = BOX_OR_POLYGON.of(request);
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

  /** How many devices are in each square of a grid over a box. */
  private ObjectNode grid(Parameters request) {
    Box box = BOX.of(request);
    int columns = COLUMNS.of(request);
    Integer rows = ROWS.of(request);
    Grid grid = box.grid(columns, rows == null ? columns : rows);
    QueryResult<GridCount> counted =
        store.grid(grid, box.polygons(), FIX.of(request), since(request));
    ObjectNode answer =
        JSON.<ObjectNode>valueToTree(grid)
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

  /** Returns the users that were in an area in a time. */
  private ObjectNode visitors(Parameters request) {
    Polygon polygon = AREA.of(request);
    TimeRange range = range(SINCE.of(request), UNTIL.of(request));
    int limit = VISITORS.of(request);
    List<Visitor> found = Parameters.orRefused(() -> store.visitors(polygon, range, limit + 1));
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

  private ObjectNode near(Parameters request) {
    Double given = RADIUS.of(request);
    double radius = given == null ? USUAL_RADIUS_METERS : given;
    if (!(radius > 0 && radius <= LastKnownLocationQueries.FARTHEST_METERS)) {
      throw Parameters.refused(
          "radius: expected more than 0 m, up to %d m"
              .formatted((long) LastKnownLocationQueries.FARTHEST_METERS));
    }
    Position place = Parameters.orRefused(() -> new Position(LON.of(request), LAT.of(request)));
    QueryResult<Neighbour> result =
        store.near(place, radius, FIX.of(request), since(request), LIMIT.of(request));
    return place(
        result.found(),
        it -> SightingJson.of(it.sighting(), it.distanceMeters()),
        result.more(),
        result.missingIndex());
  }

  private @Nullable Instant since(Parameters request) {
    Duration window = NEWER_THAN.of(request);
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
