package io.lastfix.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpStatus;
import io.lastfix.console.http.LogText;
import io.lastfix.console.http.Parameter;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Problem;
import io.lastfix.console.http.ProblemException;
import io.lastfix.console.http.Route;
import io.lastfix.console.query.LocationStore;
import io.lastfix.console.query.LocationStore.Results;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountJson;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.Missing;
import io.lastfix.store.query.numbers.ResultJson;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The analytics job's numbers, with the JSON of {@code lastfix counts}, {@code density}, {@code
 * flows}, {@code stays} and {@code trips}.
 *
 * @param store what is read
 * @param lostRecords begins to query how many records Kafka deleted unread; what it returns waits
 *     for the answer
 */
record NumberApi(LocationStore store, Supplier<Supplier<OptionalLong>> lostRecords) {
  private static final Logger LOG = LoggerFactory.getLogger(NumberApi.class);

  private static final int GREATEST_LIMIT = 10_000;
  private static final int USUAL_LIMIT = 20;
  private static final Duration USUAL_SPAN = Duration.ofMinutes(10);
  private static final Duration USUAL_LOOK_BACK = Duration.ofHours(24);

  private static final Parameter<CountBy> COUNT_BY =
      Parameter.oneOf("by", "The groups.", CountBy.CELL);
  private static final Parameter<@Nullable String> KEY =
      Parameter.text("key", "Only this group; each window.");
  private static final Parameter<Boolean> WINDOWS =
      Parameter.flag("windows", "Each window instead of the sums.");
  private static final Parameter<@Nullable Instant> FIRST_WINDOW =
      Parameter.instant("from", "The first window is the one with this time.");
  private static final Parameter<@Nullable Instant> END_OF_WINDOWS =
      Parameter.instant("to", "Only windows that begin before it.");
  private static final Parameter<Duration> LAST_WINDOWS =
      Parameter.window(
          "last", "Without from: this long before the end of the newest window.", USUAL_SPAN);
  private static final Parameter<Integer> COUNTS = limit("groups or windows");

  private static final Parameter<PlaceKind> PLACE =
      Parameter.oneOf("by", "What the places are.", PlaceKind.CELL);
  private static final Parameter<@Nullable Instant> AT =
      Parameter.instant(
          "at", "The numbers at this time; without it at the end of the newest window.");
  private static final Parameter<Duration> LOOK_BACK =
      Parameter.window(
          "look-back", "How far back the last change of a place is searched.", USUAL_LOOK_BACK);
  private static final Parameter<@Nullable Instant> FROM =
      Parameter.instant("from", "Only results that begin at or after this time.");
  private static final Parameter<@Nullable Instant> TO =
      Parameter.instant("to", "Only results that begin before it.");
  private static final Map<NumberKind, Parameter<Duration>> LAST =
      Stream.of(NumberKind.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  kind -> kind,
                  kind ->
                      Parameter.window(
                          "last",
                          "Without from: this long before to, or before the newest result.",
                          ResultQueries.usualSpan(kind))));
  private static final Parameter<Integer> LIMIT = limit("results");

  /** The members of an entry that has no number if its group is too small. */
  private static final String MAY_BE_WITHHELD =
      """
      state: {$ref: "#/components/schemas/NumberState"}
      withheld:
        type: boolean
        description: The group is too small for its number.
      """;

  private static Parameter<Integer> limit(String ofWhat) {
    return Parameter.number(
        "limit", "Maximum number of %s.".formatted(ofWhat), USUAL_LIMIT, 1, GREATEST_LIMIT);
  }

  private static Parameter<Duration> last(NumberKind kind) {
    return Objects.requireNonNull(LAST.get(kind));
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                "/v1/counts",
                "How many records there were: sums of groups, or windows of ten seconds")
            .takes(COUNT_BY, KEY, WINDOWS, FIRST_WINDOW, END_OF_WINDOWS, LAST_WINDOWS, COUNTS)
            .answers(
                "The counts.",
                """
                allOf:
                  - {$ref: "#/components/schemas/Numbers"}
                  - type: object
                    required: [from, to]
                    properties:
                      groups: {type: array, items: {type: object}}
                      windows: {type: array, items: {type: object}}
                """)
            .refuses(HttpStatus.NOT_FOUND, HttpStatus.GATEWAY_TIMEOUT)
            .query(this::counts),
        of(
                NumberKind.DENSITY,
                "/v1/density",
                "How many devices are at each place, those with the most first; with from, to or"
                    + " last each window in which a number changed",
                AT,
                LOOK_BACK)
            .answers(
                "The density. It has at and lookBackSeconds, or from and to.",
                numbers(
                    "density",
                    """
                    at: {type: string, format: date-time}
                    lookBackSeconds: {type: integer}
                    withheld: {type: integer}
                    """,
                    """
                    w: {type: string, format: date-time}
                    k: {type: string}
                    n: {type: integer}
                    """
                        + MAY_BE_WITHHELD))
            .query(this::density),
        of(
                NumberKind.FLOWS,
                "/v1/flows",
                "How often devices moved from one place to another within an hour, the most moves"
                    + " first")
            .answers(
                "The flows.",
                numbers(
                    "flows",
                    "withheld: {type: integer}",
                    """
                    w: {type: string, format: date-time}
                    from: {type: string}
                    to: {type: string}
                    n: {type: integer}
                    devices: {type: integer}
                    """
                        + MAY_BE_WITHHELD))
            .query(request -> results(NumberKind.FLOWS, request, null)),
        of(NumberKind.STAYS, "/v1/stays/{user}", "Where a device stayed, from old to new")
            .answers(
                "The stays; an open one has no end.",
                numbers(
                    "stays",
                    "",
                    """
                    user: {type: string}
                    k: {type: string}
                    begin: {type: string, format: date-time}
                    end: {type: string, format: date-time}
                    ended: {enum: [open, left, absent]}
                    state: {$ref: "#/components/schemas/NumberState"}
                    """))
            .query(request -> results(NumberKind.STAYS, request, LocationApi.USER.of(request))),
        of(
                NumberKind.TRIPS,
                "/v1/trips/{user}",
                "The trips of a device from one stay to the next, from old to new")
            .answers(
                "The trips.",
                numbers(
                    "trips",
                    "",
                    """
                    user: {type: string}
                    from: {type: string}
                    to: {type: string}
                    begin: {type: string, format: date-time}
                    end: {type: string, format: date-time}
                    via: {type: integer}
                    state: {$ref: "#/components/schemas/NumberState"}
                    """))
            .query(request -> results(NumberKind.TRIPS, request, LocationApi.USER.of(request))));
  }

  /**
   * The schema of an answer with numbers, in YAML.
   *
   * @param name of the member that has an entry for each number
   * @param more members of the answer
   * @param entry the members of an entry
   */
  private static String numbers(String name, String more, String entry) {
    return """
        allOf:
          - {$ref: "#/components/schemas/Numbers"}
          - type: object
            required: [%s]
            properties:
        %s      %s:
                type: array
                items:
                  type: object
                  properties:
        %s\
        """
        .formatted(name, more.indent(6), name, entry.indent(12));
  }

  /** Begins the route of a kind, with what all take and refuse. */
  private static Route.Builder of(
      NumberKind kind, String path, String summary, Parameter<?>... own) {
    Route.Builder route = Route.get(path, summary);
    if (kind.isPersonal()) {
      route.takes(LocationApi.USER);
    }
    return route
        .takes(PLACE)
        .takes(own)
        .takes(FROM, TO, last(kind), LIMIT)
        .refuses(HttpStatus.NOT_FOUND, HttpStatus.GATEWAY_TIMEOUT);
  }

  private ObjectNode counts(Parameters request) {
    CountBy by = COUNT_BY.of(request);
    Duration span = LAST_WINDOWS.of(request);
    int limit = COUNTS.of(request);
    String key = KEY.of(request);
    TimeRange range =
        Parameters.orRefused(
                () ->
                    store.countedRange(FIRST_WINDOW.of(request), END_OF_WINDOWS.of(request), span))
            .orElseThrow(
                () ->
                    new ProblemException(
                        Problem.unknown(
                            "There are no counts yet: lastfix submit analytics starts to count.")));
    Missing missing = missing(NumberKind.COUNTS, range);
    if (!WINDOWS.of(request) && key == null) {
      CountQueries.Sums sums = store.countSums(range, by, null, limit);
      return CountJson.ofSums(
          missing.addTo(CountJson.about(range, by, sums.more(), sums.completeness())), sums.top());
    }
    CountQueries.Windows windows = store.countWindows(range, by, key, limit);
    Completeness all = store.countCompleteness(range, by, key, windows);
    return CountJson.ofWindows(
        missing.addTo(CountJson.about(range, by, windows.more(), all)), windows.counts());
  }

  /** Returns what the numbers of a range lack. */
  private Missing missing(NumberKind kind, TimeRange range) {
    Missing missing = Missing.of(() -> store.late(kind, range), lostRecords.get());
    missing
        .problem()
        .ifPresent(
            e ->
                LOG.warn(
                    "It is not known whether records came too late for {}: {}",
                    kind.text(),
                    LogText.failure(e)));
    return missing;
  }

  private static ProblemException none(NumberKind kind) {
    String found =
        kind.isPersonal()
            ? "This device has no %s. If no device has: lastfix submit analytics starts to compute, if analytics.numbers has '%s'."
            : "There are no %s yet: lastfix submit analytics starts to compute, if analytics.numbers has '%s'.";
    return new ProblemException(Problem.unknown(found.formatted(kind.text(), kind.text())));
  }

  /** At an instant; with a range each window in which the number of a place changed. */
  private ObjectNode density(Parameters request) {
    PlaceKind by = PLACE.of(request);
    Instant at = AT.of(request);
    Duration back = LOOK_BACK.of(request);
    if (FROM.isIn(request) || TO.isIn(request) || last(NumberKind.DENSITY).isIn(request)) {
      if (at != null || LOOK_BACK.isIn(request)) {
        throw Parameters.refused("at: expected no from, to or last beside at or look-back");
      }
      return results(NumberKind.DENSITY, request, null);
    }
    int limit = LIMIT.of(request);
    Instant instant =
        Optional.ofNullable(at)
            .or(store::newestDensity)
            .orElseThrow(() -> none(NumberKind.DENSITY));
    Missing missing =
        missing(NumberKind.DENSITY, new TimeRange(instant.minus(back), instant.plusMillis(1)));
    Results found = store.density(instant, back, by, limit + 1);
    return ResultJson.of(
        missing.addTo(ResultJson.about(instant, back, by)),
        NumberKind.DENSITY,
        found.found(),
        limit,
        found.completeness());
  }

  private ObjectNode results(NumberKind kind, Parameters request, @Nullable String user) {
    PlaceKind by = PLACE.of(request);
    int limit = LIMIT.of(request);
    Duration span = last(kind).of(request);
    TimeRange range =
        Parameters.orRefused(
                () -> store.resultRange(kind, FROM.of(request), TO.of(request), span, user))
            .orElseThrow(() -> none(kind));
    Missing missing = missing(kind, range);
    Results found = store.results(kind, range, by, user, limit + 1);
    return ResultJson.of(
        missing.addTo(ResultJson.about(range, by)),
        kind,
        found.found(),
        limit,
        found.completeness());
  }
}
