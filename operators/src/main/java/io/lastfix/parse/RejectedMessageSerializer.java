package io.lastfix.parse;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout, version 1: the message as {@link RawMessageSerializer} has it, the reason's code (UTF),
 * detail (UTF), records (int), stage (UTF).
 *
 * <p>The name of the snapshot class is the version: another layout needs another class, and this
 * one then says how to migrate from it.
 */
public final class RejectedMessageSerializer extends ImmutableSerializer<RejectedMessage> {
  static final RejectedMessageSerializer INSTANCE = new RejectedMessageSerializer();

  @Override
  public RejectedMessage createInstance() {
    return new RejectedMessage(
        RawMessageSerializer.INSTANCE.createInstance(),
        new Rejection(RejectionReason.MALFORMED, ""),
        "");
  }

  @Override
  public void serialize(RejectedMessage rejected, DataOutputView target) throws IOException {
    RawMessageSerializer.INSTANCE.serialize(rejected.message(), target);
    target.writeUTF(rejected.rejection().reason().code());
    target.writeUTF(rejected.rejection().detail());
    target.writeInt(rejected.rejection().records());
    target.writeUTF(rejected.stage());
  }

  @Override
  public RejectedMessage deserialize(DataInputView source) throws IOException {
    RawMessage message = RawMessageSerializer.INSTANCE.deserialize(source);
    RejectionReason reason = RejectionReason.ofCode(source.readUTF());
    Rejection rejection = new Rejection(reason, source.readUTF(), source.readInt());
    return new RejectedMessage(message, rejection, source.readUTF());
  }

  @Override
  public TypeSerializerSnapshot<RejectedMessage> snapshotConfiguration() {
    return new SnapshotV1();
  }

  /** Version 1 of the layout. Public because Flink makes it. */
  public static final class SnapshotV1 extends SimpleTypeSerializerSnapshot<RejectedMessage> {
    public SnapshotV1() {
      super(() -> INSTANCE);
    }
  }
}
