package io.lastfix.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SightingsTest {
  private static final Sighting LOCATED =
      new Sighting(
          "350000000007919",
          Instant.parse("2026-11-20T12:00:01.001Z"),
          "234-10-4021-20911362",
          new Position(-0.1276, 51.5072));
  private static final Sighting UNLOCATED =
      new Sighting(LOCATED.user(), LOCATED.timestamp(), LOCATED.cell(), null);

  @Test
  void jsonHasTheShapeOfTheDocuments() {
    assertThat(Sightings.toJson(LOCATED))
        .hasToString(
            "{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:01.001Z\","
                + "\"cell\":\"234-10-4021-20911362\",\"loc\":{\"lon\":-0.1276,\"lat\":51.5072}}");
  }

  @Test
  void jsonOfAnUnknownCellHasNoLoc() {
    assertThat(Sightings.toJson(UNLOCATED).has("loc")).isFalse();
  }

  @Test
  void theTableSaysUnknownWhereThereIsNoPosition() {
    assertThat(Sightings.toTable(List.of(LOCATED, UNLOCATED)).lines())
        .containsExactly(
            "USER             TIME (UTC)                LATITUDE   LONGITUDE  CELL",
            "350000000007919  2026-11-20T12:00:01.001Z  51.507200  -0.127600  234-10-4021-20911362",
            "350000000007919  2026-11-20T12:00:01.001Z  unknown    unknown   "
                + " 234-10-4021-20911362");
  }

  @Test
  void theTableIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(Sightings.toTable(List.of(LOCATED))).contains("51.507200");
    } finally {
      Locale.setDefault(before);
    }
  }
}
