package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.WindowState;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: zigzag hour in milliseconds, 1 byte kind of place, text from, text to,
 * zigzag moves, zigzag devices, 1 byte state's code.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
public final class FlowCountSerializer extends VersionedSerializer<FlowCount> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<FlowCount> TYPE =
      new VersionedTypeInformation<>(FlowCount.class, new FlowCountSerializer());

  /** Reads the newest version. */
  public FlowCountSerializer() {
    this(VERSION);
  }

  private FlowCountSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(FlowCount value, DataOutputView target) throws IOException {
    writeZigzag(value.hourMillis(), target);
    target.writeByte(value.by().code());
    writeText(value.from(), target);
    writeText(value.to(), target);
    writeZigzag(value.moves(), target);
    writeZigzag(value.devices(), target);
    target.writeByte(value.state().code());
  }

  @Override
  protected FlowCount read(DataInputView source, int version) throws IOException {
    long hourMillis = readZigzag(source);
    PlaceKind by = PlaceKind.ofCode(source.readByte());
    String from = readText(source);
    String to = readText(source);
    int moves = (int) readZigzag(source);
    int devices = (int) readZigzag(source);
    WindowState state = WindowState.ofCode(source.readByte());
    return new FlowCount(hourMillis, by, from, to, moves, devices, state);
  }

  @Override
  public FlowCount createInstance() {
    return new FlowCount(0, PlaceKind.CELL, "-", "-", 0, 0, WindowState.OPEN);
  }

  @Override
  public TypeSerializerSnapshot<FlowCount> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<FlowCount> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, FlowCountSerializer::new);
    }
  }
}
