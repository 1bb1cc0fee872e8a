package io.lastfix.model.located;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link LocatedRecord} in the topic of located records. The key is the user in
 * UTF-8. The value, version 1:
 *
 * <pre>
 * value      1 byte version (1), 1 byte flags, zigzag milliseconds since 1970-01-01T00:00:00Z, then
 *            by flag cell, fix, position of the cell
 * flags      1: cell, 2: fix, 4: position of the cell, 8: far, plus 16 times the radio: 0 for none,
 *            1 GSM, 2 CDMA, 3 UMTS, 4 LTE, 5 NR; the highest bit is 0
 * cell       varint mcc, varint mnc, varint area + 1 (0: no area), varint cid
 * fix        position, 1 byte source (1 gnss, 2 network, 3 mlp), 1 byte flags (1: accuracy, 2:
 *            altitude), then those: 8 bytes metres each
 * position   8 bytes lon, 8 bytes lat, in degrees (WGS 84)
 * 8 bytes    IEEE 754 double, big-endian
 * varint     groups of 7 bits, lowest first, the high bit set on all but the last
 * zigzag     varint of (v &lt;&lt; 1) ^ (v &gt;&gt; 63)
 * </pre>
 *
 * <p>A record at a known cell has about 34 bytes. Bytes after the last field are an error: another
 * meaning needs another version.
 *
 * <p>The fix has no {@link Fix#shape()}: it may be long, and it is no part of a record's identity.
 * The range of the cell is in a header: see {@link CellRange}.
 */
public final class LocatedRecordCodec {
  private static final int VERSION = 1;

  private static final int CELL = 1;
  private static final int FIX = 1 << 1;
  private static final int CELL_POSITION = 1 << 2;
  private static final int FAR = 1 << 3;
  private static final int RADIO_SHIFT = 4;
  private static final int UNKNOWN_FLAGS = 1 << 7;

  private static final int ACCURACY = 1;
  private static final int ALTITUDE = 1 << 1;

  private static final int GROUP_BITS = 7;
  private static final int LAST_SHIFT = 63;

  /** Version and flags, a zigzag, a cell of 2, 3, 4 and 6 bytes, a fix, a position. */
  private static final int MAX_BYTES = 2 + 10 + 15 + 34 + 16;

  private LocatedRecordCodec() {}

  /**
   * Returns the message's key. It replaces unpaired surrogates, which UTF-8 cannot represent, by
   * question marks.
   */
  public static byte[] key(LocatedRecord record) {
    return record.user().getBytes(UTF_8);
  }

  /** Returns the message's value. */
  public static byte[] write(LocatedRecord record) {
    ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
    CellId cell = record.cell();
    Fix fix = record.fix();
    Radio radio = record.place().radio();
    Position cellPosition = record.cellPosition();
    out.put((byte) VERSION);
    out.put(
        (byte)
            ((cell == null ? 0 : CELL)
                | (fix == null ? 0 : FIX)
                | (cellPosition == null ? 0 : CELL_POSITION)
                | (record.isFar() ? FAR : 0)
                | ((radio == null ? 0 : radio.code()) << RADIO_SHIFT)));
    long millis = record.timestampMillis();
    writeVarint((millis << 1) ^ (millis >> LAST_SHIFT), out);
    if (cell != null) {
      writeCell(cell, out);
    }
    if (fix != null) {
      writeFix(fix, out);
    }
    if (cellPosition != null) {
      writePosition(cellPosition, out);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static void writeCell(CellId cell, ByteBuffer out) {
    writeVarint(cell.mcc(), out);
    writeVarint(cell.mnc(), out);
    writeVarint(cell.area() + 1, out);
    writeVarint(cell.cid(), out);
  }

  private static void writeFix(Fix fix, ByteBuffer out) {
    Double accuracy = fix.accuracyMeters();
    Double altitude = fix.altitudeMeters();
    writePosition(fix.position(), out);
    out.put((byte) fix.source().code());
    out.put((byte) ((accuracy == null ? 0 : ACCURACY) | (altitude == null ? 0 : ALTITUDE)));
    if (accuracy != null) {
      out.putDouble(accuracy);
    }
    if (altitude != null) {
      out.putDouble(altitude);
    }
  }

  private static void writePosition(Position position, ByteBuffer out) {
    out.putDouble(position.lon());
    out.putDouble(position.lat());
  }

  private static void writeVarint(long value, ByteBuffer out) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.put((byte) ((rest & 0x7F) | 0x80));
      rest >>>= GROUP_BITS;
    }
    out.put((byte) rest);
  }

  /**
   * Reads a message.
   *
   * @param key the message's key; null if it has none
   * @param value the message's value; null if it has none
   * @throws LocatedRecordFormatException if one of them is missing, the key is no user, or the
   *     value is of an unknown version, has unknown flags, is cut off, is too long, or holds an
   *     impossible value
   */
  public static LocatedRecord read(byte @Nullable [] key, byte @Nullable [] value)
      throws LocatedRecordFormatException {
    String user = readUser(key);
    if (value == null) {
      throw new LocatedRecordFormatException("value: expected bytes, found nothing", null);
    }
    return readValue(user, value);
  }

  /**
   * Reads a message's value if its key was read elsewhere.
   *
   * @throws LocatedRecordFormatException as {@link #read}
   */
  public static LocatedRecord readValue(String user, byte[] value)
      throws LocatedRecordFormatException {
    ByteBuffer in = ByteBuffer.wrap(value);
    try {
      LocatedRecord record = readFields(user, in);
      if (in.hasRemaining()) {
        throw new LocatedRecordFormatException(
            "%d bytes after the last field".formatted(in.remaining()), null);
      }
      return record;
    } catch (BufferUnderflowException e) {
      throw new LocatedRecordFormatException("cut off after %d bytes".formatted(value.length), e);
    } catch (IllegalArgumentException e) {
      throw new LocatedRecordFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  private static String readUser(byte @Nullable [] key) throws LocatedRecordFormatException {
    if (key == null || key.length == 0) {
      throw new LocatedRecordFormatException("key: expected a user, found nothing", null);
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
    } catch (CharacterCodingException e) {
      throw new LocatedRecordFormatException("key: expected UTF-8", e);
    }
  }

  private static LocatedRecord readFields(String user, ByteBuffer in)
      throws LocatedRecordFormatException {
    int version = in.get();
    if (version != VERSION) {
      throw new LocatedRecordFormatException(
          "version: expected %d, found %d".formatted(VERSION, version), null);
    }
    int flags = in.get();
    if ((flags & UNKNOWN_FLAGS) != 0) {
      throw unknownFlags("flags", flags);
    }
    long zigzag = readVarint(in);
    CellId cell = (flags & CELL) == 0 ? null : readCell(in);
    Fix fix = (flags & FIX) == 0 ? null : readFix(in);
    Position cellPosition = (flags & CELL_POSITION) == 0 ? null : readPosition(in);
    return new LocatedRecord(
        user,
        place(cell, flags >> RADIO_SHIFT, fix),
        (zigzag >>> 1) ^ -(zigzag & 1),
        cellPosition,
        (flags & FAR) != 0);
  }

  private static Place place(@Nullable CellId cell, int radio, @Nullable Fix fix)
      throws LocatedRecordFormatException {
    if (cell == null && fix == null) {
      throw new LocatedRecordFormatException("flags: expected a cell or a fix", null);
    }
    if (cell == null && radio != 0) {
      throw new LocatedRecordFormatException("flags: expected no radio, as there is no cell", null);
    }
    return Place.of(cell, radio == 0 ? null : Radio.ofCode(radio), fix);
  }

  private static CellId readCell(ByteBuffer in) throws LocatedRecordFormatException {
    int mcc = readUpTo(CellId.MAX_MCC, "mcc", in);
    int mnc = readUpTo(CellId.MAX_MNC, "mnc", in);
    int area = readUpTo(CellId.MAX_AREA + 1, "area + 1", in) - 1;
    return new CellId(mcc, mnc, area, readVarint(in));
  }

  private static Fix readFix(ByteBuffer in) throws LocatedRecordFormatException {
    Position position = readPosition(in);
    PositionSource source = PositionSource.ofCode(in.get());
    int flags = in.get();
    if ((flags & ~(ACCURACY | ALTITUDE)) != 0) {
      throw unknownFlags("flags of the fix", flags);
    }
    Double accuracy = (flags & ACCURACY) == 0 ? null : in.getDouble();
    Double altitude = (flags & ALTITUDE) == 0 ? null : in.getDouble();
    return new Fix(position, source, accuracy, altitude, null);
  }

  private static Position readPosition(ByteBuffer in) {
    double lon = in.getDouble();
    return new Position(lon, in.getDouble());
  }

  private static int readUpTo(int max, String what, ByteBuffer in)
      throws LocatedRecordFormatException {
    long value = readVarint(in);
    if (value < 0 || value > max) {
      throw new LocatedRecordFormatException(
          "%s: expected 0 to %d, found %s".formatted(what, max, Long.toUnsignedString(value)),
          null);
    }
    return (int) value;
  }

  private static long readVarint(ByteBuffer in) throws LocatedRecordFormatException {
    long value = 0;
    for (int shift = 0; shift < LAST_SHIFT; shift += GROUP_BITS) {
      byte group = in.get();
      value |= (long) (group & 0x7F) << shift;
      if (group >= 0) {
        return value;
      }
    }
    byte last = in.get();
    if (last != 0 && last != 1) {
      throw new LocatedRecordFormatException("varint: expected at most 64 bits", null);
    }
    return value | ((long) last << LAST_SHIFT);
  }

  private static LocatedRecordFormatException unknownFlags(String what, int flags) {
    return new LocatedRecordFormatException(
        "%s: unknown, found 0x%02x".formatted(what, flags & 0xFF), null);
  }
}
