package io.lastfix.cli.rules;

import io.lastfix.cli.analytics.NumbersForm;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.rules.AlertRequest;
import io.lastfix.operate.rules.AlertRows;
import io.lastfix.operate.rules.RuleReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base class of the commands that print alerts. */
abstract class AlertRowsCommand extends LastfixCommand {
  @Option(
      names = "--user",
      paramLabel = "USER",
      description = "Only those of this device or subscriber, as messages name it.")
  private @Nullable String user;

  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(
      names = "--last",
      paramLabel = "DURATION",
      description =
          "Without --from: this long before --to, or before the end of the newest: 90s, 10m, 7d.")
  private @Nullable String last;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Show this many at most, up to 100000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin final NumbersForm form = new NumbersForm();
  @Mixin private final QueryAccess access = new QueryAccess();

  /** Executes the command, and returns the exit code. */
  abstract int run(QuerySession session, AlertRequest request) throws IOException;

  /** Rejects invalid options before any server is queried. */
  void check() {}

  /** Returns the servers that the command requires. */
  Servers.Kind[] needed() {
    return new Servers.Kind[] {Servers.Kind.MONGO, Servers.Kind.KAFKA};
  }

  @Override
  public final Integer call() throws IOException {
    if (limit < 1 || limit > AlertRows.MAX) {
      throw usageError("--limit: expected 1 to %d, found %d".formatted(AlertRows.MAX, limit));
    }
    time.check();
    Duration span = last == null ? null : duration("--last", last);
    check();
    try (QuerySession session = access.open(needed())) {
      String storedAs = user == null ? null : session.storedAs(user);
      return run(
          session, new AlertRequest(storedAs, time.from(), time.to(), span, limit, form.isJson()));
    }
  }

  final boolean isTimeGiven() {
    return time.isGiven() || last != null;
  }

  /** Prints a report. */
  final void print(RuleReport report, String... first) throws IOException {
    form.print(out(), rows(report.alerts(), first), report.about());
    report.lines().forEach(this::say);
  }

  /**
   * Returns alerts to print.
   *
   * @param first columns before the usual ones
   */
  static Rows rows(AlertRows alerts, String... first) {
    Stream<Column> shown =
        Stream.concat(Stream.of(first), AlertRows.SHORT.stream()).map(NumbersForm::column);
    Stream<Column> further = AlertRows.FURTHER.stream().map(name -> new Column(name, ""));
    return new Rows(Stream.concat(shown, further).toList(), List.of(), alerts.rows(), "alerts");
  }
}
