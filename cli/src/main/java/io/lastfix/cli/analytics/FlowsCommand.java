package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.store.counts.NumberKind;
import java.util.List;
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
          + " devices than analytics.minimum-group are withheld."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"})
public final class FlowsCommand extends ResultsCommand {
  /** Called by picocli. */
  public FlowsCommand() {
    super(
        NumberKind.FLOWS,
        List.of(
            new Column("w", "HOUR"),
            column("from"),
            column("to"),
            new Column("n", "MOVES"),
            column("devices"),
            column("state")),
        List.of("from", "to"));
  }
}
