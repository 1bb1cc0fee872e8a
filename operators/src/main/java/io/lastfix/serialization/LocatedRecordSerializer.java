package io.lastfix.serialization;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, cell, zigzag timestamp, 1 byte 1 and position, or 1 byte 0.
 *
 * @see BinaryFormat
 */
public final class LocatedRecordSerializer extends VersionedSerializer<LocatedRecord> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  public LocatedRecordSerializer() {
    this(VERSION);
  }

  private LocatedRecordSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(LocatedRecord record, DataOutputView target) throws IOException {
    BinaryFormat.writeText(record.user(), target);
    BinaryFormat.writeCell(record.cell(), target);
    BinaryFormat.writeZigzag(record.timestampMillis(), target);
    Position position = record.position();
    target.writeBoolean(position != null);
    if (position != null) {
      BinaryFormat.writePosition(position, target);
    }
  }

  @Override
  protected LocatedRecord read(DataInputView source, int version) throws IOException {
    String user = BinaryFormat.readText(source);
    CellId cell = BinaryFormat.readCell(source);
    long timestampMillis = BinaryFormat.readZigzag(source);
    Position position = source.readBoolean() ? BinaryFormat.readPosition(source) : null;
    return new LocatedRecord(user, cell, timestampMillis, position);
  }

  @Override
  public LocatedRecord createInstance() {
    return new LocatedRecord("-", new CellId(0, 0, 0, 0), 0, null);
  }

  @Override
  public TypeSerializerSnapshot<LocatedRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LocatedRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, LocatedRecordSerializer::new);
    }
  }
}
