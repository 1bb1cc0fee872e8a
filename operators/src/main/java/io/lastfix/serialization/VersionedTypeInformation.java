package io.lastfix.serialization;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Makes Flink serialize a type with its {@link VersionedSerializer}.
 *
 * <p>Such a type cannot be a key: the hash code of an enum, and so of a record with one, differs
 * between JVMs. Use one of its fields as the key.
 *
 * @param <T> the type
 */
public final class VersionedTypeInformation<T> extends TypeInformation<T> {
  private final Class<T> type;
  private final VersionedSerializer<T> serializer;

  /**
   * @param type the type
   * @param serializer the serializer for the newest version of its format
   */
  public VersionedTypeInformation(Class<T> type, VersionedSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer;
  }

  // Deprecated in Flink 1.20, but still abstract there.
  @SuppressWarnings("deprecation")
  @Override
  public TypeSerializer<T> createSerializer(ExecutionConfig config) {
    return serializer;
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
  public boolean canEqual(Object other) {
    return other instanceof VersionedTypeInformation;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VersionedTypeInformation<?> that
        && that.type == type
        && that.serializer.equals(serializer);
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public String toString() {
    return "VersionedTypeInformation<" + type.getSimpleName() + ">";
  }
}
