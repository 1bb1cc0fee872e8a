package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import io.lastfix.cli.plot.BarPlot;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.counts.NumberKind;
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
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that shows density, flows, stays or trips. */
abstract class ResultsCommand extends NumbersCommand {
  private static final String MINIMUM_GROUP = "analytics.minimum-group";

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "cell",
      description = "cell or area: what the places are (default: ${DEFAULT-VALUE}).")
  private String by = "";

  private final List<Column> columns;

  /**
   * @param headings of tables, by field; a field that has none here is its own heading
   */
  ResultsCommand(NumberKind kind, Map<String, String> headings) {
    super(kind);
    this.columns = new ArrayList<>();
    for (String field : ResultJson.fields(kind)) {
      String heading = headings.get(field);
      columns.add(heading == null ? column(field) : new Column(field, heading));
    }
    if (!kind.isPersonal()) {
      columns.add(new Column("withheld", ""));
    }
  }

  /** Returns a user in messages, whose results alone are shown; null: all. */
  @Nullable String user() {
    return null;
  }

  /** Returns the place of which alone results are shown; null: all. */
  @Nullable String key() {
    return null;
  }

  @Override
  void check() {
    var unused = place();
    sayUnread();
  }

  @Override
  final int show(QuerySession session) throws IOException {
    return show(session, place());
  }

  /** Shows the results of a range. */
  int show(QuerySession session, PlaceKind place) throws IOException {
    ResultQueries queries = session.results();
    String user = user();
    String stored = user == null ? null : session.storedAs(user);
    Optional<TimeRange> range =
        queries.range(kind, time.from(), time.to(), last(ResultQueries.usualSpan(kind)), stored);
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

  /** A reader would believe that it had an effect. A script may give all commands the same keys. */
  private void sayUnread() {
    if (!kind.isPersonal() && access.overriddenKeys().contains(MINIMUM_GROUP)) {
      say(
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

  /** Returns the end of a plot's title: its range, and what of it is not complete. */
  static String span(Selection selection, Completeness completeness) {
    TimeRange range = range(selection, completeness);
    return range.from() + " to " + range.to() + completeness.inTitle();
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
    say(
        user() != null
            ? never()
            : "There is nothing in the collections %1$s_… yet: lastfix submit analytics starts to compute, if analytics.numbers has '%1$s'"
                .formatted(kind.text()));
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
    print(
        new Rows(
            columns,
            ResultJson.places(kind),
            found.stream().limit(limit).map(it -> ResultJson.row(kind, it)).toList(),
            kind.text()),
        ResultJson.complete(about, more, completeness, !kind.isPersonal()),
        missing,
        more);
  }

  /**
   * Says how late and complete the numbers are, which JSON has in fields, or why there are none.
   * Returns the exit code.
   */
  final int said(
      QuerySession session, Completeness completeness, Missing missing, Supplier<String> notFound) {
    boolean isFound = completeness.results() > 0;
    if (!isFound) {
      say(notFound.get());
    } else if (!form.isJson()) {
      say(completeness.text("result", Instant.now()));
    }
    if (isFound && form.isTable() && completeness.withheld() > 0) {
      say(completeness.textOfWithheld("result", session.config().analytics().minimumGroup()));
    }
    if (!form.isJson()) {
      say(missing);
    }
    return isFound ? 0 : NOT_FOUND;
  }

  private PlaceKind place() {
    try {
      return PlaceKind.ofText(by);
    } catch (IllegalArgumentException e) {
      throw usageError("--by: expected cell or area, found '" + by + "'");
    }
  }
}
