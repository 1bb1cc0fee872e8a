package io.lastfix.analytics.distinct;

import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: varint number of records, for each: zigzag timestamp less the one before
 * (the first: less 0), 8 bytes of hash.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
final class RecentRecordsSerializer extends VersionedSerializer<RecentRecords> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  RecentRecordsSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(RecentRecords records, DataOutputView target) throws IOException {
    writeVarint(records.size(), target);
    long before = 0;
    for (int i = 0; i < records.size(); i++) {
      writeZigzag(records.timestamp(i) - before, target);
      target.writeLong(records.hash(i));
      before = records.timestamp(i);
    }
  }

  @Override
  protected RecentRecords read(DataInputView source, int version) throws IOException {
    int size = readVarint32(source);
    long[] timestamps = new long[size];
    long[] hashes = new long[size];
    long before = 0;
    for (int i = 0; i < size; i++) {
      before += readZigzag(source);
      timestamps[i] = before;
      hashes[i] = source.readLong();
    }
    return new RecentRecords(timestamps, hashes, size);
  }

  @Override
  protected RecentRecords copyOf(RecentRecords records) {
    return records.copy();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public RecentRecords createInstance() {
    return new RecentRecords();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<RecentRecords> {
    /** Called by Flink. */
    public Snapshot() {
      super(RecentRecordsSerializer::new);
    }
  }
}
