package io.lastfix.operate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import io.lastfix.rules.fence.Fence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FenceCellsTest {
  private static final Position CENTER = new Position(-122.388, 37.6155);

  private static Fence fence(String id, double radiusMeters) {
    return new Fence(id, new Fence.Circle(CENTER, radiusMeters));
  }

  private static CellEntry cell(int id, int rangeMeters) {
    return new CellEntry(
        new CellId(310, 410, 7, id),
        List.of(new Tower(Radio.LTE, List.of(new CellVersion(0, CENTER, rangeMeters)))));
  }

  @Test
  void eachFenceThatIsTooSmallForACellIsNamed() {
    CellCatalog catalog = new CellCatalog();
    catalog.put(cell(1, 1_000));
    catalog.put(cell(2, 9_000));
    Map<Fence, Double> certainties = new LinkedHashMap<>();
    certainties.put(fence("depot", 500), 0.5);
    certainties.put(fence("region", 50_000), 0.5);
    certainties.put(fence("yard", 1_500), 0.5);

    assertThat(
            new FenceCells(LocationJobConfig.load(null, List.of(), name -> null))
                .warnings(catalog, certainties))
        .containsExactly(
            "The fence depot is too small for 2 of the 2 cells in it: positions at them hardly"
                + " ever count as inside",
            "The fence yard is too small for 1 of the 2 cells in it: positions at them hardly"
                + " ever count as inside");
  }
}
