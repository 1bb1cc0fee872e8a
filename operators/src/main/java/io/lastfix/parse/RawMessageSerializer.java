package io.lastfix.parse;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout of version 1: topic (UTF), partition (int), offset (long), key, value; each of the last
 * two as its length (int, -1 for null) and its bytes.
 */
public final class RawMessageSerializer extends VersionedSerializer<RawMessage> {
  static final int VERSION = 1;
  static final RawMessageSerializer INSTANCE = new RawMessageSerializer(VERSION);
  private static final int NULL_LENGTH = -1;

  private RawMessageSerializer(int version) {
    super(version);
  }

  @Override
  public RawMessage createInstance() {
    return new RawMessage("", 0, 0, null, null);
  }

  @Override
  protected void write(RawMessage message, DataOutputView target) throws IOException {
    target.writeUTF(message.topic());
    target.writeInt(message.partition());
    target.writeLong(message.offset());
    writeBytes(message.key(), target);
    writeBytes(message.value(), target);
  }

  @Override
  protected RawMessage read(DataInputView source, int version) throws IOException {
    return new RawMessage(
        source.readUTF(),
        source.readInt(),
        source.readLong(),
        readBytes(source),
        readBytes(source));
  }

  private static void writeBytes(byte @Nullable [] bytes, DataOutputView target)
      throws IOException {
    if (bytes == null) {
      target.writeInt(NULL_LENGTH);
    } else {
      target.writeInt(bytes.length);
      target.write(bytes);
    }
  }

  private static byte @Nullable [] readBytes(DataInputView source) throws IOException {
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
    return new Snapshot();
  }

  /** Named in savepoints: keep its name. */
  public static final class Snapshot extends VersionedSnapshot<RawMessage> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, RawMessageSerializer::new);
    }
  }

  /** Named by the annotation of {@link RawMessage}. */
  public static final class InfoFactory extends TypeInfoFactory<RawMessage> {
    @Override
    public TypeInformation<RawMessage> createTypeInfo(
        Type type, Map<String, TypeInformation<?>> genericParameters) {
      return new VersionedTypeInformation<>(RawMessage.class, INSTANCE);
    }
  }
}
