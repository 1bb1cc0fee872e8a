package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.store.counts.NumberKind;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lastfix stays}: shows where users stayed. */
@Command(
    name = "stays",
    description = {
      "Shows where users stayed for at least analytics.minimum-stay, from old to new, and how each"
          + " stay ended: the user left for another place, or was absent.",
      "The analytics job finds them (lastfix submit analytics); lastfix analyze stays finds them"
          + " again in History. An 'open' stay has not ended; a 'closed' one changes only if a"
          + " record comes late, by up to an hour; a 'batch' one is History's, and may be open too.",
      "Stays name users: lastfix forget deletes those of a user."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"})
public final class StaysCommand extends UserResultsCommand {
  /** Called by picocli. */
  public StaysCommand() {
    super(
        NumberKind.STAYS,
        List.of(
            column("user"),
            new Column("k", "PLACE"),
            column("begin"),
            column("end"),
            column("ended"),
            column("state")),
        List.of("k"));
  }
}
