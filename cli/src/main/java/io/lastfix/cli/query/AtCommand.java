package io.lastfix.cli.query;

import io.lastfix.cli.output.Row;
import io.lastfix.model.CellId;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.Answer;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix at}: lists the devices last seen in a cell. */
@Command(
    name = "at",
    description = {
      "Shows who was last seen in a cell, the last one first.",
      "Who was there over a time is what 'lastfix during' shows."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:nobody there"})
public final class AtCommand extends AnswerCommand<Sighting> {
  @Parameters(
      paramLabel = "CELL",
      converter = CellConverter.class,
      description = "mcc-mnc-area-cid, or mcc-mnc--cid where records name it without an area.")
  private CellId cell;

  AtCommand() {
    super(Row::of, false);
  }

  @Override
  Answer<Sighting> ask(LastKnownLocationQueries queries, int limit) {
    return queries.at(cell, limit);
  }

  @Override
  QueryPlan explain(LastKnownLocationQueries queries, int limit) {
    return queries.explainAt(cell, limit);
  }

  @Override
  String nobody() {
    return "Nobody was last seen at " + cell;
  }
}
