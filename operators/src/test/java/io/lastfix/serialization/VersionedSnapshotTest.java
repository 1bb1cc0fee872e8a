package io.lastfix.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.junit.jupiter.api.Test;

class VersionedSnapshotTest {
  private static final ClassLoader LOADER = VersionedSnapshotTest.class.getClassLoader();

  /** Version 1 wrote an int, version 2 writes a long. */
  static final class WidenedSerializer extends VersionedSerializer<Long> {
    static final int VERSION = 2;

    WidenedSerializer() {
      super(VERSION, Snapshot::new);
    }

    @Override
    protected void write(Long value, DataOutputView target) throws IOException {
      target.writeLong(value);
    }

    @Override
    protected Long read(DataInputView source, int version) throws IOException {
      return version == 1 ? source.readInt() : source.readLong();
    }

    @Override
    public Long createInstance() {
      return 0L;
    }

    public static final class Snapshot extends VersionedSnapshot<Long> {
      public Snapshot() {
        super(WidenedSerializer::new);
      }
    }
  }

  private static WidenedSerializer.Snapshot ofVersion(int version) throws IOException {
    WidenedSerializer.Snapshot snapshot = new WidenedSerializer.Snapshot();
    snapshot.readSnapshot(version, new DataInputDeserializer(new byte[0]), LOADER);
    return snapshot;
  }

  @Test
  void stateOfTheSameVersionIsUsedAsItIs() throws IOException {
    assertThat(
            new WidenedSerializer.Snapshot()
                .resolveSchemaCompatibility(ofVersion(2))
                .isCompatibleAsIs())
        .isTrue();
  }

  @Test
  void stateOfAnOlderVersionIsReadInItAndRewrittenInTheNewest() throws IOException {
    WidenedSerializer.Snapshot old = ofVersion(1);
    assertThat(
            new WidenedSerializer.Snapshot()
                .resolveSchemaCompatibility(old)
                .isCompatibleAfterMigration())
        .isTrue();
    DataOutputSerializer written = new DataOutputSerializer(4);
    written.writeInt(7);
    DataOutputSerializer rewritten = new DataOutputSerializer(8);

    old.restoreSerializer().copy(new DataInputDeserializer(written.getCopyOfBuffer()), rewritten);

    assertThat(
            new WidenedSerializer()
                .deserialize(new DataInputDeserializer(rewritten.getCopyOfBuffer())))
        .isEqualTo(7);
  }

  @Test
  void stateOfANewerVersionIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> ofVersion(3))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "io.lastfix.serialization.VersionedSnapshotTest$WidenedSerializer$Snapshot: the state"
                + " is in format version 3, this build reads 1 to 2. Restore it with the release"
                + " that wrote it, or a later one.");
  }

  @Test
  void stateOfAnotherTypeIsIncompatible() {
    TypeSerializerSnapshot<Long> other = new VersionedSnapshot<Long>(WidenedSerializer::new) {};
    assertThat(new WidenedSerializer.Snapshot().resolveSchemaCompatibility(other).isIncompatible())
        .isTrue();
  }

  @Test
  void serializersOfDifferentVersionsAreNotEqual() {
    TypeSerializer<Long> newest = new WidenedSerializer();
    assertThat(newest)
        .isEqualTo(new WidenedSerializer())
        .hasSameHashCodeAs(new WidenedSerializer())
        .isNotEqualTo(new WidenedSerializer().reading(1));
  }
}
