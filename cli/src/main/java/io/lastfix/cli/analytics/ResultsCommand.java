package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;
import static io.lastfix.cli.analytics.NumbersForm.notInTables;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.plot.BarPlot;
import io.lastfix.cli.plot.PlotOption;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.Completeness;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.ResultJson;
import io.lastfix.store.query.ResultQueries;
import io.lastfix.store.query.ResultQueries.GroupValue;
import io.lastfix.store.query.ResultQueries.Selection;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.PlaceKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that shows density, flows, stays or trips. */
abstract class ResultsCommand extends LastfixCommand {
  static final int NOT_FOUND = 3;

  private static final String MINIMUM_GROUP = "analytics.minimum-group";

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "cell",
      description = "cell or area: what the places are (default: ${DEFAULT-VALUE}).")
  private String by = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Only results that begin at or after this time, for instance 2026-11-20.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Only results that begin before it.")
  private @Nullable Instant to;

  @Option(
      names = "--last",
      paramLabel = "DURATION",
      description =
          "Without --from: this long before --to, or before the end of the newest result, of the"
              + " user if one is named: 90s, 10m, 2h, 7d (default: 10m for density, 24h for all"
              + " others).")
  private @Nullable String last;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show this many results at most (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private final PlotOption plot = new PlotOption();
  @Mixin private final NumbersForm form = new NumbersForm();
  @Mixin private final QueryAccess access = new QueryAccess();

  private final NumberKind kind;
  private final List<Column> columns;

  /**
   * @param headings of tables, by field; a field that has none here is its own heading
   */
  ResultsCommand(NumberKind kind, Map<String, String> headings) {
    this.kind = kind;
    this.columns = new ArrayList<>();
    for (String field : ResultJson.fields(kind)) {
      String heading = headings.get(field);
      columns.add(heading == null ? column(field) : new Column(field, heading));
    }
    if (!kind.isPersonal()) {
      columns.add(notInTables("withheld"));
    }
  }

  /** Returns a user in messages, of whom alone results are shown; null: all. */
  @Nullable String user() {
    return null;
  }

  /** Returns the place of which alone results are shown; null: all. */
  @Nullable String key() {
    return null;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 1) {
      throw usageError("--limit: expected 1 or more, found " + limit);
    }
    requireOrder(from, to);
    plot.check(form.isTable());
    PlaceKind place = place();
    sayUnread();
    try (QuerySession session = access.open()) {
      return show(session, place);
    } finally {
      out().flush();
      err().flush();
    }
  }

  /** Shows the results of a range. */
  int show(QuerySession session, PlaceKind place) throws IOException {
    Duration span = last == null ? ResultQueries.usualSpan(kind) : duration("--last", last);
    ResultQueries queries = session.results();
    String user = user();
    String stored = user == null ? null : session.storedAs(user);
    Optional<TimeRange> range = queries.range(kind, from, to, span, stored);
    if (range.isEmpty()) {
      return none();
    }
    Selection selection = new Selection(kind, range.get(), place, stored, key());
    Missing missing = missing(session, range.get());
    Completeness completeness = queries.completeness(selection);
    if (plot.isGiven() && completeness.results() > 0) {
      plot.draw(bars(queries, selection, completeness), out(), err());
    } else if (!plot.isGiven()) {
      print(
          form.isTable()
              ? queries.readShown(selection, limit + 1)
              : queries.read(selection, limit + 1),
          completeness,
          ResultJson.about(range.get(), place),
          missing);
    }
    return said(session, completeness, missing, () -> notFound(queries, selection));
  }

  /** Returns what the numbers of a range lack. */
  final Missing missing(QuerySession session, TimeRange range) throws MongoAccessException {
    return Missing.of(access, session, kind, range);
  }

  /** A reader would believe that it had an effect. A script may give all commands the same keys. */
  private void sayUnread() {
    if (!kind.isPersonal() && access.overriddenKeys().contains(MINIMUM_GROUP)) {
      err()
          .println(
              "--set %1$s has no effect here: this command shows what is stored. For what the job computes from now on, stop it and resume it with that --set; for what is stored: lastfix analyze %2$s --from TIME --to TIME --set %1$s=N"
                  .formatted(MINIMUM_GROUP, kind.text()));
    }
  }

  /** Returns the plot of a range's results, of which there are some. */
  abstract BarPlot bars(ResultQueries queries, Selection selection, Completeness completeness);

  /** Returns the range of a plot, which ends with the newest result if the user named no end. */
  static TimeRange range(Selection selection, Completeness completeness) {
    TimeRange range = selection.range();
    return range.to().isBefore(TimeRange.ALL.to())
        ? range
        : new TimeRange(
            range.from(), completeness.newest().orElse(range.from()).plus(Duration.ofMillis(1)));
  }

  /** The same in words. */
  static String span(Selection selection, Completeness completeness) {
    TimeRange range = range(selection, completeness);
    return range.from() + " to " + range.to();
  }

  /** Returns a plot of groups, the first of them up to the limit. */
  final BarPlot bars(String title, String groups, String unit, List<GroupValue> values) {
    BarPlot bars = new BarPlot(title, groups, unit);
    values.stream().limit(limit).forEach(value -> bars.add(value.group(), value.value()));
    saidMore(values.size() > limit);
    return bars;
  }

  /** Says why there is nothing, as far as that is known. */
  private String notFound(ResultQueries queries, Selection selection) {
    TimeRange range = selection.range();
    String user = user();
    String what =
        "No %s by %s%s%s"
            .formatted(
                kind == NumberKind.DENSITY ? "change of density" : kind.text(),
                selection.by().text(),
                ofUser(),
                selection.place() == null ? "" : " of " + selection.place());
    Optional<Instant> oldest = queries.oldest(kind, selection.user());
    Optional<Instant> newest = queries.newest(kind, selection.user());
    if (oldest.isEmpty() || newest.isEmpty()) {
      return user == null ? "%s from %s to %s".formatted(what, range.from(), range.to()) : never();
    }
    return "%s from %s to %s; there are results%s from %s to %s: use --from and --to"
        .formatted(
            what,
            range.from(),
            range.to(),
            user == null ? "" : " of this user",
            oldest.get(),
            newest.get());
  }

  /** Names the user, if there is one, at the end of a noun. */
  final String ofUser() {
    return user() == null ? "" : " of " + user();
  }

  private String never() {
    return "There are no %s of %s at any time: lastfix where shows whether the user is known"
        .formatted(kind.text(), user());
  }

  /** Says that there is nothing at all. */
  final int none() {
    if (user() != null) {
      err().println(never());
      return NOT_FOUND;
    }
    err()
        .println(
            "There is nothing in the collections %s_… yet: lastfix submit analytics starts to compute, if analytics.numbers has '%s'"
                .formatted(kind.text(), kind.text()));
    return NOT_FOUND;
  }

  /**
   * Prints results up to the limit.
   *
   * @param found results, and one more if there are more
   */
  final void print(
      List<Document> found, Completeness completeness, ObjectNode about, Missing missing)
      throws IOException {
    boolean more = found.size() > limit;
    form.print(
        out(),
        new NumbersForm.Rows(
            columns,
            ResultJson.places(kind),
            found.stream().limit(limit).map(it -> ResultJson.row(kind, it)).toList(),
            kind.text()),
        form.hasFields()
            ? missing.addTo(ResultJson.complete(about, more, completeness, !kind.isPersonal()))
            : about);
    saidMore(more);
  }

  private void saidMore(boolean more) {
    if (more) {
      err().println("There are more than these %d: raise --limit".formatted(limit));
    }
  }

  /**
   * Says how late and complete the numbers are, which JSON has in fields, or why there are none.
   * Returns the exit code.
   */
  final int said(
      QuerySession session, Completeness completeness, Missing missing, Supplier<String> notFound) {
    boolean isFound = completeness.results() > 0;
    if (!isFound) {
      err().println(notFound.get());
    } else if (!form.isJson()) {
      err().println(CompletenessText.line(completeness, "result", Instant.now()));
    }
    if (isFound && form.isTable() && completeness.withheld() > 0) {
      err()
          .println(
              CompletenessText.withheld(
                  completeness, "result", session.config().analytics().minimumGroup()));
    }
    if (!form.isJson()) {
      missing.say(err());
    }
    return isFound ? 0 : NOT_FOUND;
  }

  final boolean isTable() {
    return form.isTable();
  }

  final boolean isRangeGiven() {
    return from != null || to != null || last != null;
  }

  final int limit() {
    return limit;
  }

  final PlotOption plot() {
    return plot;
  }

  /** Reads a duration such as 90s. */
  final Duration duration(String option, String text) {
    try {
      return LastKnownLocation.window(text);
    } catch (IllegalArgumentException e) {
      throw usageError(option + ": " + e.getMessage());
    }
  }

  private PlaceKind place() {
    try {
      return PlaceKind.ofText(by);
    } catch (IllegalArgumentException e) {
      throw usageError("--by: expected cell or area, found '" + by + "'");
    }
  }
}
