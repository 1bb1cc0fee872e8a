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
 * Layout of version 5: the message in version 4 of {@link RawMessageSerializer}, the reason's code
 * (UTF), detail (UTF), records (int), stage (UTF). Each new layout of the message needs a new
 * version here, too. Version 4 contained version 3 of the message, version 3 contained version 2.
 * Versions 1 and 2 contained version 1. Version 2 ended with the number of omitted bytes of key and
 * value together (long), which is read as the value's length.
 */
public final class RejectedMessageSerializer extends VersionedSerializer<RejectedMessage> {
  static final int VERSION = 5;
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
      case 4 -> 3;
      default -> RawMessageSerializer.VERSION;
    };
  }

  @Override
  public TypeSerializerSnapshot<RejectedMessage> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Savepoints contain its name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<RejectedMessage> {
    /** Called by Flink. */
    public Snapshot() {
      super(VERSION, RejectedMessageSerializer::new);
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
