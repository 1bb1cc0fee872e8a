package io.lastfix.serialization;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The part of a {@link VersionedSerializer} that savepoints contain: the version of its format.
 *
 * <p>It is the snapshot's own version, which Flink writes before the snapshot, so there is nothing
 * else to write. Flink uses state in the same version as it is. It reads state in an older version
 * with the serializer restored for that version, and rewrites it. A newer version fails the
 * restore.
 *
 * @param <T> the serialized type
 */
public abstract class VersionedSnapshot<T> implements TypeSerializerSnapshot<T> {
  private final int newestVersion;
  private final Supplier<? extends VersionedSerializer<T>> serializers;

  private int version;

  /** Takes the snapshot of a serializer that this creates. */
  protected VersionedSnapshot(Supplier<? extends VersionedSerializer<T>> serializers) {
    this.serializers = serializers;
    newestVersion = serializers.get().newestVersion();
    version = newestVersion;
  }

  @Override
  public final int getCurrentVersion() {
    return newestVersion;
  }

  @Override
  public final void writeSnapshot(DataOutputView out) {}

  /**
   * Stores the version that Flink read.
   *
   * @throws IOException if this build does not support it, which fails the restore with this
   *     message; {@link #resolveSchemaCompatibility} could only report "incompatible"
   */
  @Override
  public final void readSnapshot(int readVersion, DataInputView in, ClassLoader userCodeClassLoader)
      throws IOException {
    if (readVersion < 1 || readVersion > newestVersion) {
      throw new IOException(
          "%s: the state is in format version %d, this build reads 1 to %d. Restore it with the release that wrote it, or a later one."
              .formatted(getClass().getName(), readVersion, newestVersion));
    }
    version = readVersion;
  }

  @Override
  public final TypeSerializer<T> restoreSerializer() {
    return serializers.get().reading(version);
  }

  @Override
  public final TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
      TypeSerializerSnapshot<T> oldSerializerSnapshot) {
    if (oldSerializerSnapshot.getClass() != getClass()) {
      return TypeSerializerSchemaCompatibility.incompatible();
    }
    int oldVersion = ((VersionedSnapshot<T>) oldSerializerSnapshot).version;
    if (oldVersion > version) {
      return TypeSerializerSchemaCompatibility.incompatible();
    }
    return oldVersion == version
        ? TypeSerializerSchemaCompatibility.compatibleAsIs()
        : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
  }
}
