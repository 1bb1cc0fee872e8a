package io.lastfix.cli.query;

import io.lastfix.model.CellId;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix during}: lists the devices in a cell, or all, within a time range. */
@Command(
    name = "during",
    description = {
      "Shows the devices that were in a cell in a time range, sighting by sighting, oldest"
          + " first. If there are more than --limit, it shows the newest. Without CELL it shows"
          + " all devices.",
      "Without the index history.cell-index the server reads all records of that time."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no device there in that time"},
    footer = "  lastfix during 311-480-9730-9746689 --from 2008-05-25 --to 2008-05-26")
public final class DuringCommand extends PagedCommand {
  @Parameters(
      paramLabel = "CELL",
      arity = "0..1",
      description = "mcc-mnc-area-cid, or mcc-mnc--cid if records name it without an area.")
  private @Nullable CellId cell;

  @Override
  SightingCursor begin(QuerySession session, TimeRange range, TimeOrder order) throws IOException {
    HistoryQueries history = session.history();
    return cell == null ? history.during(range, order) : history.during(cell, range, order);
  }

  @Override
  SightingCursor resume(QuerySession session, String pageToken) throws IOException {
    HistoryQueries history = session.history();
    return cell == null ? history.during(pageToken) : history.during(cell, pageToken);
  }

  @Override
  String nothing() {
    return cell == null
        ? "No device has a record of that time"
        : "No device was at %s in that time".formatted(cell);
  }
}
