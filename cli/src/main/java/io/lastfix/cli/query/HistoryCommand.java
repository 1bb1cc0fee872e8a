package io.lastfix.cli.query;

import io.lastfix.cli.output.RowWriter;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix history}: lists a device's positions over all periods, in order. */
@Command(
    name = "history",
    description =
        "Shows where a device was, oldest first. If there are more sightings than --limit, it"
            + " shows the newest.",
    exitCodeList = {
      "0:found",
      "1:failed",
      "2:wrong usage",
      "3:no record of that device in that time"
    },
    footer = "  lastfix history ashgati --from 2008-05-25T22:00Z --to 2008-05-26")
public final class HistoryCommand extends PagedCommand {
  @Mixin private final UserArgument user = new UserArgument();

  @Option(
      names = "--line",
      description =
          "With --geojson: the device's path as one LineString with its times, instead of points.")
  private boolean line;

  @Override
  void check() throws IOException {
    super.check();
    if (line && !form.isGeoJson()) {
      throw usageError("--line: expected --geojson with it");
    }
    if (line) {
      requireFitsInMemory("leave out --line, and give --all or --oldest-first");
    }
    if (line && all) {
      throw usageError("--line and --all: expected one of them, since a line is held in memory");
    }
  }

  @Override
  RowWriter openRows() throws IOException {
    return line ? form.openLine(out()) : super.openRows();
  }

  @Override
  SightingCursor begin(QuerySession session, TimeRange range, TimeOrder order) throws IOException {
    return session.history().history(user.storedAs(session), range, order);
  }

  @Override
  SightingCursor resume(QuerySession session, String pageToken) throws IOException {
    return session.history().history(user.storedAs(session), pageToken);
  }

  @Override
  String nothing() {
    return "No record of %s in that time".formatted(user.given);
  }
}
