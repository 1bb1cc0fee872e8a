package io.lastfix.catalogs;

import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The versions of one tower while rows are added. Neighbouring versions always differ in position,
 * and a version is valid from the earliest instant the tower was seen there.
 *
 * <p>Two positions are the same if they are no further apart than the tolerance; the first known
 * position then stays. A slowly drifting position therefore adds a version each time it has moved
 * further than the tolerance.
 */
final class TowerHistory {
  private static final double EARTH_RADIUS_METERS = 6_371_008.8;

  private final TreeMap<Long, Position> positions = new TreeMap<>();
  private final double toleranceMeters;

  /**
   * Creates a history without versions.
   *
   * @param toleranceMeters tolerance in metres, 0 or more; 0: only equal positions are the same
   */
  TowerHistory(double toleranceMeters) {
    this.toleranceMeters = toleranceMeters;
  }

  /** Adds the known versions of the tower. */
  void addAll(Tower tower) {
    for (CellVersion version : tower.versions()) {
      positions.put(version.validFromMillis(), version.position());
    }
  }

  /**
   * Adds the tower's position at an instant; it replaces the known position of the same instant.
   */
  void add(long updatedMillis, Position position) {
    Position known = positions.get(updatedMillis);
    if (known != null && isSame(known, position)) {
      return;
    }
    positions.remove(updatedMillis);
    Map.Entry<Long, Position> previous = positions.lowerEntry(updatedMillis);
    Map.Entry<Long, Position> next = positions.higherEntry(updatedMillis);
    if (previous != null && isSame(previous.getValue(), position)) {
      if (next != null && isSame(previous.getValue(), next.getValue())) {
        positions.remove(next.getKey());
      }
    } else if (next != null && isSame(next.getValue(), position)) {
      positions.remove(next.getKey());
      positions.put(updatedMillis, next.getValue());
    } else {
      positions.put(updatedMillis, position);
    }
  }

  /** Removes the versions that end at or before that instant. */
  void prune(long fromMillis) {
    Long holdsThen = positions.floorKey(fromMillis);
    if (holdsThen != null) {
      positions.headMap(holdsThen).clear();
    }
  }

  private boolean isSame(Position a, Position b) {
    return a.equals(b) || (toleranceMeters > 0 && distanceMeters(a, b) <= toleranceMeters);
  }

  /**
   * Returns the distance on a sphere by the haversine formula, which is exact for small distances.
   */
  private static double distanceMeters(Position a, Position b) {
    double latA = Math.toRadians(a.lat());
    double latB = Math.toRadians(b.lat());
    double sinLat = Math.sin((latB - latA) / 2);
    double sinLon = Math.sin(Math.toRadians(b.lon() - a.lon()) / 2);
    double h = sinLat * sinLat + Math.cos(latA) * Math.cos(latB) * sinLon * sinLon;
    return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)));
  }

  Tower toTower(Radio radio) {
    List<CellVersion> versions = new ArrayList<>(positions.size());
    positions.forEach((from, position) -> versions.add(new CellVersion(from, position)));
    return new Tower(radio, versions);
  }
}
