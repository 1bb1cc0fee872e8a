package io.lastfix.cli.query;

import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.NewestPosition;
import io.lastfix.store.query.PlaceQuery;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.SightingJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix within}: lists the devices last seen in an area. */
@Command(
    name = "within",
    description = "Shows the devices that were last seen in an area, the latest first.",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no device there"},
    footer = "  lastfix within area.geojson")
public final class WithinCommand extends AnswerCommand<Sighting> {
  @Parameters(
      paramLabel = "FILE",
      description =
          "GeoJSON with the area: a Polygon, with or without holes, or one Feature with it. Its"
              + " edges are the shortest lines between its corners.")
  private Path file;

  private Polygon area;

  @Option(names = "--fix", description = FIX)
  private boolean fix;

  WithinCommand() {
    super(it -> SightingJson.of(it, null), false);
  }

  @Override
  void check() throws IOException {
    super.check();
    String text = Files.readString(file);
    area = accepted(file + ": ", () -> Polygon.ofGeoJson(text));
  }

  @Override
  PlaceQuery<Sighting> query(LastKnownLocationQueries queries) {
    return queries.within(NewestPosition.of(fix), area);
  }

  @Override
  String emptyMessage() {
    return "No device was last seen there";
  }
}
