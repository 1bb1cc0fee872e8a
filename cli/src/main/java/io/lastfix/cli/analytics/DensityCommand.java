package io.lastfix.cli.analytics;

import io.lastfix.cli.plot.BarPlot;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.Missing;
import io.lastfix.store.query.numbers.ResultJson;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.query.numbers.ResultQueries.GroupValue;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import io.lastfix.store.timeline.PlaceKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix density}: shows how many devices were at each place. */
@Command(
    name = "density",
    description = {
      "Shows how many devices are at each place, those with the most first. The time is the end of the"
          + " newest window with a change, or a given one. With --from, --to or --last: each window of"
          + " ten seconds in which the number of a place changed.",
      "The analytics job computes them (lastfix submit analytics); lastfix analyze density computes"
          + " them again from History. 'open' numbers still change; 'closed' ones only if a record"
          + " comes late, by up to an hour; 'batch' ones are History's. A place with fewer devices"
          + " than analytics.minimum-group, or none, has no number: it is withheld.",
      "--plot draws the places with the most devices. With --key and a range of time it draws the"
          + " number of devices at that place, the greatest in each bar's time."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"},
    footer = "  lastfix density --by area")
public final class DensityCommand extends ResultsCommand {
  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "The numbers at this time (default: the end of the newest window).")
  private @Nullable Instant at;

  @Option(
      names = "--look-back",
      paramLabel = "DURATION",
      defaultValue = "24h",
      description =
          "How far back the command looks for the last change of a place. A place whose number did"
              + " not change for longer is left out (default: ${DEFAULT-VALUE}).")
  private String lookBack = "";

  @Option(names = "--key", paramLabel = "PLACE", description = "Only this cell or area.")
  private @Nullable String key;

  /** Called by picocli. */
  public DensityCommand() {
    super(NumberKind.DENSITY, Map.of("w", "WINDOW", "k", "PLACE", "n", "DEVICES"));
  }

  @Override
  @Nullable String key() {
    return key;
  }

  @Override
  int show(QuerySession session, PlaceKind place) throws IOException {
    if (isRangeGiven()) {
      if (at != null) {
        throw usageError("--at: expected no --from, --to or --last beside it");
      }
      if (plot.isGiven() && key == null) {
        throw usageError("--plot: expected --key with --from, --to or --last");
      }
      return super.show(session, place);
    }
    Duration back = duration("--look-back", lookBack);
    ResultQueries queries = session.results();
    Optional<Instant> instant = Optional.ofNullable(at).or(queries::newestDensity);
    if (instant.isEmpty()) {
      return none();
    }
    List<Document> shown = queries.occupied(instant.get(), back, place, key);
    Completeness completeness = Completeness.of(shown);
    Missing missing =
        missing(session, new TimeRange(instant.get().minus(back), instant.get().plusMillis(1)));
    if (plot.isGiven() && !shown.isEmpty()) {
      plot.draw(
          bars(
              "Devices by %s at %s%s"
                  .formatted(place.text(), instant.get(), completeness.inTitle()),
              place.text(),
              "devices",
              shown.stream()
                  .filter(level -> level.containsKey("n"))
                  .map(level -> new GroupValue(place(level), level.getInteger("n")))
                  .toList()),
          out(),
          err());
    } else if (!plot.isGiven()) {
      // Withheld ones come last.
      print(
          shown.stream()
              .filter(level -> !form.isTable() || level.containsKey("n"))
              .limit(limit + 1L)
              .toList(),
          completeness,
          ResultJson.about(instant.get(), back, place),
          missing);
    }
    return said(
        session, completeness, missing, () -> notFound(queries, instant.get(), back, place));
  }

  private String notFound(ResultQueries queries, Instant at, Duration back, PlaceKind place) {
    String none =
        "No density by %s%s at %s, and no change in the %s before"
            .formatted(place.text(), key == null ? "" : " of " + key, at, lookBack);
    PlaceKind other = place == PlaceKind.CELL ? PlaceKind.AREA : PlaceKind.CELL;
    try {
      return key == null && !queries.occupied(at, back, other, null).isEmpty()
          ? "%s; there is some by %2$s: lastfix density --by %2$s".formatted(none, other.text())
          : none;
    } catch (QueryTimeLimitException e) {
      return none;
    }
  }

  @Override
  BarPlot bars(ResultQueries queries, Selection selection, Completeness completeness) {
    if (completeness.results() > MOST_PLOTTED) {
      throw usageError("--plot: more than %d results: use --from and --to".formatted(MOST_PLOTTED));
    }
    // From the begin of a window: the one that contains the range's begin would be in neither
    // query.
    TimeRange range =
        new TimeRange(
            Instant.ofEpochMilli(WindowCount.windowOf(selection.range().from().toEpochMilli())),
            selection.range().to());
    Selection whole =
        new Selection(selection.kind(), range, selection.by(), selection.user(), selection.place());
    long from = range.from().toEpochMilli();
    long newest = completeness.newest().orElse(range.from()).toEpochMilli();
    // The number holds after its last change, but not beyond what has been computed.
    Instant computed = queries.newest(NumberKind.DENSITY).orElse(range.from());
    long to =
        Math.max(
            newest + WindowCount.WINDOW_MILLIS,
            Math.min(
                range.to().toEpochMilli(), computed.toEpochMilli() + WindowCount.WINDOW_MILLIS));
    TimeBars bars =
        TimeBars.of(from, to, WindowCount.WINDOW_MILLIS, plot.isPicture(), TimeBars.UNKNOWN);
    // The first is the number that holds at the range's begin, if it is known.
    List<Document> levels =
        new ArrayList<>(
            queries.levels(range.from(), duration("--look-back", lookBack), whole.by(), key));
    levels.addAll(queries.read(whole, MOST_PLOTTED));
    for (int i = 0; i < levels.size(); i++) {
      // A number holds until the next change. One that is withheld is not known.
      Integer devices = levels.get(i).getInteger("n");
      long begin = Math.max(from, window(levels.get(i)));
      long end = i + 1 < levels.size() ? window(levels.get(i + 1)) : to;
      if (devices != null && end > begin) {
        bars.raise(begin, end, devices);
      }
    }
    return bars.plot(
        "Devices at %s, greatest number in each".formatted(selection.place()),
        completeness.inTitle(),
        plot.isPicture() ? "from (UTC); no bar: withheld or not known" : "from (UTC)",
        "devices");
  }

  private static long window(Document level) {
    return level.get("_id", Document.class).getDate("w").toInstant().toEpochMilli();
  }

  private static String place(Document level) {
    return level.get("_id", Document.class).getString("k");
  }
}
