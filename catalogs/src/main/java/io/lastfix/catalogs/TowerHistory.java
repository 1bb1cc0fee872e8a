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
 * The versions of one tower while rows are added: no two neighbours stand at the same place, and a
 * version holds from the earliest moment the tower was seen there. Two places are the same if they
 * are no further apart than the tolerance; the one that was known first then stays, so that a place
 * that creeps makes a version each time it has crept so far.
 */
final class TowerHistory {
  private static final double EARTH_RADIUS_METERS = 6_371_008.8;

  private final TreeMap<Long, Position> positions = new TreeMap<>();
  private final double toleranceMeters;

  /**
   * Without a version.
   *
   * @param toleranceMeters 0 or more; 0: only equal places are the same
   */
  TowerHistory(double toleranceMeters) {
    this.toleranceMeters = toleranceMeters;
  }

  /** Adds what is known already. */
  void addAll(Tower tower) {
    for (CellVersion version : tower.versions()) {
      positions.put(version.validFromMillis(), version.position());
    }
  }

  /** Adds that the tower stood there at that moment, against what was known of the same moment. */
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

  /** Drops the versions that hold for no moment from that one on. */
  void prune(long fromMillis) {
    Long holdsThen = positions.floorKey(fromMillis);
    if (holdsThen != null) {
      positions.headMap(holdsThen).clear();
    }
  }

  private boolean isSame(Position a, Position b) {
    return a.equals(b) || (toleranceMeters > 0 && distanceMeters(a, b) <= toleranceMeters);
  }

  /** On a sphere, by the haversine formula, which is exact for small distances. */
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
