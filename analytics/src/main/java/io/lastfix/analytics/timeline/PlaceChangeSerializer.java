package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.timeline.PlaceKind;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: 1 byte kind of place, text place, zigzag instant, zigzag devices.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class PlaceChangeSerializer extends VersionedSerializer<PlaceChange> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<PlaceChange> TYPE =
      new VersionedTypeInformation<>(PlaceChange.class, new PlaceChangeSerializer());

  /** Reads the newest version. */
  public PlaceChangeSerializer() {
    this(VERSION);
  }

  private PlaceChangeSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(PlaceChange value, DataOutputView target) throws IOException {
    target.writeByte(value.by().code());
    writeText(value.place(), target);
    writeZigzag(value.atMillis(), target);
    writeZigzag(value.devices(), target);
  }

  @Override
  protected PlaceChange read(DataInputView source, int version) throws IOException {
    PlaceKind by = PlaceKind.ofCode(source.readByte());
    String place = readText(source);
    long atMillis = readZigzag(source);
    return new PlaceChange(by, place, atMillis, (int) readZigzag(source));
  }

  @Override
  public PlaceChange createInstance() {
    return new PlaceChange(PlaceKind.CELL, "-", 0, 1);
  }

  @Override
  public TypeSerializerSnapshot<PlaceChange> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<PlaceChange> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, PlaceChangeSerializer::new);
    }
  }
}
