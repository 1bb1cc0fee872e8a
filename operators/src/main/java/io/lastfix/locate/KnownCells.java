package io.lastfix.locate;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the catalogue knows of one (mcc, mnc, cid): its towers in every area and on every radio.
 *
 * <p>Of each area it also knows the revision of the entry that counts, so that an older one that is
 * read later changes nothing. That of a removal stays for a while, too: otherwise an older entry
 * from another partition would bring the cell back.
 *
 * @param towers ascending by area, then by radio, so that equal knowledge is equal whatever the
 *     order it came in
 * @param areas ascending by area: each that has a tower, and each that lost its towers lately
 */
record KnownCells(List<TowerInArea> towers, List<KnownArea> areas) {
  static final KnownCells NONE = new KnownCells(List.of(), List.of());

  private static final Comparator<TowerInArea> BY_AREA_AND_RADIO =
      Comparator.comparingInt(TowerInArea::area).thenComparing(known -> known.tower().radio());

  private static final Comparator<KnownArea> BY_AREA = Comparator.comparingInt(KnownArea::area);

  /** A tower and the area whose catalogue entry names it. */
  record TowerInArea(int area, Tower tower) {
    /** Whether nothing the record says of its cell speaks against this tower. */
    private boolean suits(LocationRecord record) {
      CellId cell = record.cell();
      Radio radio = record.radio();
      return (!cell.hasArea() || cell.area() == area) && (radio == null || radio == tower.radio());
    }
  }

  /**
   * Which entry of an area counts.
   *
   * @param removedMillis when the removal was read, by the clock of whoever read it; {@link
   *     #NOT_REMOVED} where the area has towers
   */
  record KnownArea(int area, Revision revision, long removedMillis) {
    static final long NOT_REMOVED = -1;

    private boolean wasRemovedBefore(long millis) {
      return removedMillis != NOT_REMOVED && removedMillis < millis;
    }
  }

  KnownCells {
    towers = List.copyOf(towers);
    areas = List.copyOf(areas);
  }

  /** Whether nothing is known, not even of a removal. */
  boolean isEmpty() {
    return areas.isEmpty();
  }

  /**
   * How many towers the record may have been heard by. With more than one, its cell is ambiguous.
   */
  int candidates(LocationRecord record) {
    int count = 0;
    // By index here and below: this runs for every record, and an iterator is garbage.
    for (int i = 0; i < towers.size(); i++) {
      if (towers.get(i).suits(record)) {
        count++;
      }
    }
    return count;
  }

  /**
   * Where the record's cell stood at the record's time.
   *
   * @throws IllegalArgumentException if there is no candidate
   */
  Position positionOf(LocationRecord record) {
    for (int i = 0; i < towers.size(); i++) {
      TowerInArea known = towers.get(i);
      if (known.suits(record)) {
        return known.tower().positionAt(record.timestampMillis());
      }
    }
    throw new IllegalArgumentException("record: expected a candidate for " + record.cell());
  }

  /**
   * This, with all that was known of the entry's area replaced by the entry; or just this, if a
   * greater revision is known of the area.
   *
   * @param nowMillis when a removal is read
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

  /** This, without the removals that were read before that. */
  KnownCells withoutRemovalsBefore(long millis) {
    return new KnownCells(
        towers, areas.stream().filter(area -> !area.wasRemovedBefore(millis)).toList());
  }

  /** Only what was removed: as much as is known before any entry of a cell that is there. */
  KnownCells removals() {
    return new KnownCells(
        List.of(),
        areas.stream().filter(area -> area.removedMillis() != KnownArea.NOT_REMOVED).toList());
  }
}
