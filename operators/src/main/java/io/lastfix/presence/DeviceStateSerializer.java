package io.lastfix.presence;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout of version 1: 1 byte of flags (1: online, 2: has a timer), zigzag since; relative to it
 * zigzag seen; relative to that zigzag stored seen and, if there is one, the timer; varint interval
 * in seconds, varint partition, zigzag day, varint bytes; of the description text class, text sdk
 * (empty: absent), 1 byte 0, or 1 and the 32 bytes of the hash.
 *
 * @see BinaryFormat
 */
final class DeviceStateSerializer extends VersionedSerializer<DeviceState> {
  static final int VERSION = 1;

  private static final int ONLINE = 1;
  private static final int TIMER = 2;

  /** Reads the newest version. */
  DeviceStateSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(DeviceState state, DataOutputView target) throws IOException {
    boolean hasTimer = state.timerMillis() != DeviceState.NO_TIMER;
    target.writeByte((state.isOnline() ? ONLINE : 0) | (hasTimer ? TIMER : 0));
    BinaryFormat.writeZigzag(state.sinceMillis(), target);
    BinaryFormat.writeZigzag(state.seenMillis() - state.sinceMillis(), target);
    BinaryFormat.writeZigzag(state.storedSeenMillis() - state.seenMillis(), target);
    if (hasTimer) {
      BinaryFormat.writeZigzag(state.timerMillis() - state.seenMillis(), target);
    }
    BinaryFormat.writeVarint(state.intervalSeconds(), target);
    BinaryFormat.writeVarint(state.partition(), target);
    BinaryFormat.writeZigzag(state.epochDay(), target);
    BinaryFormat.writeVarint(state.bytes(), target);
    writeDescription(state.description(), target);
  }

  @Override
  protected DeviceState read(DataInputView source, int version) throws IOException {
    int flags = source.readByte();
    long sinceMillis = BinaryFormat.readZigzag(source);
    long seenMillis = sinceMillis + BinaryFormat.readZigzag(source);
    long storedSeenMillis = seenMillis + BinaryFormat.readZigzag(source);
    long timerMillis =
        (flags & TIMER) == 0 ? DeviceState.NO_TIMER : seenMillis + BinaryFormat.readZigzag(source);
    int intervalSeconds = BinaryFormat.readVarint32(source);
    int partition = BinaryFormat.readVarint32(source);
    int epochDay = (int) BinaryFormat.readZigzag(source);
    long bytes = BinaryFormat.readVarint(source);
    return new DeviceState(
        (flags & ONLINE) != 0,
        sinceMillis,
        seenMillis,
        storedSeenMillis,
        timerMillis,
        intervalSeconds,
        partition,
        epochDay,
        bytes,
        readDescription(source));
  }

  @Override
  public DeviceState createInstance() {
    return DeviceState.UNKNOWN;
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<DeviceState> {
    /** Called by Flink. */
    public Snapshot() {
      super(DeviceStateSerializer::new);
    }
  }

  private static void writeDescription(DeviceDescription description, DataOutputView target)
      throws IOException {
    writeOptional(description.deviceClass(), target);
    writeOptional(description.sdk(), target);
    String manifest = description.manifest();
    target.writeBoolean(manifest != null);
    if (manifest != null) {
      target.write(HexFormat.of().parseHex(manifest));
    }
  }

  private static DeviceDescription readDescription(DataInputView source) throws IOException {
    String deviceClass = readOptional(source);
    String sdk = readOptional(source);
    String manifest = null;
    if (source.readBoolean()) {
      byte[] hash = new byte[HeartbeatMessage.MANIFEST_BYTES];
      source.readFully(hash);
      manifest = HexFormat.of().formatHex(hash);
    }
    return new DeviceDescription(deviceClass, sdk, manifest);
  }

  private static void writeOptional(@Nullable String text, DataOutputView target)
      throws IOException {
    BinaryFormat.writeText(text == null ? "" : text, target);
  }

  private static @Nullable String readOptional(DataInputView source) throws IOException {
    String text = BinaryFormat.readText(source);
    return text.isEmpty() ? null : text;
  }
}
