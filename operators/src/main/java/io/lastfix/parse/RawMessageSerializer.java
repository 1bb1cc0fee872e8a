package io.lastfix.parse;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout, version 1: topic (UTF), partition (int), offset (long), key, value; each of the last two
 * as its length (int, -1 for null) and its bytes.
 *
 * <p>The name of the snapshot class is the version: another layout needs another class, and this
 * one then says how to migrate from it.
 */
public final class RawMessageSerializer extends ImmutableSerializer<RawMessage> {
  static final RawMessageSerializer INSTANCE = new RawMessageSerializer();
  private static final int NULL_LENGTH = -1;

  @Override
  public RawMessage createInstance() {
    return new RawMessage("", 0, 0, null, null);
  }

  @Override
  public void serialize(RawMessage message, DataOutputView target) throws IOException {
    target.writeUTF(message.topic());
    target.writeInt(message.partition());
    target.writeLong(message.offset());
    write(message.key(), target);
    write(message.value(), target);
  }

  @Override
  public RawMessage deserialize(DataInputView source) throws IOException {
    return new RawMessage(
        source.readUTF(), source.readInt(), source.readLong(), read(source), read(source));
  }

  private static void write(byte @Nullable [] bytes, DataOutputView target) throws IOException {
    if (bytes == null) {
      target.writeInt(NULL_LENGTH);
    } else {
      target.writeInt(bytes.length);
      target.write(bytes);
    }
  }

  private static byte @Nullable [] read(DataInputView source) throws IOException {
    int length = source.readInt();
    if (length == NULL_LENGTH) {
      return null;
    }
    byte[] bytes = new byte[length];
    source.readFully(bytes);
    return bytes;
  }

  @Override
  public TypeSerializerSnapshot<RawMessage> snapshotConfiguration() {
    return new SnapshotV1();
  }

  /** Version 1 of the layout. Public because Flink makes it. */
  public static final class SnapshotV1 extends SimpleTypeSerializerSnapshot<RawMessage> {
    public SnapshotV1() {
      super(() -> INSTANCE);
    }
  }
}
