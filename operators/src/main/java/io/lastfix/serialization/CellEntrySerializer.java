package io.lastfix.serialization;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.Tower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: cell, varint number of towers, towers, revision.
 *
 * @see BinaryFormat
 */
public final class CellEntrySerializer extends VersionedSerializer<CellEntry> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  public CellEntrySerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(CellEntry entry, DataOutputView target) throws IOException {
    BinaryFormat.writeCell(entry.cell(), target);
    BinaryFormat.writeVarint(entry.towers().size(), target);
    for (Tower tower : entry.towers()) {
      BinaryFormat.writeTower(tower, target);
    }
    BinaryFormat.writeRevision(entry.revision(), target);
  }

  @Override
  protected CellEntry read(DataInputView source, int version) throws IOException {
    CellId cell = BinaryFormat.readCell(source);
    int count = BinaryFormat.readVarint32(source);
    List<Tower> towers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      towers.add(BinaryFormat.readTower(source));
    }
    return new CellEntry(cell, towers, BinaryFormat.readRevision(source));
  }

  @Override
  public CellEntry createInstance() {
    return new CellEntry(new CellId(0, 0, 0, 0), List.of());
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<CellEntry> {
    /** Called by Flink. */
    public Snapshot() {
      super(CellEntrySerializer::new);
    }
  }
}
