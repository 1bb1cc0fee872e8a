package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import io.lastfix.store.counts.NumberKind;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lastfix trips}: shows the trips of users from one stay to the next. */
@Command(
    name = "trips",
    description = {
      "Shows the trips of users from one stay to the next, from old to new, and how many places lay"
          + " between.",
      "The analytics job finds them (lastfix submit analytics); lastfix analyze trips finds them"
          + " again in History. A 'closed' trip changes only if a record comes late, by up to an"
          + " hour; a 'batch' one is History's.",
      "Trips name users: lastfix forget deletes those of a user."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"})
public final class TripsCommand extends UserResultsCommand {
  /** Called by picocli. */
  public TripsCommand() {
    super(
        NumberKind.TRIPS,
        List.of(
            column("user"),
            column("from"),
            column("to"),
            column("begin"),
            column("end"),
            column("via"),
            column("state")),
        List.of("from", "to"));
  }
}
