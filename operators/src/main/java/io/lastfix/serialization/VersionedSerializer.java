package io.lastfix.serialization;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Base class of serializers of immutable types. Such a value is its own copy, and a serializer
 * without mutable state is its own duplicate. A mutable type overrides {@link #copyOf} and {@link
 * #isImmutableType()}.
 *
 * <p>It writes only the newest version of its format, and reads the one version it was restored
 * for.
 *
 * @param <T> the type
 */
public abstract class VersionedSerializer<T> extends TypeSerializer<T> {
  private final int newestVersion;
  private final SerializableSupplier<? extends VersionedSnapshot<T>> snapshots;

  private int version;

  /**
   * Creates a serializer that reads what it writes.
   *
   * @param newestVersion the version of the format that it writes, 1 or more
   * @param snapshots creates this serializer's part of a savepoint
   */
  protected VersionedSerializer(
      int newestVersion, SerializableSupplier<? extends VersionedSnapshot<T>> snapshots) {
    this.newestVersion = newestVersion;
    this.snapshots = snapshots;
    this.version = newestVersion;
  }

  final int newestVersion() {
    return newestVersion;
  }

  /** Lets this serializer read values of that version, 1 to the newest; returns it. */
  protected final VersionedSerializer<T> reading(int writtenVersion) {
    version = writtenVersion;
    return this;
  }

  /** Writes the value in the newest version of the format. */
  protected abstract void write(T value, DataOutputView target) throws IOException;

  /** Reads a value written in that version of the format. */
  protected abstract T read(DataInputView source, int version) throws IOException;

  @Override
  public final void serialize(T value, DataOutputView target) throws IOException {
    write(value, target);
  }

  @Override
  public final T deserialize(DataInputView source) throws IOException {
    return read(source, version);
  }

  @Override
  public final T deserialize(T reuse, DataInputView source) throws IOException {
    return read(source, version);
  }

  /** Deserializes and serializes the value, since only its parts determine its length. */
  @Override
  public final void copy(DataInputView source, DataOutputView target) throws IOException {
    write(read(source, version), target);
  }

  /** Returns a copy that shares nothing mutable with the value. */
  protected T copyOf(T value) {
    return value;
  }

  @Override
  public final T copy(T from) {
    return copyOf(from);
  }

  @Override
  public final T copy(T from, T reuse) {
    return copyOf(from);
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public final TypeSerializer<T> duplicate() {
    return this;
  }

  @Override
  public final TypeSerializerSnapshot<T> snapshotConfiguration() {
    return snapshots.get();
  }

  /** Always -1: no type here has a fixed length. */
  @Override
  public final int getLength() {
    return -1;
  }

  // Serializers are equal only if they have the same class, since each class has its own layout.
  @SuppressWarnings("EqualsGetClass")
  @Override
  public final boolean equals(@Nullable Object other) {
    return other != null
        && other.getClass() == getClass()
        && ((VersionedSerializer<?>) other).version == version;
  }

  @Override
  public final int hashCode() {
    return 31 * getClass().getName().hashCode() + version;
  }
}
