package io.lastfix.cli.query;

import io.lastfix.cli.common.QuerySession;
import io.lastfix.model.CellId;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix during}: lists the devices in a cell within a time range. */
@Command(
    name = "during",
    description = {
      "Shows who was in a cell over a time, sighting by sighting, oldest first; where there is more"
          + " than --limit, the newest of it.",
      "Without the index history.cell-index all records of that time are read."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:nobody there in that time"})
public final class DuringCommand extends PagedCommand {
  @Parameters(
      paramLabel = "CELL",
      converter = CellConverter.class,
      description = "mcc-mnc-area-cid, or mcc-mnc--cid where records name it without an area.")
  private CellId cell;

  @Override
  SightingCursor begin(QuerySession session, TimeRange range, TimeOrder order) throws IOException {
    return session.history().during(cell, range, order);
  }

  @Override
  SightingCursor resume(QuerySession session, String pageToken) throws IOException {
    return session.history().during(cell, pageToken);
  }

  @Override
  String nothing() {
    return "Nobody known at %s in that time".formatted(cell);
  }
}
