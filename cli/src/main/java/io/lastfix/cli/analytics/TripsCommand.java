package io.lastfix.cli.analytics;

import io.lastfix.cli.plot.BarPlot;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import java.time.Duration;
import java.util.Map;
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
      "--plot draws how many trips began in each hour, or on each day (UTC) if the range is longer"
          + " than four days.",
      "Trips name users: lastfix forget deletes those of a user."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"},
    footer = "  lastfix trips --by area --last 7d --geojson")
public final class TripsCommand extends UserResultsCommand {
  private static final Duration BY_HOUR = Duration.ofDays(4);

  /** Called by picocli. */
  public TripsCommand() {
    super(NumberKind.TRIPS, Map.of());
  }

  @Override
  BarPlot bars(ResultQueries queries, Selection selection, Completeness completeness) {
    TimeRange range = range(selection, completeness);
    Duration unit =
        Duration.between(range.from(), range.to()).compareTo(BY_HOUR) > 0
            ? Duration.ofDays(1)
            : Duration.ofHours(1);
    TimeBars bars =
        TimeBars.of(
            range.from().toEpochMilli(),
            range.to().toEpochMilli(),
            unit.toMillis(),
            plot.isPicture(),
            0);
    queries.begins(selection, unit.toMillis()).forEach(bars::add);
    return bars.plot(
        "Trips by %s%s begun in each".formatted(selection.by().text(), ofUser()),
        completeness.inTitle(),
        "from (UTC)",
        "trips");
  }
}
