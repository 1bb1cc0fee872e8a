package io.lastfix.presence;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readVarint;
import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.model.device.DeviceUsage;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import java.time.LocalDate;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text device, zigzag days since 1970, varint bytes, varint partition, varint
 * offset.
 */
public final class DeviceUsageSerializer extends VersionedSerializer<DeviceUsage> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<DeviceUsage> TYPE =
      new VersionedTypeInformation<>(DeviceUsage.class, new DeviceUsageSerializer());

  /** Reads the newest version. */
  public DeviceUsageSerializer() {
    this(VERSION);
  }

  private DeviceUsageSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(DeviceUsage usage, DataOutputView target) throws IOException {
    writeText(usage.device(), target);
    writeZigzag(usage.day().toEpochDay(), target);
    writeVarint(usage.bytes(), target);
    writeVarint(usage.partition(), target);
    writeVarint(usage.offset(), target);
  }

  @Override
  protected DeviceUsage read(DataInputView source, int version) throws IOException {
    String device = readText(source);
    LocalDate day = LocalDate.ofEpochDay(readZigzag(source));
    long bytes = readVarint(source);
    int partition = readVarint32(source);
    return new DeviceUsage(device, day, bytes, partition, readVarint(source));
  }

  @Override
  public DeviceUsage createInstance() {
    return new DeviceUsage("-", LocalDate.EPOCH, 0, 0, 0);
  }

  @Override
  public TypeSerializerSnapshot<DeviceUsage> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<DeviceUsage> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, DeviceUsageSerializer::new);
    }
  }
}
