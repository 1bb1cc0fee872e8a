package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.WindowState;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: zigzag window in milliseconds, 1 byte kind of place, text place, zigzag
 * devices, 1 byte state's code.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class DensityCountSerializer extends VersionedSerializer<DensityCount> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<DensityCount> TYPE =
      new VersionedTypeInformation<>(DensityCount.class, new DensityCountSerializer());

  /** Reads the newest version. */
  public DensityCountSerializer() {
    this(VERSION);
  }

  private DensityCountSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(DensityCount value, DataOutputView target) throws IOException {
    writeZigzag(value.windowMillis(), target);
    target.writeByte(value.by().code());
    writeText(value.place(), target);
    writeZigzag(value.devices(), target);
    target.writeByte(value.state().code());
  }

  @Override
  protected DensityCount read(DataInputView source, int version) throws IOException {
    long windowMillis = readZigzag(source);
    PlaceKind by = PlaceKind.ofCode(source.readByte());
    String place = readText(source);
    int devices = (int) readZigzag(source);
    WindowState state = WindowState.ofCode(source.readByte());
    return new DensityCount(windowMillis, by, place, devices, state);
  }

  @Override
  public DensityCount createInstance() {
    return new DensityCount(0, PlaceKind.CELL, "-", 0, WindowState.OPEN);
  }

  @Override
  public TypeSerializerSnapshot<DensityCount> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<DensityCount> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, DensityCountSerializer::new);
    }
  }
}
