package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.cli.plot.PlotOption;
import io.lastfix.cluster.flink.LostRecords;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.LateQueries;
import io.lastfix.store.query.numbers.Missing;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base class of the commands that show numbers: counts, density, flows, stays or trips. */
abstract class NumbersCommand extends LastfixCommand {
  static final int NOT_FOUND = 3;

  /** A day has 8,640 windows of ten seconds. */
  static final int MOST_PLOTTED = 100_000;

  @Mixin final TimeOptions time = new TimeOptions();

  @Option(
      names = "--last",
      paramLabel = "DURATION",
      description =
          "Without --from: this long before --to, or before the end of the newest number, of the"
              + " user if one is named: 90s, 10m, 2h, 7d (default: 10m for counts and density, 24h"
              + " for all others).")
  private @Nullable String last;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Show this many groups, windows or results at most (default: ${DEFAULT-VALUE}); a plot"
              + " over time has all.")
  int limit;

  @Mixin final PlotOption plot = new PlotOption();
  @Mixin final NumbersForm form = new NumbersForm();
  @Mixin final QueryAccess access = new QueryAccess();

  final NumberKind kind;
  private @Nullable Duration span;

  NumbersCommand(NumberKind kind) {
    this.kind = kind;
  }

  /** Rejects invalid options before any server is queried. */
  abstract void check();

  /** Shows numbers, and returns the exit code. */
  abstract int show(QuerySession session) throws IOException;

  @Override
  public final Integer call() throws IOException {
    requireAtLeast("--limit", 1, limit);
    time.check();
    span = last == null ? null : duration("--last", last);
    plot.check(form.isTable());
    check();
    try (QuerySession session = access.open()) {
      return show(session);
    }
  }

  final boolean isRangeGiven() {
    return time.isGiven() || last != null;
  }

  /** The duration of {@code --last}, else the usual one. */
  final Duration last(Duration usual) {
    return span == null ? usual : span;
  }

  /** Returns what the numbers of a range lack, and begins to query Flink. */
  final Missing missing(QuerySession session, TimeRange range) throws MongoAccessException {
    LostRecords lost = access.lostRecords(session.config());
    LateQueries late = session.late();
    return Missing.of(() -> late.read(kind, range), lost::await);
  }

  /** Prints a line for each that there are some of. */
  final void say(Missing missing) {
    missing
        .problem()
        .ifPresent(
            it ->
                say(
                    "It is not known whether records came too late for these numbers: "
                        + it.getMessage()));
    missing.late().text("these numbers").ifPresent(this::say);
    LostRecords.text(missing.lost().get()).ifPresent(this::say);
  }

  /**
   * Prints numbers, and says if there are more.
   *
   * @param about fields about all rows, to which JSON adds what they lack
   */
  final void print(Rows rows, ObjectNode about, Missing missing, boolean more) throws IOException {
    form.print(out(), rows, form.hasFields() ? missing.addTo(about) : about);
    saidMore(more);
  }

  final void saidMore(boolean more) {
    if (more) {
      say("There are more than these %d: raise --limit".formatted(limit));
    }
  }
}
