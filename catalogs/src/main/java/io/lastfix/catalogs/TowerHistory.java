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
 * further than the tolerance. A version's range is the greatest that was seen with it.
 */
final class TowerHistory {
  private final TreeMap<Long, Site> sites = new TreeMap<>();
  private final double toleranceMeters;

  /** Where the tower stands, and how far it is heard in metres; 0: unknown. */
  record Site(Position position, int rangeMeters) {
    private Site heardAsFarAs(Site other) {
      return other.rangeMeters <= rangeMeters ? this : new Site(position, other.rangeMeters);
    }
  }

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
      sites.put(version.validFromMillis(), new Site(version.position(), version.rangeMeters()));
    }
  }

  /** Adds the tower's site at an instant; it replaces the known site of the same instant. */
  void add(long updatedMillis, Site site) {
    Site known = sites.get(updatedMillis);
    if (known != null && isSame(known, site)) {
      sites.put(updatedMillis, known.heardAsFarAs(site));
      return;
    }
    sites.remove(updatedMillis);
    Map.Entry<Long, Site> previous = sites.lowerEntry(updatedMillis);
    Map.Entry<Long, Site> next = sites.higherEntry(updatedMillis);
    if (previous != null && isSame(previous.getValue(), site)) {
      Site merged = previous.getValue().heardAsFarAs(site);
      if (next != null && isSame(previous.getValue(), next.getValue())) {
        sites.remove(next.getKey());
        merged = merged.heardAsFarAs(next.getValue());
      }
      sites.put(previous.getKey(), merged);
    } else if (next != null && isSame(next.getValue(), site)) {
      sites.remove(next.getKey());
      sites.put(updatedMillis, next.getValue().heardAsFarAs(site));
    } else {
      sites.put(updatedMillis, site);
    }
  }

  /** Removes the versions that end at or before that instant. */
  void prune(long fromMillis) {
    Long holdsThen = sites.floorKey(fromMillis);
    if (holdsThen != null) {
      sites.headMap(holdsThen).clear();
    }
  }

  private boolean isSame(Site a, Site b) {
    return a.position.equals(b.position)
        || (toleranceMeters > 0 && a.position.metersTo(b.position) <= toleranceMeters);
  }

  Tower toTower(Radio radio) {
    List<CellVersion> versions = new ArrayList<>(sites.size());
    sites.forEach(
        (from, site) -> versions.add(new CellVersion(from, site.position, site.rangeMeters)));
    return new Tower(radio, versions);
  }
}
