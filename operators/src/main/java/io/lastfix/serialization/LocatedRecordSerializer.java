package io.lastfix.serialization;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 2: text user, located. Version 1 is the same, and no record has a range of its
 * cell: a build that reads version 1 only would read beyond a record that has one.
 *
 * @see BinaryFormat
 */
public final class LocatedRecordSerializer extends VersionedSerializer<LocatedRecord> {
  static final int VERSION = 2;

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
