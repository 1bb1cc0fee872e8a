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
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Layout of version 1: text key, zigzag window, varint number. */
public final class PartialCountSerializer extends VersionedSerializer<PartialCount> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<PartialCount> TYPE =
      new VersionedTypeInformation<>(PartialCount.class, new PartialCountSerializer());

  /** Reads the newest version. */
  public PartialCountSerializer() {
    this(VERSION);
  }

  private PartialCountSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(PartialCount count, DataOutputView target) throws IOException {
    writeText(count.key(), target);
    writeZigzag(count.windowMillis(), target);
    writeVarint(count.n(), target);
  }

  @Override
  protected PartialCount read(DataInputView source, int version) throws IOException {
    String key = readText(source);
    long windowMillis = readZigzag(source);
    return new PartialCount(key, windowMillis, readVarint(source));
  }

  @Override
  public PartialCount createInstance() {
    return new PartialCount("", 0, 0);
  }

  @Override
  public TypeSerializerSnapshot<PartialCount> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<PartialCount> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, PartialCountSerializer::new);
    }
  }
}
