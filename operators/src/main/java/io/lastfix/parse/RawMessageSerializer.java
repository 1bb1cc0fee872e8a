package io.lastfix.parse;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout of version 1: topic (UTF), partition (int), offset (long), key, value; then the time of
 * appending and the time of the first check (long each, -1 if unknown); then the number of headers
 * (int), and for each its name (UTF), length (int) and bytes. Key and value are a length (int, -1
 * if absent); unless it is -1, a flag whether the bytes are present (boolean) and, if so, the
 * bytes.
 */
public final class RawMessageSerializer extends VersionedSerializer<RawMessage> {
  static final int VERSION = 1;
  static final RawMessageSerializer INSTANCE = new RawMessageSerializer();

  private RawMessageSerializer() {
    super(VERSION, Snapshot::new);
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
    writeBytes(message.key(), message.keyLength(), target);
    writeBytes(message.value(), message.valueLength(), target);
    target.writeLong(message.appendTimeMillis());
    target.writeLong(message.firstSeenMillis());
    Map<String, byte[]> headers = HeaderList.of(message.headers()).values();
    target.writeInt(headers.size());
    for (Map.Entry<String, byte[]> header : headers.entrySet()) {
      target.writeUTF(header.getKey());
      target.writeInt(header.getValue().length);
      target.write(header.getValue());
    }
  }

  @Override
  protected RawMessage read(DataInputView source, int version) throws IOException {
    String topic = source.readUTF();
    int partition = source.readInt();
    long offset = source.readLong();
    int keyLength = source.readInt();
    byte[] key = readBytes(source, keyLength);
    int valueLength = source.readInt();
    byte[] value = readBytes(source, valueLength);
    long appendTimeMillis = source.readLong();
    long firstSeenMillis = source.readLong();
    return new RawMessage(
        topic,
        partition,
        offset,
        key,
        keyLength,
        value,
        valueLength,
        appendTimeMillis,
        firstSeenMillis,
        readHeaders(source));
  }

  private static MessageHeaders readHeaders(DataInputView source) throws IOException {
    int count = source.readInt();
    LinkedHashMap<String, byte[]> headers = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String name = source.readUTF();
      byte[] value = new byte[source.readInt()];
      source.readFully(value);
      headers.put(name, value);
    }
    return HeaderList.of(headers);
  }

  private static void writeBytes(byte @Nullable [] bytes, int length, DataOutputView target)
      throws IOException {
    target.writeInt(length);
    if (length != RawMessage.ABSENT) {
      target.writeBoolean(bytes != null);
      if (bytes != null) {
        target.write(bytes);
      }
    }
  }

  private static byte @Nullable [] readBytes(DataInputView source, int length) throws IOException {
    if (length == RawMessage.ABSENT || !source.readBoolean()) {
      return null;
    }
    byte[] bytes = new byte[length];
    source.readFully(bytes);
    return bytes;
  }

  /** Savepoints contain its name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<RawMessage> {
    /** Called by Flink. */
    public Snapshot() {
      super(RawMessageSerializer::new);
    }
  }

  /** Referenced by the annotation of {@link RawMessage}. */
  public static final class InfoFactory extends TypeInfoFactory<RawMessage> {
    @Override
    public TypeInformation<RawMessage> createTypeInfo(
        Type type, Map<String, TypeInformation<?>> genericParameters) {
      return new VersionedTypeInformation<>(RawMessage.class, INSTANCE);
    }
  }
}
