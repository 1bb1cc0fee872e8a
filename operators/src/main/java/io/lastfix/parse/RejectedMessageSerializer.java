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

/**
 * Layout of version 2: the message as version 1 of {@link RawMessageSerializer} has it, the
 * reason's code (UTF), detail (UTF), records (int), stage (UTF), omitted bytes (long). Version 1
 * had no omitted bytes. Another layout of the message is another version of this one too.
 */
public final class RejectedMessageSerializer extends VersionedSerializer<RejectedMessage> {
  static final int VERSION = 2;
  static final RejectedMessageSerializer INSTANCE = new RejectedMessageSerializer(VERSION);

  private RejectedMessageSerializer(int version) {
    super(version);
  }

  @Override
  public RejectedMessage createInstance() {
    return new RejectedMessage(
        RawMessageSerializer.INSTANCE.createInstance(),
        new Rejection(RejectionReason.MALFORMED, ""),
        "");
  }

  @Override
  protected void write(RejectedMessage rejected, DataOutputView target) throws IOException {
    RawMessageSerializer.INSTANCE.serialize(rejected.message(), target);
    target.writeUTF(rejected.rejection().reason().code());
    target.writeUTF(rejected.rejection().detail());
    target.writeInt(rejected.rejection().records());
    target.writeUTF(rejected.stage());
    target.writeLong(rejected.omittedBytes());
  }

  @Override
  protected RejectedMessage read(DataInputView source, int version) throws IOException {
    RawMessage message = RawMessageSerializer.INSTANCE.deserialize(source);
    RejectionReason reason = RejectionReason.ofCode(source.readUTF());
    Rejection rejection = new Rejection(reason, source.readUTF(), source.readInt());
    String stage = source.readUTF();
    return new RejectedMessage(message, rejection, stage, version < 2 ? 0 : source.readLong());
  }

  @Override
  public TypeSerializerSnapshot<RejectedMessage> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Named in savepoints: keep its name. */
  public static final class Snapshot extends VersionedSnapshot<RejectedMessage> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, RejectedMessageSerializer::new);
    }
  }

  /** Named by the annotation of {@link RejectedMessage}. */
  public static final class InfoFactory extends TypeInfoFactory<RejectedMessage> {
    @Override
    public TypeInformation<RejectedMessage> createTypeInfo(
        Type type, Map<String, TypeInformation<?>> genericParameters) {
      return new VersionedTypeInformation<>(RejectedMessage.class, INSTANCE);
    }
  }
}
