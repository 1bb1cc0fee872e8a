package io.lastfix.analytics.distinct;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.timeline.LateCount;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: zigzag hour in milliseconds, text kind, text burst, zigzag records, zigzag
 * time of the first one in milliseconds.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class LateCountSerializer extends VersionedSerializer<LateCount> {
  private static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<LateCount> TYPE =
      new VersionedTypeInformation<>(LateCount.class, new LateCountSerializer());

  /** Reads the newest version. */
  public LateCountSerializer() {
    this(VERSION);
  }

  private LateCountSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(LateCount value, DataOutputView target) throws IOException {
    writeZigzag(value.hourMillis(), target);
    writeText(value.kind().text(), target);
    writeText(value.burst(), target);
    writeZigzag(value.records(), target);
    writeZigzag(value.sinceMillis(), target);
  }

  @Override
  protected LateCount read(DataInputView source, int version) throws IOException {
    long hourMillis = readZigzag(source);
    NumberKind kind = NumberKind.ofText(readText(source));
    String burst = readText(source);
    long records = readZigzag(source);
    return new LateCount(hourMillis, kind, burst, records, readZigzag(source));
  }

  @Override
  public LateCount createInstance() {
    return new LateCount(0, NumberKind.COUNTS, "-", 0, 0);
  }

  @Override
  public TypeSerializerSnapshot<LateCount> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LateCount> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, LateCountSerializer::new);
    }
  }
}
