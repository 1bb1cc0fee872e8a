package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: zigzag count, zigzag devices.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
final class WindowSumSerializer extends VersionedSerializer<WindowSum> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  WindowSumSerializer() {
    this(VERSION);
  }

  private WindowSumSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(WindowSum value, DataOutputView target) throws IOException {
    writeZigzag(value.count(), target);
    writeZigzag(value.devices(), target);
  }

  @Override
  protected WindowSum read(DataInputView source, int version) throws IOException {
    int count = (int) readZigzag(source);
    return new WindowSum(count, (int) readZigzag(source));
  }

  @Override
  public WindowSum createInstance() {
    return WindowSum.ZERO;
  }

  @Override
  public TypeSerializerSnapshot<WindowSum> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<WindowSum> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, WindowSumSerializer::new);
    }
  }
}
