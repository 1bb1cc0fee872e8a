package io.lastfix.presence;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text device, 1 byte state (1: online, 0: offline), zigzag since, zigzag
 * seen, {@linkplain DescriptionFormat description}.
 */
public final class PresenceSerializer extends VersionedSerializer<Presence> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<Presence> TYPE =
      new VersionedTypeInformation<>(Presence.class, new PresenceSerializer());

  /** Reads the newest version. */
  public PresenceSerializer() {
    this(VERSION);
  }

  private PresenceSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(Presence presence, DataOutputView target) throws IOException {
    writeText(presence.device(), target);
    target.writeBoolean(presence.state() == Presence.State.ONLINE);
    writeZigzag(presence.sinceMillis(), target);
    writeZigzag(presence.seenMillis(), target);
    DescriptionFormat.write(presence.description(), target);
  }

  @Override
  protected Presence read(DataInputView source, int version) throws IOException {
    String device = readText(source);
    Presence.State state = source.readBoolean() ? Presence.State.ONLINE : Presence.State.OFFLINE;
    long sinceMillis = readZigzag(source);
    long seenMillis = readZigzag(source);
    return new Presence(device, state, sinceMillis, seenMillis, DescriptionFormat.read(source));
  }

  @Override
  public Presence createInstance() {
    return new Presence("-", Presence.State.OFFLINE, 0, 0, DeviceDescription.NONE);
  }

  @Override
  public TypeSerializerSnapshot<Presence> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<Presence> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, PresenceSerializer::new);
    }
  }
}
