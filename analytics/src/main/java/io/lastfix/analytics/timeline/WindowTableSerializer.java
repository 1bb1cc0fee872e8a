package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.analytics.timeline.WindowTable.Row;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.store.timeline.WindowState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: zigzag watermark, sum base, varint number of rows; for each zigzag window in
 * milliseconds relative to the one before it (the first one: to the watermark; differences wrap
 * around), its sum, 1 byte the shown state's code, or 0 for none and then the end of the row, the
 * shown sum. A sum is zigzag count, zigzag devices.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
final class WindowTableSerializer extends VersionedSerializer<WindowTable> {
  static final int VERSION = 1;

  private static final int NOTHING = 0;

  /** Reads the newest version. */
  WindowTableSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(WindowTable value, DataOutputView target) throws IOException {
    writeZigzag(value.watermark(), target);
    writeSum(value.base(), target);
    writeVarint(value.rows().size(), target);
    long before = value.watermark();
    for (Row row : value.rows()) {
      writeZigzag(row.windowMillis() - before, target);
      writeSum(row.sum(), target);
      WindowState state = row.state();
      target.writeByte(state == null ? NOTHING : state.code());
      if (state != null) {
        writeSum(row.shown(), target);
      }
      before = row.windowMillis();
    }
  }

  @Override
  protected WindowTable read(DataInputView source, int version) throws IOException {
    long watermark = readZigzag(source);
    WindowSum base = readSum(source);
    int count = readVarint32(source);
    List<Row> rows = new ArrayList<>(count);
    long before = watermark;
    for (int i = 0; i < count; i++) {
      long windowMillis = before + readZigzag(source);
      WindowSum sum = readSum(source);
      int state = source.readByte();
      rows.add(
          state == NOTHING
              ? new Row(windowMillis, sum, WindowSum.ZERO, null)
              : new Row(windowMillis, sum, readSum(source), WindowState.ofCode(state)));
      before = windowMillis;
    }
    return new WindowTable(watermark, base, rows);
  }

  private static void writeSum(WindowSum sum, DataOutputView target) throws IOException {
    writeZigzag(sum.count(), target);
    writeZigzag(sum.devices(), target);
  }

  private static WindowSum readSum(DataInputView source) throws IOException {
    int count = (int) readZigzag(source);
    return new WindowSum(count, (int) readZigzag(source));
  }

  @Override
  public WindowTable createInstance() {
    return WindowTable.EMPTY;
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<WindowTable> {
    /** Called by Flink. */
    public Snapshot() {
      super(WindowTableSerializer::new);
    }
  }
}
