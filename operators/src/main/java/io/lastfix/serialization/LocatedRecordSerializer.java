package io.lastfix.serialization;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, place, zigzag timestamp, 1 byte of flags (1: cell's position, 2:
 * far), the cell's position if there is one.
 *
 * @see BinaryFormat
 */
public final class LocatedRecordSerializer extends VersionedSerializer<LocatedRecord> {
  static final int VERSION = 1;

  private static final int CELL_POSITION = 1;
  private static final int FAR = 2;

  /** Reads the newest version. */
  public LocatedRecordSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(LocatedRecord record, DataOutputView target) throws IOException {
    BinaryFormat.writeText(record.user(), target);
    BinaryFormat.writePlace(record.place(), target);
    BinaryFormat.writeZigzag(record.timestampMillis(), target);
    Position cellPosition = record.cellPosition();
    target.writeByte((cellPosition == null ? 0 : CELL_POSITION) | (record.isFar() ? FAR : 0));
    if (cellPosition != null) {
      BinaryFormat.writePosition(cellPosition, target);
    }
  }

  @Override
  protected LocatedRecord read(DataInputView source, int version) throws IOException {
    String user = BinaryFormat.readText(source);
    Place place = BinaryFormat.readPlace(source);
    long timestampMillis = BinaryFormat.readZigzag(source);
    int flags = source.readByte();
    Position cellPosition = (flags & CELL_POSITION) == 0 ? null : BinaryFormat.readPosition(source);
    return new LocatedRecord(user, place, timestampMillis, cellPosition, (flags & FAR) != 0);
  }

  @Override
  public LocatedRecord createInstance() {
    return new LocatedRecord("-", new CellId(0, 0, 0, 0), 0, null);
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LocatedRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(LocatedRecordSerializer::new);
    }
  }
}
