package io.lastfix.cli.query;

import io.lastfix.model.Position;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.NewestPosition;
import io.lastfix.store.query.PlaceQuery;
import io.lastfix.store.query.SightingJson;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix near}: lists the devices last seen near a place. */
@Command(
    name = "near",
    description = "Shows the devices that were last seen near a place, the nearest first.",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no device there"},
    footer = "  lastfix near --lat 37.787 --lon -122.43 --radius 500m")
public final class NearCommand extends AnswerCommand<Neighbour> {
  @Option(
      names = "--lat",
      paramLabel = "DEGREES",
      required = true,
      description = "The place's latitude, -90 to 90, WGS 84.")
  private double latitude;

  @Option(
      names = "--lon",
      paramLabel = "DEGREES",
      required = true,
      description = "The place's longitude, -180 to 180.")
  private double longitude;

  @Option(
      names = "--radius",
      paramLabel = "DISTANCE",
      defaultValue = "1km",
      converter = MetersConverter.class,
      description = "Maximum distance in metres, or as 500m or 2.5km (default: ${DEFAULT-VALUE}).")
  private double radiusMeters;

  @Option(names = "--fix", description = FIX)
  private boolean fix;

  NearCommand() {
    super(it -> SightingJson.of(it.sighting(), it.distanceMeters()), true);
  }

  @Override
  void check() throws IOException {
    super.check();
    var unused = accepted("--", this::place);
    if (!(radiusMeters > 0 && radiusMeters <= LastKnownLocationQueries.FARTHEST_METERS)) {
      throw usageError(
          "--radius: expected more than 0 m, up to %d km, found %s m"
              .formatted((long) LastKnownLocationQueries.FARTHEST_METERS / 1000, radiusMeters));
    }
  }

  private Position place() {
    return new Position(longitude, latitude);
  }

  @Override
  PlaceQuery<Neighbour> query(LastKnownLocationQueries queries) {
    return queries.near(NewestPosition.of(fix), place(), radiusMeters);
  }

  @Override
  String emptyMessage() {
    return "No device was last seen there";
  }
}
