package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.common.Terminal;
import io.lastfix.cli.plot.BarPlot;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.CountJson;
import io.lastfix.store.query.CountQueries;
import io.lastfix.store.query.CountQueries.GroupSum;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix counts}: shows how many records there were. */
@Command(
    name = "counts",
    description = {
      "Shows how many records there were, by cell, area or in all: the groups with the most of"
          + " them, or each window of ten seconds.",
      "The analytics job counts (lastfix submit analytics); lastfix analyze counts again from"
          + " History. 'open' numbers still grow; 'closed' ones only if a record comes late, by up to"
          + " an hour; 'batch' ones are History's."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no counts in that time"})
public final class CountsCommand extends LastfixCommand {
  private static final int NOT_FOUND = 3;
  private static final long POLL_MILLIS = 1_000;
  private static final Duration FOLLOWED = Duration.ofMinutes(1);

  /** Counts that are read once a second, at most. */
  private static final int MOST_FOLLOWED = 20_000;

  /** A day has 8,640 windows. */
  private static final int MOST_PLOTTED = 100_000;

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
      names = "--from",
      paramLabel = "TIME",
      description = "The first window is the one with this time, for instance 2026-11-20.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Only windows that begin before it.")
  private @Nullable Instant to;

  @Option(
      names = "--last",
      paramLabel = "DURATION",
      description =
          "Without --from: this long before the end of the newest window with a count: 90s, 10m,"
              + " 2h, 7d (default: 10m).")
  private String last = "10m";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Show this many groups, or windows, at most (default: ${DEFAULT-VALUE}); a plot over time"
              + " has all windows.")
  private int limit;

  @Option(
      names = "--follow",
      description =
          "Show windows of the last minute, then new and changed ones as they come, until Ctrl-C;"
              + " the database is read once a second.")
  private boolean follow;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Draw a bar for each group; with --key or --by total a bar for each window of the time, or"
              + " for several if they are many. In the terminal, or as this PNG file.")
  private @Nullable String plot;

  @Mixin private final NumbersForm form = new NumbersForm();
  @Mixin private final QueryAccess access = new QueryAccess();

  @Override
  public Integer call() throws IOException {
    CountBy by;
    Duration span;
    try {
      by = CountBy.ofText(what);
    } catch (IllegalArgumentException e) {
      throw usageError("--by: " + e.getMessage());
    }
    try {
      span = LastKnownLocation.window(last);
    } catch (IllegalArgumentException e) {
      throw usageError("--last: " + e.getMessage());
    }
    if (limit < 1) {
      throw usageError("--limit: expected 1 or more, found " + limit);
    }
    requireOrder(from, to);
    requireFitting();
    try (QuerySession session = access.open()) {
      CountQueries queries = session.counts();
      if (follow) {
        return follow(queries, by);
      }
      Optional<TimeRange> range = queries.range(from, to, span);
      if (range.isEmpty()) {
        err().println("There are no counts yet: lastfix submit analytics starts to count");
        return NOT_FOUND;
      }
      if (plot != null) {
        return plot(queries, range.get(), by) ? 0 : NOT_FOUND;
      }
      boolean found =
          (windows || key != null)
              ? showWindows(queries, range.get(), by)
              : showSums(queries, range.get(), by);
      return found ? 0 : NOT_FOUND;
    } finally {
      out().flush();
      err().flush();
    }
  }

  private void requireFitting() {
    if (follow && (from != null || to != null || plot != null || form.isGeoJson())) {
      throw usageError("--follow excludes --from, --to, --plot and --geojson");
    }
    if (plot != null && !form.isTable()) {
      throw usageError("--plot excludes --json, --csv and --geojson");
    }
    if (plot != null && !plot.isEmpty() && !plot.endsWith(".png")) {
      throw usageError("--plot: expected a name that ends with .png");
    }
    if (plot != null && windows && key == null && !isTotal()) {
      throw usageError("--plot: expected --key or --by total with --windows");
    }
  }

  private boolean isTotal() {
    return what.equals(CountBy.TOTAL.text());
  }

  /** Ends with the process, or if the thread is interrupted. */
  private int follow(CountQueries queries, CountBy by) throws IOException {
    ChangedCounts changed = new ChangedCounts();
    boolean isFirst = true;
    while (!Thread.currentThread().isInterrupted()) {
      Optional<TimeRange> lastMinute = queries.range(null, null, FOLLOWED);
      if (lastMinute.isPresent()) {
        TimeRange range = new TimeRange(lastMinute.get().from(), TimeRange.ALL.to());
        CountQueries.Windows read = queries.windows(range, by, key, MOST_FOLLOWED);
        if (read.more()) {
          err().println("More than %d counts a minute: use --key".formatted(MOST_FOLLOWED));
          return 1;
        }
        List<WindowCount> news = changed.of(read.counts(), range.from().toEpochMilli());
        form.printNext(out(), rows(by, news), isFirst);
        out().flush();
        isFirst = false;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return 0;
  }

  private boolean plot(CountQueries queries, TimeRange range, CountBy by) throws IOException {
    BarPlot bars;
    boolean isFound;
    if (key != null || isTotal()) {
      CountQueries.Windows read = queries.windows(range, by, key, MOST_PLOTTED);
      if (read.more()) {
        err().println("More than %d windows: use --from and --to".formatted(MOST_PLOTTED));
        return false;
      }
      isFound = !read.counts().isEmpty();
      WindowBars all = WindowBars.of(read.counts(), plot == null || plot.isEmpty());
      bars =
          new BarPlot(
              "Records by %s%s per %d s"
                  .formatted(what, key == null ? "" : " " + key, all.seconds()),
              "from",
              "records");
      all.forEach(bars::add);
    } else {
      List<GroupSum> sums = queries.top(range, by, limit);
      isFound = !sums.isEmpty();
      bars =
          new BarPlot(
              "Records by %s, %s to %s".formatted(what, range.from(), range.to()), what, "records");
      sums.forEach(sum -> bars.add(sum.key(), sum.n()));
    }
    if (isFound && plot != null && !plot.isEmpty()) {
      bars.write(Path.of(plot));
    } else if (isFound) {
      out().println(bars.toText(Terminal.width(), !Terminal.hasStandardOutput()));
    }
    return said(isFound, range);
  }

  private boolean showSums(CountQueries queries, TimeRange range, CountBy by) throws IOException {
    List<GroupSum> sums = queries.top(range, by, limit);
    form.print(
        out(),
        new Rows(
            List.of(
                new Column("k", by.text().toUpperCase(Locale.ROOT)),
                new Column("n", "RECORDS"),
                column("windows"),
                column("open"),
                column("batch"),
                column("newest")),
            areas(by),
            sums.stream().map(CountJson::of).toList(),
            "groups"),
        CountJson.about(range, by));
    return said(!sums.isEmpty(), range);
  }

  private boolean showWindows(CountQueries queries, TimeRange range, CountBy by)
      throws IOException {
    CountQueries.Windows found = queries.windows(range, by, key, limit);
    form.print(
        out(), rows(by, found.counts()), CountJson.about(range, by).put("more", found.more()));
    if (found.more()) {
      err().println("There are more than these %d: raise --limit".formatted(limit));
    }
    return said(!found.counts().isEmpty(), range);
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

  private boolean said(boolean found, TimeRange range) {
    if (!found) {
      err().println("No counts by %s from %s to %s".formatted(what, range.from(), range.to()));
    }
    return found;
  }
}
