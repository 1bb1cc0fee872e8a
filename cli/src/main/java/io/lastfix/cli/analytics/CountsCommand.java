package io.lastfix.cli.analytics;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.output.Table;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.CountJson;
import io.lastfix.store.query.CountQueries;
import io.lastfix.store.query.CountQueries.GroupSum;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
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
    try (QuerySession session = access.open()) {
      CountQueries queries = session.counts();
      Optional<TimeRange> range = queries.range(from, to, span);
      if (range.isEmpty()) {
        err().println("There are no counts yet: lastfix submit analytics starts to count");
        return NOT_FOUND;
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

  private boolean showSums(CountQueries queries, TimeRange range, CountBy by) throws IOException {
    List<GroupSum> sums = queries.top(range, by, limit);
    if (form.json) {
      out().println(CountJson.ofSums(range, by, sums));
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
    CountQueries.Windows found = queries.windows(range, by, key, limit);
    List<WindowCount> counts = found.counts();
    if (form.json) {
      out().println(CountJson.ofWindows(range, by, counts, found.more()));
    } else if (form.csv) {
      csv(
          List.of("w", "k", "n", "state"),
          counts.stream()
              .map(
                  count ->
                      List.of(
                          Instant.ofEpochMilli(count.windowMillis()).toString(),
                          count.key(),
                          Long.toString(count.n()),
                          count.state().text()))
              .toList());
    } else if (!counts.isEmpty()) {
      Table table = new Table("WINDOW", "GROUP", "RECORDS", "STATE");
      for (WindowCount count : counts) {
        table.row(
            Instant.ofEpochMilli(count.windowMillis()).toString(),
            count.key(),
            Long.toString(count.n()),
            count.state().text());
      }
      out().println(table);
    }
    if (found.more()) {
      err().println("There are more than these %d: raise --limit".formatted(limit));
    }
    return said(!counts.isEmpty(), range);
  }

  private boolean said(boolean found, TimeRange range) {
    if (!found) {
      err().println("No counts by %s from %s to %s".formatted(what, range.from(), range.to()));
    }
    return found;
  }

  private void csv(List<String> heading, List<List<String>> rows) throws IOException {
    StringWriter text = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(text)) {
      csv.writeRecord(heading);
      rows.forEach(csv::writeRecord);
    }
    out().print(text);
  }
}
