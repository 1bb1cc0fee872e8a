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
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 4: the message as version 3 of {@link RawMessageSerializer} has it, the
 * reason's code (UTF), detail (UTF), records (int), stage (UTF). Another layout of the message is
 * another version of this one too. Version 3 had version 2 of the message. Version 1 had version 1
 * of the message; so had version 2, and at the end how many bytes had been left out (long), of
 * which only the sum is known: it is read as the value's length.
 */
public final class RejectedMessageSerializer extends VersionedSerializer<RejectedMessage> {
  static final int VERSION = 4;
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
  }

  @Override
  protected RejectedMessage read(DataInputView source, int version) throws IOException {
    RawMessage message = RawMessageSerializer.INSTANCE.read(source, messageVersion(version));
    RejectionReason reason = RejectionReason.ofCode(source.readUTF());
    Rejection rejection = new Rejection(reason, source.readUTF(), source.readInt());
    String stage = source.readUTF();
    long omitted = version == 2 ? source.readLong() : 0;
    if (omitted > 0) {
      message =
          new RawMessage(
              message.topic(),
              message.partition(),
              message.offset(),
              null,
              RawMessage.ABSENT,
              null,
              (int) Math.min(Integer.MAX_VALUE, omitted));
    }
    return new RejectedMessage(message, rejection, stage);
  }

  private static int messageVersion(int version) {
    return switch (version) {
      case 1, 2 -> 1;
      case 3 -> 2;
      default -> RawMessageSerializer.VERSION;
    };
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
