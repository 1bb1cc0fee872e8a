package io.lastfix.serialization;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, located (place, zigzag timestamp, 1 byte of flags, the cell's
 * position if there is one).
 *
 * @see BinaryFormat
 */
public final class LocatedRecordSerializer extends VersionedSerializer<LocatedRecord> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  public LocatedRecordSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(LocatedRecord record, DataOutputView target) throws IOException {
    BinaryFormat.writeText(record.user(), target);
    BinaryFormat.writeLocated(record, target);
  }

  @Override
  protected LocatedRecord read(DataInputView source, int version) throws IOException {
    return BinaryFormat.readLocated(BinaryFormat.readText(source), source);
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
