package io.lastfix.presence;

import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatFormatException;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.presence.PresenceInput.OutageEnded;
import io.lastfix.presence.PresenceInput.SignOfLife;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text key, varint partition, varint time, 1 byte kind; then for a sign of
 * life (1) varint offset, varint length and bytes of {@link HeartbeatCodec}; for an outage (2)
 * varint start, where the time is its end. Flink would leave an interface to Kryo.
 *
 * @see BinaryFormat
 */
public final class PresenceInputSerializer extends VersionedSerializer<PresenceInput> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<PresenceInput> TYPE =
      new VersionedTypeInformation<>(PresenceInput.class, new PresenceInputSerializer());

  private static final int SIGN = 1;
  private static final int OUTAGE = 2;

  /** Reads the newest version. */
  public PresenceInputSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(PresenceInput input, DataOutputView target) throws IOException {
    BinaryFormat.writeText(input.key(), target);
    if (input instanceof SignOfLife sign) {
      BinaryFormat.writeVarint(sign.partition(), target);
      BinaryFormat.writeVarint(sign.timeMillis(), target);
      target.writeByte(SIGN);
      BinaryFormat.writeVarint(sign.offset(), target);
      byte[] bytes = HeartbeatCodec.write(sign.sign());
      BinaryFormat.writeVarint(bytes.length, target);
      target.write(bytes);
    } else if (input instanceof OutageEnded ended) {
      BinaryFormat.writeVarint(ended.outage().partition(), target);
      BinaryFormat.writeVarint(ended.outage().toMillis(), target);
      target.writeByte(OUTAGE);
      BinaryFormat.writeVarint(ended.outage().fromMillis(), target);
    }
  }

  @Override
  protected PresenceInput read(DataInputView source, int version) throws IOException {
    String key = BinaryFormat.readText(source);
    int partition = BinaryFormat.readVarint32(source);
    long timeMillis = BinaryFormat.readVarint(source);
    int kind = source.readByte();
    return switch (kind) {
      case SIGN -> {
        long offset = BinaryFormat.readVarint(source);
        byte[] bytes = new byte[BinaryFormat.readVarint32(source)];
        source.readFully(bytes);
        yield new SignOfLife(key, partition, offset, timeMillis, sign(bytes));
      }
      case OUTAGE ->
          new OutageEnded(key, new Outage(partition, BinaryFormat.readVarint(source), timeMillis));
      default -> throw new IOException("kind: expected 1 or 2, found " + kind);
    };
  }

  private static HeartbeatMessage.Sign sign(byte[] bytes) throws IOException {
    try {
      if (HeartbeatCodec.read(bytes) instanceof HeartbeatMessage.Sign sign) {
        return sign;
      }
    } catch (HeartbeatFormatException e) {
      throw new IOException(e);
    }
    throw new IOException("expected a sign of life, found a tick");
  }

  @Override
  public PresenceInput createInstance() {
    return new OutageEnded("-", new Outage(0, 0, 0));
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<PresenceInput> {
    /** Called by Flink. */
    public Snapshot() {
      super(PresenceInputSerializer::new);
    }
  }
}
