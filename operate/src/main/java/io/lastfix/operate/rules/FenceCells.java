package io.lastfix.operate.rules;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellEntry;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The cells that the catalogue has in fences.
 *
 * @param config has the catalogue's topic
 */
public record FenceCells(LocationJobConfig config) {
  /**
   * Returns a warning for each fence that is too small for the circles of cells in it, or that was
   * not checked: the catalogue is too large, or the user may lack the right to read it.
   *
   * @param certainties by fence, the least share of a circle that counts as inside
   */
  public List<String> warnings(Map<Fence, Double> certainties) {
    if (certainties.isEmpty()) {
      return List.of();
    }
    CellCatalog cells;
    try {
      cells = CellCatalog.read(config);
    } catch (IOException e) {
      return certainties.keySet().stream()
          .map(fence -> notChecked(fence, String.valueOf(e.getMessage())))
          .toList();
    }
    return warnings(cells, certainties);
  }

  List<String> warnings(CellCatalog cells, Map<Fence, Double> certainties) {
    List<String> warnings = new ArrayList<>();
    certainties.forEach(
        (fence, certainty) -> warning(cells, fence, certainty).ifPresent(warnings::add));
    return warnings;
  }

  private Optional<String> warning(CellCatalog cells, Fence fence, double certainty) {
    FenceShape shape = new FenceShape(fence);
    double[] radii =
        cells
            .entries()
            .map(entry -> radiusIn(shape, entry))
            .flatMapToDouble(OptionalDouble::stream)
            .toArray();
    double most = shape.radiusMeters(certainty);
    long larger = Arrays.stream(radii).filter(meters -> meters > most).count();
    return larger == 0
        ? Optional.empty()
        : Optional.of(
            "The fence %s is too small for %,d of the %,d cells in it: positions at them hardly ever count as inside"
                .formatted(fence.id(), larger, radii.length));
  }

  private static String notChecked(Fence fence, String reason) {
    return "Whether the fence %s is too small for the cells in it is not checked: %s"
        .formatted(fence.id(), reason);
  }

  /** Returns the largest radius of a cell in a fence; empty if it is not there. */
  private OptionalDouble radiusIn(FenceShape fence, CellEntry entry) {
    return entry.towers().stream()
        .map(tower -> tower.versionAt(Long.MAX_VALUE))
        .filter(version -> fence.contains(version.position()))
        .mapToDouble(version -> config.rules().judge().radiusMeters(version.rangeMeters()))
        .max();
  }
}
