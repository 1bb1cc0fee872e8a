package io.lastfix.cli.query;

import io.lastfix.model.CellId;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.PlaceQuery;
import io.lastfix.store.query.SightingJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix at}: lists the devices last seen in a cell. */
@Command(
    name = "at",
    description = {
      "Shows the devices that were last seen in a cell, the latest first.",
      "'lastfix during' shows the devices that were there in a time range."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no device there"},
    footer = "  lastfix at 311-480-9730-9746689")
public final class AtCommand extends AnswerCommand<Sighting> {
  @Parameters(
      paramLabel = "CELL",
      description = "mcc-mnc-area-cid, or mcc-mnc--cid if records name it without an area.")
  private CellId cell;

  AtCommand() {
    super(it -> SightingJson.of(it, null), false);
  }

  @Override
  PlaceQuery<Sighting> query(LastKnownLocationQueries queries) {
    return queries.at(cell);
  }

  @Override
  String emptyMessage() {
    return "No device was last seen at " + cell;
  }
}
