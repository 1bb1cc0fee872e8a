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
 * version holds from the earliest moment the tower was seen there.
 */
final class TowerHistory {
  private final TreeMap<Long, Position> positions = new TreeMap<>();

  /** Adds what is known already. */
  void addAll(Tower tower) {
    for (CellVersion version : tower.versions()) {
      positions.put(version.validFromMillis(), version.position());
    }
  }

  /** Adds that the tower stood there at that moment, against what was known of the same moment. */
  void add(long updatedMillis, Position position) {
    positions.put(updatedMillis, position);
    Map.Entry<Long, Position> next = positions.higherEntry(updatedMillis);
    if (next != null && next.getValue().equals(position)) {
      positions.remove(next.getKey());
    }
    Map.Entry<Long, Position> previous = positions.lowerEntry(updatedMillis);
    if (previous != null && previous.getValue().equals(position)) {
      positions.remove(updatedMillis);
    }
  }

  Tower toTower(Radio radio) {
    List<CellVersion> versions = new ArrayList<>(positions.size());
    positions.forEach((from, position) -> versions.add(new CellVersion(from, position)));
    return new Tower(radio, versions);
  }
}
