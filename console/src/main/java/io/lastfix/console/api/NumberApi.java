package io.lastfix.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.server.ServerBuilder;
import com.mongodb.MongoException;
import io.lastfix.console.http.LogText;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Problem;
import io.lastfix.console.http.ProblemException;
import io.lastfix.console.http.Queries;
import io.lastfix.console.query.NumberStore;
import io.lastfix.console.query.NumberStore.Results;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountJson;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateRecords;
import io.lastfix.store.query.numbers.ResultJson;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The analytics job's numbers, with the JSON of {@code lastfix counts}, {@code density}, {@code
 * flows}, {@code stays} and {@code trips}.
 */
public final class NumberApi {
  private static final Logger LOG = LoggerFactory.getLogger(NumberApi.class);

  private static final int GREATEST_LIMIT = 10_000;
  private static final int USUAL_LIMIT = 20;
  private static final Duration USUAL_SPAN = Duration.ofMinutes(10);
  private static final Duration USUAL_LOOK_BACK = Duration.ofHours(24);

  private static final String LIMIT = "limit";
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String LAST = "last";
  private static final String BY = "by";
  private static final Set<String> OF_RANGE = Set.of(BY, FROM, TO, LAST, LIMIT);

  private final NumberStore store;
  private final Queries queries;
  private final Supplier<Supplier<OptionalLong>> lostRecords;

  /**
   * The routes of a store.
   *
   * @param lostRecords begins to query how many records Kafka deleted unread; what it returns waits
   *     for the answer
   */
  public NumberApi(
      NumberStore store, Queries queries, Supplier<Supplier<OptionalLong>> lostRecords) {
    this.store = store;
    this.queries = queries;
    this.lostRecords = lostRecords;
  }

  /** Adds the routes. */
  public void addTo(ServerBuilder builder) {
    QueryRoutes routes = new QueryRoutes(builder, queries);
    routes.add(
        "/v1/counts",
        Set.of(BY, "key", "windows", FROM, TO, LAST, LIMIT),
        (context, it) -> counts(it));
    routes.add(
        "/v1/density",
        Set.of(BY, "at", "look-back", FROM, TO, LAST, LIMIT),
        (context, it) -> density(it));
    routes.add("/v1/flows", OF_RANGE, (context, it) -> results(NumberKind.FLOWS, it, null));
    routes.add(
        "/v1/stays/{user}",
        OF_RANGE,
        (context, it) -> results(NumberKind.STAYS, it, LocationApi.user(context)));
    routes.add(
        "/v1/trips/{user}",
        OF_RANGE,
        (context, it) -> results(NumberKind.TRIPS, it, LocationApi.user(context)));
  }

  private ObjectNode counts(Parameters parameters) {
    CountBy by;
    String what = parameters.text(BY);
    try {
      by = what == null ? CountBy.CELL : CountBy.ofText(what);
    } catch (IllegalArgumentException e) {
      throw Parameters.refused("by: expected total, cell, area, network or source");
    }
    Duration span = parameters.window(LAST);
    int limit = parameters.number(LIMIT, USUAL_LIMIT, 1, GREATEST_LIMIT);
    String key = parameters.text("key");
    TimeRange range;
    try {
      range =
          store
              .countedRange(
                  parameters.instant(FROM),
                  parameters.instant(TO),
                  span == null ? USUAL_SPAN : span)
              .orElseThrow(
                  () ->
                      new ProblemException(
                          Problem.unknown(
                              "There are no counts yet: lastfix submit analytics starts to"
                                  + " count.")));
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(String.valueOf(e.getMessage()));
    }
    Missing missing = new Missing(NumberKind.COUNTS, range);
    if (!parameters.flag("windows") && key == null) {
      CountQueries.Sums sums = store.countSums(range, by, null, limit);
      return CountJson.ofSums(
          missing.addTo(CountJson.about(range, by, sums.more(), sums.completeness())), sums.top());
    }
    CountQueries.Windows windows = store.countWindows(range, by, key, limit);
    Completeness all = store.countCompleteness(range, by, key, windows);
    return CountJson.ofWindows(
        missing.addTo(CountJson.about(range, by, windows.more(), all)), windows.counts());
  }

  /** What the numbers of a range lack. */
  private final class Missing {
    private final Supplier<OptionalLong> lost = lostRecords.get();
    private final Optional<LateRecords> late;

    /** Numbers are shown also if this is not known. */
    Missing(NumberKind kind, TimeRange range) {
      Optional<LateRecords> found;
      try {
        found = Optional.of(store.late(kind, range));
      } catch (MongoException | QueryTimeLimitException e) {
        LOG.warn(
            "It is not known whether records came too late for {}: {}",
            kind.text(),
            LogText.failure(e));
        found = Optional.empty();
      }
      late = found;
    }

    ObjectNode addTo(ObjectNode answer) {
      late.ifPresent(records -> records.addTo(answer));
      lost.get().ifPresent(records -> answer.put("recordsLost", records));
      return answer;
    }
  }

  private static PlaceKind place(Parameters parameters) {
    String by = parameters.text(BY);
    try {
      return by == null ? PlaceKind.CELL : PlaceKind.ofText(by);
    } catch (IllegalArgumentException e) {
      throw Parameters.refused("by: expected cell or area");
    }
  }

  private static ProblemException none(NumberKind kind) {
    String found =
        kind.isPersonal()
            ? "This device has no %s. If no device has: lastfix submit analytics starts to compute, if analytics.numbers has '%s'."
            : "There are no %s yet: lastfix submit analytics starts to compute, if analytics.numbers has '%s'.";
    return new ProblemException(Problem.unknown(found.formatted(kind.text(), kind.text())));
  }

  /** At an instant; with a range each window in which the number of a place changed. */
  private ObjectNode density(Parameters parameters) {
    PlaceKind by = place(parameters);
    Instant at = parameters.instant("at");
    Duration lookBack = parameters.window("look-back");
    if (parameters.text(FROM) != null
        || parameters.text(TO) != null
        || parameters.text(LAST) != null) {
      if (at != null || lookBack != null) {
        throw Parameters.refused("at: expected no from, to or last beside at or look-back");
      }
      return results(NumberKind.DENSITY, parameters, null);
    }
    int limit = parameters.number(LIMIT, USUAL_LIMIT, 1, GREATEST_LIMIT);
    Instant instant =
        Optional.ofNullable(at)
            .or(store::newestDensity)
            .orElseThrow(() -> none(NumberKind.DENSITY));
    Duration back = lookBack == null ? USUAL_LOOK_BACK : lookBack;
    Missing missing =
        new Missing(NumberKind.DENSITY, new TimeRange(instant.minus(back), instant.plusMillis(1)));
    Results found = store.density(instant, back, by, limit + 1);
    return ResultJson.of(
        missing.addTo(ResultJson.about(instant, back, by)),
        NumberKind.DENSITY,
        found.found(),
        limit,
        found.completeness());
  }

  private ObjectNode results(NumberKind kind, Parameters parameters, @Nullable String user) {
    PlaceKind by = place(parameters);
    int limit = parameters.number(LIMIT, USUAL_LIMIT, 1, GREATEST_LIMIT);
    Duration span = parameters.window(LAST);
    TimeRange range;
    try {
      range =
          store
              .resultRange(
                  kind,
                  parameters.instant(FROM),
                  parameters.instant(TO),
                  span == null ? ResultQueries.usualSpan(kind) : span,
                  user)
              .orElseThrow(() -> none(kind));
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(String.valueOf(e.getMessage()));
    }
    Missing missing = new Missing(kind, range);
    Results found = store.results(kind, range, by, user, limit + 1);
    return ResultJson.of(
        missing.addTo(ResultJson.about(range, by)),
        kind,
        found.found(),
        limit,
        found.completeness());
  }
}
