package io.lastfix.serialization;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: record (text user, place, zigzag timestamp).
 *
 * @see BinaryFormat
 */
public final class LocationRecordSerializer extends VersionedSerializer<LocationRecord> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  public LocationRecordSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(LocationRecord record, DataOutputView target) throws IOException {
    BinaryFormat.writeRecord(record, target);
  }

  @Override
  protected LocationRecord read(DataInputView source, int version) throws IOException {
    return BinaryFormat.readRecord(source);
  }

  @Override
  public LocationRecord createInstance() {
    return new LocationRecord("-", new CellId(0, 0, 0, 0), null, 0);
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LocationRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(LocationRecordSerializer::new);
    }
  }
}
