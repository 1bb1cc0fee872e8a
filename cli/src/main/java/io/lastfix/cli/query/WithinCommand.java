package io.lastfix.cli.query;

import io.lastfix.cli.output.Row;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.Answer;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.QueryPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix within}: lists the devices last seen in an area. */
@Command(
    name = "within",
    description = "Shows who was last seen in an area, the last one seen first.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:nobody there"})
public final class WithinCommand extends AnswerCommand<Sighting> {
  @Parameters(
      paramLabel = "FILE",
      description =
          "GeoJSON with the area: a Polygon, with holes if need be, or one Feature with it. Its"
              + " edges are the shortest ways between its corners.")
  private Path file;

  private Polygon area;

  WithinCommand() {
    super(Row::of, false);
  }

  @Override
  void check() throws IOException {
    super.check();
    String text = Files.readString(file);
    try {
      area = Polygon.ofGeoJson(text);
    } catch (IllegalArgumentException e) {
      throw usageError(file + ": " + e.getMessage());
    }
  }

  @Override
  Answer<Sighting> ask(LastKnownLocationQueries queries, int limit) {
    return queries.within(area, limit);
  }

  @Override
  QueryPlan explain(LastKnownLocationQueries queries, int limit) {
    return queries.explainWithin(area, limit);
  }

  @Override
  String nobody() {
    return "Nobody was last seen there";
  }
}
