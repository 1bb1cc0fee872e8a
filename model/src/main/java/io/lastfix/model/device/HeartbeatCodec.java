package io.lastfix.model.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.device.HeartbeatMessage.Bye;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.HeartbeatMessage.Sign;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link HeartbeatMessage}. Version 1:
 *
 * <pre>
 * message    1 byte version (1), 1 byte kind, then by kind
 * tick       (kind 0) text gateway
 * record     (kind 1) varint accepted bytes, text sdk
 * heartbeat  (kind 2) varint accepted bytes, varint sequence, varint interval in seconds, text
 *            class, text sdk, 1 byte length of the manifest's hash (0 or 32) and the hash, text
 *            status
 * bye        (kind 3) nothing
 * varint     groups of 7 bits, lowest first, the high bit set on all but the last
 * text       varint number of bytes (0: absent), UTF-8
 * </pre>
 *
 * <p>A sign of life by a record has about 20 bytes, a heartbeat about 70. Bytes after the last
 * field are an error: another meaning needs another version.
 */
public final class HeartbeatCodec {
  private static final int VERSION = 1;
  private static final int TICK = 0;
  private static final int RECORD = 1;
  private static final int HEARTBEAT = 2;
  private static final int BYE = 3;
  private static final int MAX_VARINT_SHIFT = 63;

  /** A character of UTF-16 has at most three bytes in UTF-8. */
  private static final int MAX_TEXT_BYTES = 3 * HeartbeatMessage.MAX_TEXT;

  private HeartbeatCodec() {}

  /** Writes a message. */
  public static byte[] write(HeartbeatMessage message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(96);
    out.write(VERSION);
    if (message instanceof Tick tick) {
      out.write(TICK);
      writeText(tick.gateway(), out);
    } else if (message instanceof RecordSign sign) {
      out.write(RECORD);
      writeVarint(sign.acceptedBytes(), out);
      writeText(sign.sdk(), out);
    } else if (message instanceof Heartbeat heartbeat) {
      out.write(HEARTBEAT);
      writeHeartbeat(heartbeat, out);
    } else if (message instanceof Bye) {
      out.write(BYE);
    }
    return out.toByteArray();
  }

  private static void writeHeartbeat(Heartbeat heartbeat, ByteArrayOutputStream out) {
    writeVarint(heartbeat.acceptedBytes(), out);
    writeVarint(heartbeat.sequence(), out);
    writeVarint(heartbeat.intervalSeconds(), out);
    writeText(heartbeat.deviceClass(), out);
    writeText(heartbeat.sdk(), out);
    String manifest = heartbeat.manifest();
    out.write(manifest == null ? 0 : HeartbeatMessage.MANIFEST_BYTES);
    if (manifest != null) {
      out.writeBytes(HexFormat.of().parseHex(manifest));
    }
    writeText(heartbeat.status(), out);
  }

  /**
   * Reads a message.
   *
   * @throws HeartbeatFormatException if it is of an unknown version or kind, is cut off, is too
   *     long, or holds an impossible value
   */
  public static HeartbeatMessage read(byte[] bytes) throws HeartbeatFormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int version = in.get();
      if (version != VERSION) {
        throw new HeartbeatFormatException(
            "version: expected %d, found %d".formatted(VERSION, version), null);
      }
      int kind = in.get();
      HeartbeatMessage message =
          switch (kind) {
            case TICK -> readTick(in);
            case RECORD -> new RecordSign(readInt(in), readText(in));
            case HEARTBEAT -> readHeartbeat(in);
            case BYE -> new Bye();
            default ->
                throw new HeartbeatFormatException(
                    "kind: expected 0 to 3, found %d".formatted(kind), null);
          };
      if (in.hasRemaining()) {
        throw new HeartbeatFormatException(
            "%d bytes after the last field".formatted(in.remaining()), null);
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new HeartbeatFormatException("cut off after %d bytes".formatted(bytes.length), e);
    } catch (IllegalArgumentException e) {
      throw new HeartbeatFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Tick readTick(ByteBuffer in) throws HeartbeatFormatException {
    String gateway = readText(in);
    if (gateway == null) {
      throw new HeartbeatFormatException("gateway: expected a text", null);
    }
    return new Tick(gateway);
  }

  private static Sign readHeartbeat(ByteBuffer in) throws HeartbeatFormatException {
    int acceptedBytes = readInt(in);
    long sequence = readVarint(in);
    int intervalSeconds = readInt(in);
    String deviceClass = readText(in);
    String sdk = readText(in);
    int length = in.get();
    if (length != 0 && length != HeartbeatMessage.MANIFEST_BYTES) {
      throw new HeartbeatFormatException("manifest: expected 0 or 32 bytes", null);
    }
    byte[] hash = new byte[length];
    in.get(hash);
    String manifest = length == 0 ? null : HexFormat.of().formatHex(hash);
    return new Heartbeat(
        acceptedBytes, sequence, intervalSeconds, deviceClass, sdk, manifest, readText(in));
  }

  private static void writeVarint(long value, ByteArrayOutputStream out) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static long readVarint(ByteBuffer in) throws HeartbeatFormatException {
    long value = 0;
    for (int shift = 0; shift <= MAX_VARINT_SHIFT; shift += 7) {
      byte group = in.get();
      value |= (long) (group & 0x7F) << shift;
      if (group >= 0) {
        return value;
      }
    }
    throw new HeartbeatFormatException("varint: expected at most 10 bytes", null);
  }

  private static int readInt(ByteBuffer in) throws HeartbeatFormatException {
    long value = readVarint(in);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new HeartbeatFormatException(
          "varint: expected 0 to %d".formatted(Integer.MAX_VALUE), null);
    }
    return (int) value;
  }

  private static void writeText(@Nullable String text, ByteArrayOutputStream out) {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
    writeVarint(bytes.length, out);
    out.writeBytes(bytes);
  }

  private static @Nullable String readText(ByteBuffer in) throws HeartbeatFormatException {
    int length = readInt(in);
    if (length > MAX_TEXT_BYTES) {
      throw new HeartbeatFormatException(
          "text: expected at most %d bytes".formatted(MAX_TEXT_BYTES), null);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    try {
      return length == 0 ? null : UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new HeartbeatFormatException("text: expected UTF-8", e);
    }
  }
}
