package io.lastfix.parse;

import java.util.Objects;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/** Tells Flink which serializer a type of this package has, so that it never takes Kryo. */
final class MessageTypeInfo<T> extends TypeInformation<T> {
  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  MessageTypeInfo(Class<T> type, TypeSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer;
  }

  // The one that Flink's next major version drops, and that this one still makes us write.
  @Override
  @SuppressWarnings({"deprecation", "InlineMeSuggester"})
  public TypeSerializer<T> createSerializer(ExecutionConfig config) {
    return serializer;
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof MessageTypeInfo<?> other && type.equals(other.type);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(type);
  }

  @Override
  public boolean canEqual(Object object) {
    return object instanceof MessageTypeInfo;
  }
}
