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
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text device, 1 byte state (0: offline, 1: online; since version 2 also 2:
 * forgotten), zigzag since, zigzag seen, {@linkplain DescriptionFormat description}.
 */
public final class PresenceSerializer extends VersionedSerializer<Presence> {
  static final int VERSION = 2;

  /** For streams of it. */
  public static final TypeInformation<Presence> TYPE =
      new VersionedTypeInformation<>(Presence.class, new PresenceSerializer());

  /** Reads the newest version. */
  public PresenceSerializer() {
    this(VERSION);
  }

  private static final Presence.State[] STATES = {
    Presence.State.OFFLINE, Presence.State.ONLINE, Presence.State.FORGOTTEN
  };

  private PresenceSerializer(int version) {
    super(version);
  }

  @Override
  protected void write(Presence presence, DataOutputView target) throws IOException {
    writeText(presence.device(), target);
    target.writeByte(List.of(STATES).indexOf(presence.state()));
    writeZigzag(presence.sinceMillis(), target);
    writeZigzag(presence.seenMillis(), target);
    DescriptionFormat.write(presence.description(), target);
  }

  @Override
  protected Presence read(DataInputView source, int version) throws IOException {
    String device = readText(source);
    int state = source.readByte();
    if (state < 0 || state >= STATES.length) {
      throw new IOException("state: expected 0 to 2, found " + state);
    }
    long sinceMillis = readZigzag(source);
    long seenMillis = readZigzag(source);
    return new Presence(
        device, STATES[state], sinceMillis, seenMillis, DescriptionFormat.read(source));
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
