package io.lastfix.serialization;

import java.io.IOException;
import java.util.HexFormat;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The serialized form of values. */
public final class TestBytes {
  private TestBytes() {}

  /** Returns the serializer that a job gets, in which Kryo is forbidden. */
  public static <T> TypeSerializer<T> serializer(TypeInformation<T> type) {
    SerializerConfigImpl withoutKryo = new SerializerConfigImpl();
    withoutKryo.setGenericTypes(false);
    return type.createSerializer(withoutKryo);
  }

  public static <T> byte[] bytes(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer target = new DataOutputSerializer(64);
    serializer.serialize(value, target);
    return target.getCopyOfBuffer();
  }

  public static <T> String hex(TypeSerializer<T> serializer, T value) throws IOException {
    return HexFormat.of().formatHex(bytes(serializer, value));
  }

  /**
   * Returns the value after serialization and deserialization; fails if the serializer leaves bytes
   * unread.
   */
  public static <T> T roundTrip(TypeSerializer<T> serializer, T value) throws IOException {
    DataInputDeserializer source = new DataInputDeserializer(bytes(serializer, value));
    T read = serializer.deserialize(source);
    if (source.available() > 0) {
      throw new IOException(source.available() + " bytes left unread");
    }
    return read;
  }

  /** Returns the value of bytes that were written in that version. */
  public static <T> T read(VersionedSnapshot<T> snapshot, int version, String hex)
      throws IOException {
    snapshot.readSnapshot(version, new DataInputDeserializer(), TestBytes.class.getClassLoader());
    return snapshot
        .restoreSerializer()
        .deserialize(new DataInputDeserializer(HexFormat.of().parseHex(hex)));
  }

  /** Returns the value after {@code copy} from bytes to bytes. */
  public static <T> T copied(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer target = new DataOutputSerializer(64);
    serializer.copy(new DataInputDeserializer(bytes(serializer, value)), target);
    return serializer.deserialize(new DataInputDeserializer(target.getCopyOfBuffer()));
  }
}
