package io.lastfix.presence;

import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Layout of version 1: varint partition, zigzag start, zigzag end. */
final class OutageSerializer extends VersionedSerializer<Outage> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  OutageSerializer() {
    this(VERSION);
  }

  private OutageSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(Outage outage, DataOutputView target) throws IOException {
    writeVarint(outage.partition(), target);
    writeZigzag(outage.fromMillis(), target);
    writeZigzag(outage.toMillis(), target);
  }

  @Override
  protected Outage read(DataInputView source, int version) throws IOException {
    int partition = readVarint32(source);
    long fromMillis = readZigzag(source);
    return new Outage(partition, fromMillis, readZigzag(source));
  }

  @Override
  public Outage createInstance() {
    return new Outage(0, 0, 0);
  }

  @Override
  public TypeSerializerSnapshot<Outage> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<Outage> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, OutageSerializer::new);
    }
  }
}
