package io.lastfix.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.SightingJson;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
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

  private static String table(Sighting... sightings) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    TableRows rows = new TableRows(out, false);
    for (Sighting sighting : sightings) {
      rows.write(SightingJson.of(sighting, null));
    }
    rows.finish(JsonNodeFactory.instance.objectNode());
    out.flush();
    return text.toString();
  }

  @Test
  void theTableSaysUnknownWhereThereIsNoPosition() {
    assertThat(table(LOCATED, UNLOCATED, fix(null)).lines())
        .containsExactly(
            "USER             TIME (UTC)                LATITUDE   LONGITUDE  SOURCE  ACCURACY (M)"
                + "  CELL",
            "350000000007919  2026-11-20T12:00:01.001Z  51.507200  -0.127600  cell    -           "
                + "  234-10-4021-20911362",
            "350000000007919  2026-11-20T12:00:01.001Z  unknown    unknown    -       -           "
                + "  234-10-4021-20911362",
            "350000000007919  2026-11-20T11:59:00Z      51.510000  -0.130000  gnss    6.5         "
                + "  -");
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

  @Test
  void theTableIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(table(LOCATED)).contains("51.507200");
    } finally {
      Locale.setDefault(before);
    }
  }
}
