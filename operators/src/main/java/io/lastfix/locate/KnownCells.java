package io.lastfix.locate;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The known catalogue entries of one (mcc, mnc, cid): its towers in every area and on every radio.
 *
 * <p>For each area it stores the revision of the winning entry, so that an older entry read later
 * changes nothing. It keeps the revision of a removal for a while too: otherwise an older entry
 * from another partition would bring the cell back.
 *
 * @param towers ascending by area, then by radio, so that equality does not depend on the order of
 *     arrival; without positions at (0, 0). Both lists are taken over, not copied
 * @param areas ascending by area: every area that has a tower or recently lost its towers
 */
record KnownCells(List<TowerInArea> towers, List<KnownArea> areas) {
  static final KnownCells NONE = new KnownCells(List.of(), List.of());

  private static final Comparator<TowerInArea> BY_AREA_AND_RADIO =
      Comparator.comparingInt(TowerInArea::area).thenComparing(known -> known.tower().radio());

  private static final Comparator<KnownArea> BY_AREA = Comparator.comparingInt(KnownArea::area);

  /** A tower and the area whose catalogue entry contains it. */
  record TowerInArea(int area, Tower tower) {
    /**
     * Returns true if the record's area and radio, if given, match this tower. A cid that marks an
     * unknown cell matches only with its area: a tower of any area can have such a cid.
     */
    private boolean suits(LocationRecord record) {
      CellId cell = Objects.requireNonNull(record.cell(), "cell");
      Radio radio = record.radio();
      return (cell.hasArea() ? cell.area() == area : !cell.cidMarksUnknown())
          && (radio == null || radio == tower.radio());
    }
  }

  /**
   * The winning entry of an area.
   *
   * @param removedMillis when a subtask read the removal, by that subtask's clock, in milliseconds
   *     since 1970; {@link #NOT_REMOVED} if the area has towers
   */
  record KnownArea(int area, Revision revision, long removedMillis) {
    static final long NOT_REMOVED = -1;

    private boolean wasRemovedBefore(long millis) {
      return removedMillis != NOT_REMOVED && removedMillis < millis;
    }
  }

  KnownCells {
    towers = positioned(towers);
  }

  /**
   * A catalogue may contain towers at (0, 0). Where it does not, this copies nothing: RocksDB makes
   * a new object for each record.
   */
  private static List<TowerInArea> positioned(List<TowerInArea> towers) {
    List<TowerInArea> positioned = towers;
    for (int i = towers.size() - 1; i >= 0; i--) {
      TowerInArea known = towers.get(i);
      Tower tower = known.tower().positioned();
      if (!known.tower().equals(tower)) {
        positioned = positioned == towers ? new ArrayList<>(towers) : positioned;
        positioned.remove(i);
        if (tower != null) {
          positioned.add(i, new TowerInArea(known.area(), tower));
        }
      }
    }
    return positioned;
  }

  /** Returns true if there are neither towers nor removals. */
  boolean isEmpty() {
    return areas.isEmpty();
  }

  /** Returns the number of matching towers. With more than one, the record's cell is ambiguous. */
  int candidates(LocationRecord record) {
    int count = 0;
    // By index here and below: this runs for every record, and an iterator would be garbage.
    for (int i = 0; i < towers.size(); i++) {
      if (towers.get(i).suits(record)) {
        count++;
      }
    }
    return count;
  }

  /**
   * Returns the version of the record's cell that is valid at the record's timestamp.
   *
   * @throws IllegalArgumentException if no tower matches
   */
  CellVersion versionOf(LocationRecord record) {
    for (int i = 0; i < towers.size(); i++) {
      TowerInArea known = towers.get(i);
      if (known.suits(record)) {
        return known.tower().versionAt(record.timestampMillis());
      }
    }
    throw new IllegalArgumentException("record: expected a candidate for " + record.cell());
  }

  /**
   * Returns a copy in which the entry replaces the known entry of its area; returns this if the
   * area's known revision is greater.
   *
   * @param nowMillis current time, stored if the entry is a removal
   */
  KnownCells with(CellEntry entry, long nowMillis) {
    int area = entry.cell().area();
    List<KnownArea> mergedAreas = new ArrayList<>(areas.size() + 1);
    for (KnownArea known : areas) {
      if (known.area() != area) {
        mergedAreas.add(known);
      } else if (known.revision().compareTo(entry.revision()) > 0) {
        return this;
      }
    }
    long removedMillis = entry.towers().isEmpty() ? nowMillis : KnownArea.NOT_REMOVED;
    mergedAreas.add(new KnownArea(area, entry.revision(), removedMillis));
    mergedAreas.sort(BY_AREA);
    List<TowerInArea> merged = new ArrayList<>(towers.size() + entry.towers().size());
    for (TowerInArea known : towers) {
      if (known.area() != area) {
        merged.add(known);
      }
    }
    for (Tower tower : entry.towers()) {
      merged.add(new TowerInArea(area, tower));
    }
    merged.sort(BY_AREA_AND_RADIO);
    return new KnownCells(merged, mergedAreas);
  }

  /** Returns a copy without the removals read before that instant. */
  KnownCells withoutRemovalsBefore(long millis) {
    return new KnownCells(
        towers, areas.stream().filter(area -> !area.wasRemovedBefore(millis)).toList());
  }

  /** Returns a copy with the removals only, without any cell. */
  KnownCells removals() {
    return new KnownCells(
        List.of(),
        areas.stream().filter(area -> area.removedMillis() != KnownArea.NOT_REMOVED).toList());
  }
}
