package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: the message in version 1 of {@link RawMessageSerializer}, the reason's code
 * (UTF), detail (UTF), records (int), stage (UTF). Each new layout of the message needs a new
 * version here, too.
 */
public final class RejectedMessageSerializer extends VersionedSerializer<RejectedMessage> {
  static final int VERSION = 1;
  static final RejectedMessageSerializer INSTANCE = new RejectedMessageSerializer();

  private RejectedMessageSerializer() {
    super(VERSION, Snapshot::new);
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
  }

  @Override
  protected RejectedMessage read(DataInputView source, int version) throws IOException {
    RawMessage message = RawMessageSerializer.INSTANCE.deserialize(source);
    RejectionReason reason = RejectionReason.ofCode(source.readUTF());
    Rejection rejection = new Rejection(reason, source.readUTF(), source.readInt());
    return new RejectedMessage(message, rejection, source.readUTF());
  }

  /** Savepoints contain its name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<RejectedMessage> {
    /** Called by Flink. */
    public Snapshot() {
      super(RejectedMessageSerializer::new);
    }
  }

  /** Referenced by the annotation of {@link RejectedMessage}. */
  public static final class InfoFactory extends TypeInfoFactory<RejectedMessage> {
    @Override
    public TypeInformation<RejectedMessage> createTypeInfo(
        Type type, Map<String, TypeInformation<?>> genericParameters) {
      return new VersionedTypeInformation<>(RejectedMessage.class, INSTANCE);
    }
  }
}
