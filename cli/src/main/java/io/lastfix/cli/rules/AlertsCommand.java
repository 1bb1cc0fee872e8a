package io.lastfix.cli.rules;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.rules.AlertFollower;
import io.lastfix.operate.rules.AlertRequest;
import io.lastfix.operate.rules.AlertRows;
import io.lastfix.store.alerts.AlertQueries;
import io.lastfix.store.alerts.AlertQueries.Selection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
public final class AlertsCommand extends AlertRowsCommand {
  @Option(names = "--rule", paramLabel = "RULE", description = "Only those of the rule of this id.")
  private @Nullable String rule;

  @Option(
      names = "--follow",
      description = "Show those that the rules job publishes from now on, until Ctrl-C.")
  private boolean follow;

  @Override
  void check() {
    if (follow && (isTimeGiven() || form.isGeoJson())) {
      throw usageError("--follow excludes --from, --to, --last and --geojson");
    }
  }

  @Override
  Servers.Kind[] needed() {
    return new Servers.Kind[] {follow ? Servers.Kind.KAFKA : Servers.Kind.MONGO};
  }

  @Override
  int run(QuerySession session, AlertRequest request) throws IOException {
    Selection selection = new Selection(rule, request.user());
    return follow
        ? follow(session.config(), selection)
        : show(session.alerts(), selection, request);
  }

  private int show(AlertQueries queries, Selection selection, AlertRequest request)
      throws IOException {
    AlertRows found =
        queries
            .range(selection, request.from(), request.to(), request.last())
            .map(
                range ->
                    AlertRows.newest(
                        queries, selection, range, request.limit(), request.isNested()))
            .orElse(AlertRows.NONE);
    form.print(out(), rows(found), emptyObject().put("more", found.more()));
    found.skipped().stream().distinct().forEach(this::say);
    if (found.more()) {
      say("There are more than these %d: raise --limit".formatted(request.limit()));
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
}
