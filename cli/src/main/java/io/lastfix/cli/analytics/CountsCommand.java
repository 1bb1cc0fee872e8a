package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import io.lastfix.cli.plot.BarPlot;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.ChangedCounts;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountJson;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.Missing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix counts}: shows how many records there were. */
@Command(
    name = "counts",
    description = {
      "Shows how many records there were, by cell, area or in all: the groups with the most of"
          + " them, or each window of ten seconds.",
      "The analytics job counts (lastfix submit analytics); lastfix analyze counts again from"
          + " History. 'open' numbers still grow; 'closed' ones only if a record comes late, by up to"
          + " an hour; 'batch' ones are History's.",
      "--plot draws a bar for each group. With --key or --by total it draws one for each window of the"
          + " time, or for several if they are many."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no counts in that time"},
    footer = "  lastfix counts --by area --last 1h")
public final class CountsCommand extends NumbersCommand {
  private static final long POLL_MILLIS = 1_000;
  private static final Duration USUAL = Duration.ofMinutes(10);
  private static final Duration FOLLOWED = Duration.ofMinutes(1);

  /** Counts that are read once a second, at most. */
  private static final int MOST_FOLLOWED = 20_000;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "cell",
      description =
          "total, cell, area, network or source, if analytics.counts-by has it (default:"
              + " ${DEFAULT-VALUE}).")
  private String what = "";

  @Option(names = "--key", paramLabel = "GROUP", description = "Only this group; each window.")
  private @Nullable String key;

  @Option(
      names = "--windows",
      description = "Show each window of ten seconds instead of the sums of the groups.")
  private boolean windows;

  @Option(
      names = "--follow",
      description =
          "Show windows of the last minute, then new and changed ones as they come, until Ctrl-C;"
              + " the database is read once a second.")
  private boolean follow;

  /** Called by picocli. */
  public CountsCommand() {
    super(NumberKind.COUNTS);
  }

  @Override
  void check() {
    var unused = by();
    if (follow && (time.isGiven() || plot.isGiven() || form.isGeoJson())) {
      throw usageError("--follow excludes --from, --to, --plot and --geojson");
    }
    if (plot.isGiven() && windows && !isOverTime()) {
      throw usageError("--plot: expected --key or --by total with --windows");
    }
  }

  private CountBy by() {
    return accepted("--by: ", () -> CountBy.ofText(what));
  }

  @Override
  int show(QuerySession session) throws IOException {
    CountBy by = by();
    CountQueries queries = session.counts();
    if (follow) {
      return follow(queries, by);
    }
    Optional<TimeRange> range = queries.range(time.from(), time.to(), last(USUAL));
    if (range.isEmpty()) {
      say("There are no counts yet: lastfix submit analytics starts to count");
      return NOT_FOUND;
    }
    Missing missing = missing(session, range.get());
    Completeness shown;
    if (plot.isGiven()) {
      shown = plot(queries, range.get(), by);
    } else if (windows || key != null) {
      shown = showWindows(queries, range.get(), by, missing);
    } else {
      shown = showSums(queries, range.get(), by, missing);
    }
    if (shown.results() == 0) {
      say(notFound(queries, range.get(), by, session.config()));
    } else if (!form.isJson()) {
      say(shown.text("number", Instant.now()));
    }
    if (shown.results() == 0 || !form.isJson()) {
      say(missing);
    }
    return shown.results() == 0 ? NOT_FOUND : 0;
  }

  /** Returns whether a plot has a bar for each window. */
  private boolean isOverTime() {
    return key != null || what.equals(CountBy.TOTAL.text());
  }

  /**
   * Ends with the process, if the reader of its output closes the pipe, or if the thread is
   * interrupted.
   */
  private int follow(CountQueries queries, CountBy by) throws IOException {
    ChangedCounts changed = new ChangedCounts();
    boolean isFirst = true;
    while (!Thread.currentThread().isInterrupted()) {
      Optional<TimeRange> lastMinute = queries.range(null, null, FOLLOWED);
      if (lastMinute.isPresent()) {
        TimeRange range = new TimeRange(lastMinute.get().from(), TimeRange.ALL.to());
        CountQueries.Windows read = queries.windows(range, by, key, MOST_FOLLOWED);
        if (read.more()) {
          say("More than %d counts a minute: use --key".formatted(MOST_FOLLOWED));
          return 1;
        }
        List<WindowCount> news = changed.of(read.counts(), range.from().toEpochMilli());
        form.printNext(out(), rows(by, news), isFirst);
        isFirst = false;
      }
      // Also flushes; the reader of a pipe, or the terminal, may be gone.
      if (out().checkError()) {
        return 0;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return 0;
  }

  /** Returns how complete the numbers of the plot are; draws nothing if there are none. */
  private Completeness plot(CountQueries queries, TimeRange range, CountBy by) throws IOException {
    CountQueries.Sums sums = queries.sums(range, by, key, limit);
    Completeness all = sums.completeness();
    if (all.results() == 0) {
      return all;
    }
    BarPlot bars;
    if (isOverTime()) {
      CountQueries.Windows read = queries.windows(range, by, key, MOST_PLOTTED);
      if (read.more()) {
        throw usageError(
            "--plot: more than %d windows: use --from and --to".formatted(MOST_PLOTTED));
      }
      bars =
          bars(range, read.counts())
              .plot(
                  "Records by %s%s per".formatted(what, key == null ? "" : " " + key),
                  all.inTitle(),
                  "from (UTC)",
                  "records");
    } else {
      bars =
          new BarPlot(
              "Records by %s, %s to %s%s"
                  .formatted(what, range.from(), end(range, all), all.inTitle()),
              what,
              "records");
      sums.top().forEach(sum -> bars.add(sum.key(), sum.n()));
      saidMore(sums.more());
    }
    plot.draw(bars, out(), err());
    return all;
  }

  /** Returns the end of the newest window if the user named no end. */
  private static Instant end(TimeRange range, Completeness all) {
    return range.to().isBefore(TimeRange.ALL.to())
        ? range.to()
        : all.newest().orElse(range.from()).plusMillis(WindowCount.WINDOW_MILLIS);
  }

  /** Over the range that the user named; without a begin or end from the first or to the last. */
  private TimeBars bars(TimeRange range, List<WindowCount> counts) {
    TimeBars bars =
        TimeBars.of(
            time.from() == null ? counts.get(0).windowMillis() : range.from().toEpochMilli(),
            time.to() == null
                ? counts.get(counts.size() - 1).windowMillis() + WindowCount.WINDOW_MILLIS
                : range.to().toEpochMilli(),
            WindowCount.WINDOW_MILLIS,
            plot.isPicture(),
            0);
    counts.forEach(count -> bars.add(count.windowMillis(), count.n()));
    return bars;
  }

  private Completeness showSums(CountQueries queries, TimeRange range, CountBy by, Missing missing)
      throws IOException {
    CountQueries.Sums sums = queries.sums(range, by, null, limit);
    print(
        new Rows(
            List.of(
                new Column("k", by.text().toUpperCase(Locale.ROOT)),
                new Column("n", "RECORDS"),
                column("windows"),
                column("open"),
                column("batch"),
                column("newest")),
            areas(by),
            sums.top().stream().map(CountJson::of).toList(),
            "groups"),
        CountJson.about(range, by, sums.more(), sums.completeness()),
        missing,
        sums.more());
    return sums.completeness();
  }

  private Completeness showWindows(
      CountQueries queries, TimeRange range, CountBy by, Missing missing) throws IOException {
    CountQueries.Windows found = queries.windows(range, by, key, limit);
    Completeness all = queries.completeness(range, by, key, found);
    ObjectNode about = CountJson.about(range, by, found.more(), all);
    print(rows(by, found.counts()), about, missing, found.more());
    return all;
  }

  private static List<String> areas(CountBy by) {
    return by == CountBy.AREA ? List.of("k") : List.of();
  }

  private static Rows rows(CountBy by, List<WindowCount> counts) {
    return new Rows(
        List.of(
            new Column("w", "WINDOW"),
            new Column("k", "GROUP"),
            new Column("n", "RECORDS"),
            column("state")),
        areas(by),
        counts.stream().map(CountJson::of).toList(),
        "windows");
  }

  /** Says why there is nothing, as far as that is known. */
  private String notFound(
      CountQueries queries, TimeRange range, CountBy by, LocationJobConfig config) {
    String message =
        "No counts by %s%s from %s to %s"
            .formatted(what, key == null ? "" : " of " + key, range.from(), range.to());
    List<String> counted = config.analytics().grouping().by().stream().map(CountBy::text).toList();
    if (!counted.contains(by.text())) {
      String wanted = String.join(",", counted) + "," + by.text();
      return "%s: analytics.counts-by is %s. To count by %s from now on: lastfix stop analytics, then lastfix submit analytics --resume with the configuration that it had and --set analytics.counts-by=%s. For what is in History: lastfix analyze counts --from %s --to %s --set analytics.counts-by=%s"
          .formatted(
              message,
              String.join(",", counted),
              by.text(),
              wanted,
              range.from(),
              range.to().isBefore(TimeRange.ALL.to()) ? range.to() : "TIME",
              wanted);
    }
    Optional<Instant> oldest = queries.oldestWindow();
    Optional<Instant> newest = queries.newestWindow();
    return oldest.isPresent() && newest.isPresent()
        ? "%s; there are counts from %s to %s: use --from and --to"
            .formatted(message, oldest.get(), newest.get())
        : message;
  }
}
