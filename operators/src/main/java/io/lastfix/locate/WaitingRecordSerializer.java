package io.lastfix.locate;

import io.lastfix.model.LocationRecord;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.LocationRecordSerializer;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: record, zigzag stream timestamp, zigzag deadline, varint arrival.
 *
 * @see BinaryFormat
 */
final class WaitingRecordSerializer extends VersionedSerializer<WaitingRecord> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  WaitingRecordSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(WaitingRecord waiting, DataOutputView target) throws IOException {
    BinaryFormat.writeRecord(waiting.record(), target);
    BinaryFormat.writeZigzag(waiting.streamTimestampMillis(), target);
    BinaryFormat.writeZigzag(waiting.deadlineMillis(), target);
    BinaryFormat.writeVarint(waiting.arrival(), target);
  }

  @Override
  protected WaitingRecord read(DataInputView source, int version) throws IOException {
    LocationRecord record = BinaryFormat.readRecord(source);
    long streamTimestampMillis = BinaryFormat.readZigzag(source);
    long deadlineMillis = BinaryFormat.readZigzag(source);
    return new WaitingRecord(
        record, streamTimestampMillis, deadlineMillis, BinaryFormat.readVarint(source));
  }

  @Override
  public WaitingRecord createInstance() {
    return new WaitingRecord(new LocationRecordSerializer().createInstance(), 0, 0, 0);
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<WaitingRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(WaitingRecordSerializer::new);
    }
  }
}
