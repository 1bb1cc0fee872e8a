package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, 1 byte kind of place, text from, text to, zigzag begin, zigzag
 * end relative to begin, varint via, 1 byte 1 if deleted, or 0.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class TripChangeSerializer extends VersionedSerializer<TripChange> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<TripChange> TYPE =
      new VersionedTypeInformation<>(TripChange.class, new TripChangeSerializer());

  /** Reads the newest version. */
  public TripChangeSerializer() {
    this(VERSION);
  }

  private TripChangeSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(TripChange value, DataOutputView target) throws IOException {
    Trip trip = value.trip();
    writeText(value.user(), target);
    target.writeByte(trip.by().code());
    writeText(trip.from(), target);
    writeText(trip.to(), target);
    writeZigzag(trip.beginMillis(), target);
    writeZigzag(trip.endMillis() - trip.beginMillis(), target);
    writeVarint(trip.via(), target);
    target.writeBoolean(value.isDeleted());
  }

  @Override
  protected TripChange read(DataInputView source, int version) throws IOException {
    String user = readText(source);
    PlaceKind by = PlaceKind.ofCode(source.readByte());
    String from = readText(source);
    String to = readText(source);
    long beginMillis = readZigzag(source);
    long endMillis = beginMillis + readZigzag(source);
    Trip trip = new Trip(by, from, to, beginMillis, endMillis, readVarint32(source));
    return new TripChange(user, trip, source.readBoolean());
  }

  @Override
  public TripChange createInstance() {
    return new TripChange("-", new Trip(PlaceKind.CELL, "-", "-", 0, 0, 0), false);
  }

  @Override
  public TypeSerializerSnapshot<TripChange> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<TripChange> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, TripChangeSerializer::new);
    }
  }
}
