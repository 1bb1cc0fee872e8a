package io.lastfix.locate;

import io.lastfix.locate.KnownCells.KnownArea;
import io.lastfix.locate.KnownCells.TowerInArea;
import io.lastfix.model.Revision;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: varint number of areas, for each: varint area, revision, varint milliseconds
 * of the removal + 1, varint number of towers, towers.
 *
 * @see BinaryFormat
 */
final class KnownCellsSerializer extends VersionedSerializer<KnownCells> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  KnownCellsSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(KnownCells known, DataOutputView target) throws IOException {
    BinaryFormat.writeVarint(known.areas().size(), target);
    // Both lists ascend by area.
    int next = 0;
    for (KnownArea area : known.areas()) {
      int end = next;
      while (end < known.towers().size() && known.towers().get(end).area() == area.area()) {
        end++;
      }
      BinaryFormat.writeVarint(area.area(), target);
      BinaryFormat.writeRevision(area.revision(), target);
      BinaryFormat.writeVarint(area.removedMillis() + 1, target);
      BinaryFormat.writeVarint(end - next, target);
      for (; next < end; next++) {
        BinaryFormat.writeTower(known.towers().get(next).tower(), target);
      }
    }
  }

  @Override
  protected KnownCells read(DataInputView source, int version) throws IOException {
    int count = BinaryFormat.readVarint32(source);
    List<KnownArea> areas = new ArrayList<>(count);
    List<TowerInArea> towers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int area = BinaryFormat.readVarint32(source);
      Revision revision = BinaryFormat.readRevision(source);
      areas.add(new KnownArea(area, revision, BinaryFormat.readVarint(source) - 1));
      int towersOfArea = BinaryFormat.readVarint32(source);
      for (int t = 0; t < towersOfArea; t++) {
        towers.add(new TowerInArea(area, BinaryFormat.readTower(source)));
      }
    }
    return new KnownCells(towers, areas);
  }

  @Override
  public KnownCells createInstance() {
    return KnownCells.NONE;
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<KnownCells> {
    /** Called by Flink. */
    public Snapshot() {
      super(KnownCellsSerializer::new);
    }
  }
}
