package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.common.Terminal;
import io.lastfix.cli.output.Table;
import io.lastfix.cli.plot.BarPlot;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.CountQueries;
import io.lastfix.store.query.CountQueries.GroupSum;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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

  private static final List<String> WINDOW_COLUMNS = List.of("w", "k", "n", "state");

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
      description = "Show this many groups, or windows, at most (default: ${DEFAULT-VALUE}).")
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
          "Draw a bar for each group, or for each window with --key or --by total; in the terminal,"
              + " or as this PNG file.")
  private @Nullable String plot;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private final Form form = new Form();

  private static final class Form {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = "--csv", description = "Print CSV (RFC 4180), with a heading.")
    private boolean csv;
  }

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
      Optional<TimeRange> range = range(queries, span);
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
    if (follow && (from != null || to != null || plot != null)) {
      throw usageError("--follow excludes --from, --to and --plot");
    }
    if (plot != null && (form.json || form.csv)) {
      throw usageError("--plot excludes --json and --csv");
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
      Optional<Instant> newest = queries.newestWindow();
      if (newest.isPresent()) {
        Instant first = windowOf(newest.get().minus(FOLLOWED));
        List<WindowCount> read = new ArrayList<>();
        queries.read(new TimeRange(first, TimeRange.ALL.to()), by, key, MOST_FOLLOWED, read::add);
        if (read.size() == MOST_FOLLOWED) {
          err().println("More than %d counts a minute: use --key".formatted(MOST_FOLLOWED));
          return 1;
        }
        print(changed.of(read, first.toEpochMilli()), isFirst);
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

  private void print(List<WindowCount> counts, boolean isFirst) throws IOException {
    if (form.csv) {
      csv(isFirst ? WINDOW_COLUMNS : null, counts.stream().map(CountsCommand::cells).toList());
    } else {
      for (WindowCount count : counts) {
        out()
            .println(
                form.json
                    ? JsonNodeFactory.instance
                        .objectNode()
                        .put("w", Instant.ofEpochMilli(count.windowMillis()).toString())
                        .put("k", count.key())
                        .put("n", count.n())
                        .put("state", count.state().text())
                    : new Table(cells(count).toArray(String[]::new)));
      }
    }
    out().flush();
  }

  private static List<String> cells(WindowCount count) {
    return List.of(
        Instant.ofEpochMilli(count.windowMillis()).toString(),
        count.key(),
        Long.toString(count.n()),
        count.state().text());
  }

  private boolean plot(CountQueries queries, TimeRange range, CountBy by) throws IOException {
    boolean isOverTime = key != null || isTotal();
    String title =
        "Records by %s%s, %s to %s"
            .formatted(what, key == null ? "" : " " + key, range.from(), range.to());
    BarPlot bars = new BarPlot(title, isOverTime ? "window" : what, "records");
    boolean[] found = new boolean[1];
    if (isOverTime) {
      queries.read(
          range,
          by,
          key,
          limit,
          count -> {
            found[0] = true;
            bars.add(Instant.ofEpochMilli(count.windowMillis()).toString(), count.n());
          });
    } else {
      queries
          .top(range, by, limit)
          .forEach(
              sum -> {
                found[0] = true;
                bars.add(sum.key(), sum.n());
              });
    }
    if (found[0] && plot != null && !plot.isEmpty()) {
      bars.write(Path.of(plot));
    } else if (found[0]) {
      out().println(bars.toText(Terminal.width(), !Terminal.hasStandardOutput()));
    }
    return said(found[0], range);
  }

  private Optional<TimeRange> range(CountQueries queries, Duration span) {
    if (from != null) {
      return Optional.of(new TimeRange(windowOf(from), to == null ? TimeRange.ALL.to() : to));
    }
    return Optional.ofNullable(to)
        .or(() -> queries.newestWindow().map(it -> it.plusMillis(WindowCount.WINDOW_MILLIS)))
        .map(end -> new TimeRange(windowOf(end.minus(span)), end));
  }

  private static Instant windowOf(Instant instant) {
    return Instant.ofEpochMilli(WindowCount.windowOf(instant.toEpochMilli()));
  }

  private boolean showSums(CountQueries queries, TimeRange range, CountBy by) throws IOException {
    List<GroupSum> sums = queries.top(range, by, limit);
    if (form.json) {
      ArrayNode groups = JsonNodeFactory.instance.arrayNode();
      for (GroupSum sum : sums) {
        groups
            .addObject()
            .put("k", sum.key())
            .put("n", sum.n())
            .put("windows", sum.windows())
            .put("open", sum.open())
            .put("batch", sum.fromHistory())
            .put("newest", Instant.ofEpochMilli(sum.newestMillis()).toString());
      }
      out().println(answer(range, by).set("groups", groups));
    } else if (form.csv) {
      csv(
          List.of("k", "n", "windows", "open", "batch", "newest"),
          sums.stream()
              .map(
                  sum ->
                      List.of(
                          sum.key(),
                          Long.toString(sum.n()),
                          Long.toString(sum.windows()),
                          Long.toString(sum.open()),
                          Long.toString(sum.fromHistory()),
                          Instant.ofEpochMilli(sum.newestMillis()).toString()))
              .toList());
    } else if (!sums.isEmpty()) {
      Table table =
          new Table(
              by.text().toUpperCase(Locale.ROOT), "RECORDS", "WINDOWS", "OPEN", "BATCH", "NEWEST");
      for (GroupSum sum : sums) {
        table.row(
            sum.key(),
            Long.toString(sum.n()),
            Long.toString(sum.windows()),
            Long.toString(sum.open()),
            Long.toString(sum.fromHistory()),
            Instant.ofEpochMilli(sum.newestMillis()).toString());
      }
      out().println(table);
    }
    return said(!sums.isEmpty(), range);
  }

  private boolean showWindows(CountQueries queries, TimeRange range, CountBy by)
      throws IOException {
    List<WindowCount> counts = new ArrayList<>();
    boolean[] more = new boolean[1];
    queries.read(
        range,
        by,
        key,
        limit + 1,
        count -> {
          if (counts.size() < limit) {
            counts.add(count);
          } else {
            more[0] = true;
          }
        });
    if (form.json) {
      ArrayNode rows = JsonNodeFactory.instance.arrayNode();
      for (WindowCount count : counts) {
        rows.addObject()
            .put("w", Instant.ofEpochMilli(count.windowMillis()).toString())
            .put("k", count.key())
            .put("n", count.n())
            .put("state", count.state().text())
            .put("rev", count.rev());
      }
      ObjectNode answer = answer(range, by);
      answer.set("windows", rows);
      out().println(answer.put("more", more[0]));
    } else if (form.csv) {
      csv(WINDOW_COLUMNS, counts.stream().map(CountsCommand::cells).toList());
    } else if (!counts.isEmpty()) {
      Table table = new Table("WINDOW", "GROUP", "RECORDS", "STATE");
      for (WindowCount count : counts) {
        table.row(cells(count).toArray(String[]::new));
      }
      out().println(table);
    }
    if (more[0]) {
      err().println("There are more than these %d: raise --limit".formatted(limit));
    }
    return said(!counts.isEmpty(), range);
  }

  private ObjectNode answer(TimeRange range, CountBy by) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", range.from().toString())
        .put("to", range.to().toString())
        .put("by", by.text());
  }

  private boolean said(boolean found, TimeRange range) {
    if (!found) {
      err().println("No counts by %s from %s to %s".formatted(what, range.from(), range.to()));
    }
    return found;
  }

  private void csv(@Nullable List<String> heading, List<List<String>> rows) throws IOException {
    StringWriter text = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(text)) {
      if (heading != null) {
        csv.writeRecord(heading);
      }
      rows.forEach(csv::writeRecord);
    }
    out().print(text);
  }
}
