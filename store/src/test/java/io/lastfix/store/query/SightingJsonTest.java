package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SightingJsonTest {
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
    assertThat(SightingJson.of(new LastKnownLocation(LOCATED, null)))
        .hasToString(
            "{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:01.001Z\","
                + "\"cell\":\"234-10-4021-20911362\",\"loc\":{\"lon\":-0.1276,\"lat\":51.5072},"
                + "\"src\":\"cell\"}");
  }

  @Test
  void jsonOfANewerTowerKeepsItsFieldsInPlaceAndHasTheFixBesideThem() {
    assertThat(SightingJson.of(new LastKnownLocation(LOCATED, fix(null))))
        .hasToString(
            "{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:01.001Z\","
                + "\"cell\":\"234-10-4021-20911362\",\"loc\":{\"lon\":-0.1276,\"lat\":51.5072},"
                + "\"src\":\"cell\",\"fix\":{\"ts\":\"2026-11-20T11:59:00Z\",\"cell\":null,"
                + "\"loc\":{\"lon\":-0.13,\"lat\":51.51},\"src\":\"gnss\",\"acc\":6.5}}");
  }

  @Test
  void jsonOfADeviceWhoseNewestIsItsFixHasItInBothPlaces() {
    ObjectNode json = SightingJson.of(new LastKnownLocation(fix("1-1-1-1"), fix("1-1-1-1")));

    assertThat(json.get("src").asText()).isEqualTo("gnss");
    assertThat(json.remove("user").asText()).isEqualTo(LOCATED.user());
    assertThat(json.remove("fix")).isEqualTo(json);
  }

  @Test
  void jsonOfAnUnknownCellHasNeitherLocNorSource() {
    assertThat(SightingJson.of(UNLOCATED, null).properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("user", "ts", "cell");
  }

  private static Sighting fix(@Nullable String cell) {
    return new Sighting(
        LOCATED.user(),
        Instant.parse("2026-11-20T11:59:00Z"),
        cell,
        new Position(-0.13, 51.51),
        PositionSource.GNSS,
        6.5,
        null,
        null,
        false,
        null);
  }
}
