package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: zigzag timestamp, 8 and 4 bytes of hash, 1 byte of flags (1: cell, 2: area),
 * text cell, text area.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
final class TimelineRecordSerializer extends VersionedSerializer<TimelineRecord> {
  static final int VERSION = 1;

  private static final int CELL = 1;
  private static final int AREA = 2;

  /** Reads the newest version. */
  TimelineRecordSerializer() {
    this(VERSION);
  }

  private TimelineRecordSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(TimelineRecord value, DataOutputView target) throws IOException {
    String cell = value.cell();
    String area = value.area();
    writeZigzag(value.timestampMillis(), target);
    target.writeLong(value.hashHigh());
    target.writeInt(value.hashLow());
    target.writeByte((cell == null ? 0 : CELL) | (area == null ? 0 : AREA));
    if (cell != null) {
      writeText(cell, target);
    }
    if (area != null) {
      writeText(area, target);
    }
  }

  @Override
  protected TimelineRecord read(DataInputView source, int version) throws IOException {
    long timestampMillis = readZigzag(source);
    long hashHigh = source.readLong();
    int hashLow = source.readInt();
    int flags = source.readByte();
    String cell = (flags & CELL) == 0 ? null : readText(source);
    String area = (flags & AREA) == 0 ? null : readText(source);
    return new TimelineRecord(timestampMillis, hashHigh, hashLow, cell, area);
  }

  @Override
  public TimelineRecord createInstance() {
    return new TimelineRecord(0, 0, 0, null, null);
  }

  @Override
  public TypeSerializerSnapshot<TimelineRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<TimelineRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, TimelineRecordSerializer::new);
    }
  }
}
