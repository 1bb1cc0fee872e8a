package io.lastfix.cli.rules;

import io.lastfix.cli.analytics.NumbersForm;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.rules.AlertFollower;
import io.lastfix.operate.rules.AlertRows;
import io.lastfix.store.alerts.AlertQueries;
import io.lastfix.store.alerts.AlertQueries.Selection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix alerts}: shows the alerts of rules. */
@Command(
    name = "alerts",
    subcommands = AlertsRedeliverCommand.class,
    description = {
      "Shows alerts of rules by when they began, oldest first; those of one instant in any order."
          + " If there are more than --limit, it shows the newest.",
      "Alerts name users: lastfix forget deletes those of a user."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no alerts in that time"},
    footer = "  lastfix alerts --rule left-airport --last 7d")
public final class AlertsCommand extends LastfixCommand {
  @Option(names = "--rule", paramLabel = "RULE", description = "Only those of the rule of this id.")
  private @Nullable String rule;

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

  @Option(
      names = "--follow",
      description = "Show those that the rules job publishes from now on, until Ctrl-C.")
  private boolean follow;

  @Mixin private final NumbersForm form = new NumbersForm();
  @Mixin private final QueryAccess access = new QueryAccess();

  @Override
  public Integer call() throws IOException {
    if (limit < 1 || limit > AlertRows.MAX) {
      throw usageError("--limit: expected 1 to %d, found %d".formatted(AlertRows.MAX, limit));
    }
    time.check();
    Duration span = last == null ? null : duration("--last", last);
    if (follow && (time.isGiven() || span != null || form.isGeoJson())) {
      throw usageError("--follow excludes --from, --to, --last and --geojson");
    }
    try (QuerySession session = access.open(follow ? Servers.Kind.KAFKA : Servers.Kind.MONGO)) {
      Selection selection = new Selection(rule, user == null ? null : session.storedAs(user));
      return follow ? follow(session.config(), selection) : show(session.alerts(), selection, span);
    }
  }

  private int show(AlertQueries queries, Selection selection, @Nullable Duration span)
      throws IOException {
    AlertRows found =
        queries
            .range(selection, time.from(), time.to(), span)
            .map(range -> AlertRows.newest(queries, selection, range, limit, form.isJson()))
            .orElse(AlertRows.NONE);
    form.print(out(), rows(found), emptyObject().put("more", found.more()));
    found.skipped().stream().distinct().forEach(this::say);
    if (found.more()) {
      say("There are more than these %d: raise --limit".formatted(limit));
    }
    if (found.rows().isEmpty()) {
      say("No alerts of that rule, user and time");
    }
    return found.rows().isEmpty() ? 3 : 0;
  }

  /** Ends with the process, or if the reader of its output closes the pipe. */
  private int follow(LocationJobConfig config, Selection selection) throws IOException {
    try (AlertFollower follower =
        AlertFollower.connect(config.kafka(), config.rules().alertsTopic())) {
      say("Waiting for alerts, until Ctrl-C");
      form.printNext(out(), rows(AlertRows.NONE), true);
      follower.follow(
          selection,
          form.isJson(),
          row -> form.printNext(out(), rows(row), false),
          this::say,
          () -> !out().checkError());
    }
    return 0;
  }

  private static Rows rows(AlertRows alerts) {
    Stream<Column> shown = AlertRows.SHORT.stream().map(NumbersForm::column);
    Stream<Column> further = AlertRows.FURTHER.stream().map(name -> new Column(name, ""));
    return new Rows(Stream.concat(shown, further).toList(), List.of(), alerts.rows(), "alerts");
  }
}
