package io.lastfix.locate;

import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: varint count, zigzag timer.
 *
 * @see BinaryFormat
 */
final class WaitingSummarySerializer extends VersionedSerializer<WaitingSummary> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  WaitingSummarySerializer() {
    this(VERSION);
  }

  private WaitingSummarySerializer(int version) {
    super(version);
  }

  @Override
  protected void write(WaitingSummary summary, DataOutputView target) throws IOException {
    BinaryFormat.writeVarint(summary.count(), target);
    BinaryFormat.writeZigzag(summary.timerMillis(), target);
  }

  @Override
  protected WaitingSummary read(DataInputView source, int version) throws IOException {
    int count = BinaryFormat.readVarint32(source);
    return new WaitingSummary(count, BinaryFormat.readZigzag(source));
  }

  @Override
  public WaitingSummary createInstance() {
    return new WaitingSummary(0, 0);
  }

  @Override
  public TypeSerializerSnapshot<WaitingSummary> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<WaitingSummary> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, WaitingSummarySerializer::new);
    }
  }
}
