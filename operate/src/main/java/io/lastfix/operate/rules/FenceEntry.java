package io.lastfix.operate.rules;

import io.lastfix.rules.fence.Fence;

/**
 * A fence as it is printed.
 *
 * @param shape in a few words
 */
public record FenceEntry(String fence, long version, String shape) {
  static FenceEntry of(Fence fence, long version) {
    return new FenceEntry(fence.id(), version, shape(fence.area()));
  }

  private static String shape(Fence.Area area) {
    if (area instanceof Fence.Circle circle) {
      return "circle of %.0f m".formatted(circle.radiusMeters());
    }
    Fence.Polygons polygons = (Fence.Polygons) area;
    return polygons.list().size() == 1
        ? "polygon of %d positions".formatted(area.positions())
        : "%d polygons of %d positions".formatted(polygons.list().size(), area.positions());
  }
}
