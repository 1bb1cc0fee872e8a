package io.lastfix.cli.analytics;

import io.lastfix.cli.plot.BarPlot;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.query.numbers.ResultQueries.GroupValue;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code lastfix stays}: shows where users stayed. */
@Command(
    name = "stays",
    description = {
      "Shows where users stayed for at least analytics.minimum-stay, from old to new, and how each"
          + " stay ended: the user left for another place, or was absent.",
      "The analytics job finds them (lastfix submit analytics); lastfix analyze stays finds them"
          + " again in History. An 'open' stay has not ended. A 'closed' one changes only if a"
          + " record comes late, by up to an hour. A 'batch' one is History's, and may be open too.",
      "--plot draws the minutes that all stays, or those of one user, took at each place. A stay that"
          + " has not ended is left out.",
      "Stays name users: lastfix forget deletes those of a user."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"},
    footer = "  lastfix stays --user ashgati")
public final class StaysCommand extends UserResultsCommand {
  private static final double MINUTE = 60_000;

  /** Called by picocli. */
  public StaysCommand() {
    super(NumberKind.STAYS, Map.of("k", "PLACE"));
  }

  @Override
  BarPlot bars(ResultQueries queries, Selection selection, Completeness completeness) {
    return bars(
        "Minutes of stays by %s%s, begun %s"
            .formatted(selection.by().text(), ofUser(), span(selection, completeness)),
        selection.by().text(),
        "minutes",
        queries.staysByPlace(selection).stream()
            .map(stays -> new GroupValue(stays.group(), Math.round(stays.value() / MINUTE)))
            .toList());
  }
}
