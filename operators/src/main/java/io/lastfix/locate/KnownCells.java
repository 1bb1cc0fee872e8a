package io.lastfix.locate;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the catalogue knows of one (mcc, mnc, cid): its towers in every area and on every radio.
 *
 * @param towers ascending by area, then by radio, so that equal knowledge is equal whatever the
 *     order it came in
 */
record KnownCells(List<TowerInArea> towers) {
  static final KnownCells NONE = new KnownCells(List.of());

  private static final Comparator<TowerInArea> BY_AREA_AND_RADIO =
      Comparator.comparingInt(TowerInArea::area).thenComparing(known -> known.tower().radio());

  /** A tower and the area whose catalogue entry names it. */
  record TowerInArea(int area, Tower tower) {
    /** Whether nothing the record says of its cell speaks against this tower. */
    private boolean suits(LocationRecord record) {
      CellId cell = record.cell();
      Radio radio = record.radio();
      return (!cell.hasArea() || cell.area() == area) && (radio == null || radio == tower.radio());
    }
  }

  KnownCells {
    towers = List.copyOf(towers);
  }

  boolean isEmpty() {
    return towers.isEmpty();
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

  /** This, with all that was known of the entry's area replaced by the entry. */
  KnownCells with(CellEntry entry) {
    int area = entry.cell().area();
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
    return new KnownCells(merged);
  }
}
