package io.lastfix.cli.analytics;

import io.lastfix.cli.plot.BarPlot;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code lastfix flows}: shows how many devices moved from where to where. */
@Command(
    name = "flows",
    description = {
      "Shows how often devices moved from one place to another within an hour (UTC), and how many"
          + " devices did, the most moves first.",
      "The analytics job computes them (lastfix submit analytics); lastfix analyze flows computes"
          + " them again from History. 'open' numbers still grow; 'closed' ones change only if a"
          + " record comes late, by up to an hour; 'batch' ones are History's. Moves of fewer"
          + " devices than analytics.minimum-group are withheld.",
      "--plot draws the moves between each two places in all hours of the range together, without"
          + " withheld ones."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"},
    footer = "  lastfix flows --by area --last 24h")
public final class FlowsCommand extends ResultsCommand {
  /** Called by picocli. */
  public FlowsCommand() {
    super(NumberKind.FLOWS, Map.of("w", "HOUR", "n", "MOVES"));
  }

  @Override
  BarPlot bars(ResultQueries queries, Selection selection, Completeness completeness) {
    return bars(
        "Moves by %s, %s".formatted(selection.by().text(), span(selection, completeness)),
        "from -> to",
        "moves",
        queries.moves(selection));
  }
}
