package io.lastfix.locate;

import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: varint number of towers, for each: varint area, tower.
 *
 * @see BinaryFormat
 */
final class KnownCellsSerializer extends VersionedSerializer<KnownCells> {
  static final int VERSION = 1;

  /** For the newest version. */
  KnownCellsSerializer() {
    this(VERSION);
  }

  private KnownCellsSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(KnownCells known, DataOutputView target) throws IOException {
    BinaryFormat.writeVarint(known.towers().size(), target);
    for (KnownCells.TowerInArea towerInArea : known.towers()) {
      BinaryFormat.writeVarint(towerInArea.area(), target);
      BinaryFormat.writeTower(towerInArea.tower(), target);
    }
  }

  @Override
  protected KnownCells read(DataInputView source, int version) throws IOException {
    int count = BinaryFormat.readVarint32(source);
    List<KnownCells.TowerInArea> towers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int area = BinaryFormat.readVarint32(source);
      towers.add(new KnownCells.TowerInArea(area, BinaryFormat.readTower(source)));
    }
    return new KnownCells(towers);
  }

  @Override
  public KnownCells createInstance() {
    return KnownCells.NONE;
  }

  @Override
  public TypeSerializerSnapshot<KnownCells> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Named in savepoints: keep its name. */
  public static final class Snapshot extends VersionedSnapshot<KnownCells> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, KnownCellsSerializer::new);
    }
  }
}
