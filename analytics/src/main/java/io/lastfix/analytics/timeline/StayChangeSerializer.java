package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, 1 byte kind of place, text place, zigzag begin, 1 byte end's
 * code, unless open zigzag end relative to begin, 1 byte 1 if deleted, or 0.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class StayChangeSerializer extends VersionedSerializer<StayChange> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<StayChange> TYPE =
      new VersionedTypeInformation<>(StayChange.class, new StayChangeSerializer());

  /** Reads the newest version. */
  public StayChangeSerializer() {
    this(VERSION);
  }

  private StayChangeSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(StayChange value, DataOutputView target) throws IOException {
    Stay stay = value.stay();
    writeText(value.user(), target);
    target.writeByte(stay.by().code());
    writeText(stay.place(), target);
    writeZigzag(stay.beginMillis(), target);
    target.writeByte(stay.end().code());
    if (stay.end() != Stay.End.OPEN) {
      writeZigzag(stay.endMillis() - stay.beginMillis(), target);
    }
    target.writeBoolean(value.isDeleted());
  }

  @Override
  protected StayChange read(DataInputView source, int version) throws IOException {
    String user = readText(source);
    PlaceKind by = PlaceKind.ofCode(source.readByte());
    String place = readText(source);
    long beginMillis = readZigzag(source);
    Stay.End end = Stay.End.ofCode(source.readByte());
    long endMillis = end == Stay.End.OPEN ? Stay.NO_END : beginMillis + readZigzag(source);
    Stay stay = new Stay(by, place, beginMillis, endMillis, end);
    return new StayChange(user, stay, source.readBoolean());
  }

  @Override
  public StayChange createInstance() {
    return new StayChange("-", new Stay(PlaceKind.CELL, "-", 0, Stay.NO_END, Stay.End.OPEN), false);
  }

  @Override
  public TypeSerializerSnapshot<StayChange> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<StayChange> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, StayChangeSerializer::new);
    }
  }
}
