package io.lastfix.analytics.counts;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readVarint;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Layout of version 1: text key, zigzag window, varint number, text state, varint rev. */
public final class WindowCountSerializer extends VersionedSerializer<WindowCount> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<WindowCount> TYPE =
      new VersionedTypeInformation<>(WindowCount.class, new WindowCountSerializer());

  /** Reads the newest version. */
  public WindowCountSerializer() {
    this(VERSION);
  }

  private WindowCountSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(WindowCount count, DataOutputView target) throws IOException {
    writeText(CountKey.of(count.by(), count.key()), target);
    writeZigzag(count.windowMillis(), target);
    writeVarint(count.n(), target);
    writeText(count.state().text(), target);
    writeVarint(count.rev(), target);
  }

  @Override
  protected WindowCount read(DataInputView source, int version) throws IOException {
    String key = readText(source);
    long windowMillis = readZigzag(source);
    long n = readVarint(source);
    WindowCount.State state = WindowCount.State.ofText(readText(source));
    return new WindowCount(
        windowMillis, CountKey.by(key), CountKey.group(key), n, state, readVarint(source));
  }

  @Override
  public WindowCount createInstance() {
    return new WindowCount(0, CountBy.TOTAL, "", 0, WindowCount.State.OPEN, 0);
  }

  @Override
  public TypeSerializerSnapshot<WindowCount> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<WindowCount> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, WindowCountSerializer::new);
    }
  }
}
