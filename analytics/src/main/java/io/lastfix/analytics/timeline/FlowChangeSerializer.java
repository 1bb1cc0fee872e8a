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
 * Layout of version 1: 1 byte kind of place, text from, text to, zigzag hour in milliseconds,
 * zigzag moves, zigzag devices.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class FlowChangeSerializer extends VersionedSerializer<FlowChange> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<FlowChange> TYPE =
      new VersionedTypeInformation<>(FlowChange.class, new FlowChangeSerializer());

  /** Reads the newest version. */
  public FlowChangeSerializer() {
    this(VERSION);
  }

  private FlowChangeSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(FlowChange value, DataOutputView target) throws IOException {
    target.writeByte(value.by().code());
    writeText(value.from(), target);
    writeText(value.to(), target);
    writeZigzag(value.hourMillis(), target);
    writeZigzag(value.moves(), target);
    writeZigzag(value.devices(), target);
  }

  @Override
  protected FlowChange read(DataInputView source, int version) throws IOException {
    PlaceKind by = PlaceKind.ofCode(source.readByte());
    String from = readText(source);
    String to = readText(source);
    long hourMillis = readZigzag(source);
    int moves = (int) readZigzag(source);
    return new FlowChange(by, from, to, hourMillis, moves, (int) readZigzag(source));
  }

  @Override
  public FlowChange createInstance() {
    return new FlowChange(PlaceKind.CELL, "-", "-", 0, 1, 0);
  }

  @Override
  public TypeSerializerSnapshot<FlowChange> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<FlowChange> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, FlowChangeSerializer::new);
    }
  }
}
