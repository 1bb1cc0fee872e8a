package io.lastfix.serialization;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The building blocks of every layout. A change to one of them changes the format of each
 * serializer that uses it.
 *
 * <ul>
 *   <li>varint: groups of 7 bits, lowest first, the high bit set on all but the last; 1 to 10 bytes
 *   <li>zigzag: a varint of {@code (v << 1) ^ (v >> 63)}, so that small negative values stay small
 *   <li>text: varint number of bytes, UTF-8 bytes
 *   <li>cell: varint mcc, varint mnc, varint area + 1 (0: no area), varint cid
 *   <li>position: 8 bytes lon, 8 bytes lat, IEEE 754, big-endian
 *   <li>fix: position, 1 byte {@link PositionSource#code()}, 1 byte of flags (1: accuracy, 2:
 *       altitude, 4: shape), then those: 8 bytes, 8 bytes, text
 *   <li>place: 1 byte with two flags (1: cell, 2: fix) and four times the {@link Radio#code()}, or
 *       0 for none; then cell and fix
 *   <li>record: text user, place, zigzag timestamp
 *   <li>located: place, zigzag timestamp, 1 byte of flags (1: cell's position, 2: far, 4: cell's
 *       range), then the cell's position and varint range, those that the flags name
 *   <li>revision: varint number + 1, varint offset + 1, varint partition + 1
 *   <li>tower: 1 byte {@link Radio#code()}, varint number of versions, for each: zigzag
 *       milliseconds, position, varint range
 * </ul>
 */
public final class BinaryFormat {
  private static final int MAX_VARINT_SHIFT = 63;
  private static final int NO_RADIO = 0;

  private static final int CELL = 1;
  private static final int FIX = 2;
  private static final int RADIO_SHIFT = 2;

  private static final int ACCURACY = 1;
  private static final int ALTITUDE = 2;
  private static final int SHAPE = 4;

  private static final int CELL_POSITION = 1;
  private static final int FAR = 2;
  private static final int CELL_RANGE = 4;

  private BinaryFormat() {}

  /** Writes a value as a varint; a negative one takes 10 bytes. */
  public static void writeVarint(long value, DataOutputView target) throws IOException {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      target.writeByte((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    target.writeByte((int) rest);
  }

  /**
   * Reads a varint.
   *
   * @throws IOException if it is longer than a long, or the input ends
   */
  public static long readVarint(DataInputView source) throws IOException {
    long value = 0;
    for (int shift = 0; shift <= MAX_VARINT_SHIFT; shift += 7) {
      byte group = source.readByte();
      value |= (long) (group & 0x7F) << shift;
      if (group >= 0) {
        return value;
      }
    }
    throw new IOException("varint: expected at most 10 bytes");
  }

  /**
   * Reads a varint that must fit a non-negative int.
   *
   * @throws IOException if it does not fit
   */
  public static int readVarint32(DataInputView source) throws IOException {
    long value = readVarint(source);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new IOException("varint: expected 0 to %d".formatted(Integer.MAX_VALUE));
    }
    return (int) value;
  }

  /** Writes a signed value as a zigzag. */
  public static void writeZigzag(long value, DataOutputView target) throws IOException {
    writeVarint((value << 1) ^ (value >> 63), target);
  }

  /** Reads a zigzag. */
  public static long readZigzag(DataInputView source) throws IOException {
    long value = readVarint(source);
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * Writes a text. It replaces unpaired surrogates, which UTF-8 cannot represent, by question
   * marks.
   */
  public static void writeText(String text, DataOutputView target) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    writeVarint(bytes.length, target);
    target.write(bytes);
  }

  /** Reads a text. */
  public static String readText(DataInputView source) throws IOException {
    byte[] bytes = new byte[readVarint32(source)];
    source.readFully(bytes);
    return new String(bytes, UTF_8);
  }

  /** Writes a cell. */
  public static void writeCell(CellId cell, DataOutputView target) throws IOException {
    writeVarint(cell.mcc(), target);
    writeVarint(cell.mnc(), target);
    writeVarint(cell.area() + 1, target);
    writeVarint(cell.cid(), target);
  }

  /** Reads a cell. */
  public static CellId readCell(DataInputView source) throws IOException {
    int mcc = readVarint32(source);
    int mnc = readVarint32(source);
    int area = readVarint32(source) - 1;
    return new CellId(mcc, mnc, area, readVarint(source));
  }

  /** Writes a position. */
  public static void writePosition(Position position, DataOutputView target) throws IOException {
    target.writeDouble(position.lon());
    target.writeDouble(position.lat());
  }

  /** Reads a position. */
  public static Position readPosition(DataInputView source) throws IOException {
    double lon = source.readDouble();
    return new Position(lon, source.readDouble());
  }

  private static void writeFix(Fix fix, DataOutputView target) throws IOException {
    writePosition(fix.position(), target);
    target.writeByte(fix.source().code());
    Double accuracy = fix.accuracyMeters();
    Double altitude = fix.altitudeMeters();
    String shape = fix.shape();
    target.writeByte(
        (accuracy == null ? 0 : ACCURACY)
            | (altitude == null ? 0 : ALTITUDE)
            | (shape == null ? 0 : SHAPE));
    if (accuracy != null) {
      target.writeDouble(accuracy);
    }
    if (altitude != null) {
      target.writeDouble(altitude);
    }
    if (shape != null) {
      writeText(shape, target);
    }
  }

  private static Fix readFix(DataInputView source) throws IOException {
    Position position = readPosition(source);
    PositionSource from = PositionSource.ofCode(source.readByte());
    int flags = source.readByte();
    Double accuracy = (flags & ACCURACY) == 0 ? null : source.readDouble();
    Double altitude = (flags & ALTITUDE) == 0 ? null : source.readDouble();
    String shape = (flags & SHAPE) == 0 ? null : readText(source);
    return new Fix(position, from, accuracy, altitude, shape);
  }

  static void writePlace(Place place, DataOutputView target) throws IOException {
    CellId cell = place.cell();
    Fix fix = place.fix();
    Radio radio = place.radio();
    target.writeByte(
        (cell == null ? 0 : CELL)
            | (fix == null ? 0 : FIX)
            | (radio == null ? NO_RADIO : radio.code()) << RADIO_SHIFT);
    if (cell != null) {
      writeCell(cell, target);
    }
    if (fix != null) {
      writeFix(fix, target);
    }
  }

  static Place readPlace(DataInputView source) throws IOException {
    int flags = source.readByte();
    CellId cell = (flags & CELL) == 0 ? null : readCell(source);
    Fix fix = (flags & FIX) == 0 ? null : readFix(source);
    int radio = flags >> RADIO_SHIFT;
    return Place.of(cell, radio == NO_RADIO ? null : Radio.ofCode(radio), fix);
  }

  /** Writes a record. */
  public static void writeRecord(LocationRecord record, DataOutputView target) throws IOException {
    writeText(record.user(), target);
    writePlace(record.place(), target);
    writeZigzag(record.timestampMillis(), target);
  }

  /** Reads a record. */
  public static LocationRecord readRecord(DataInputView source) throws IOException {
    String user = readText(source);
    Place place = readPlace(source);
    return new LocationRecord(user, place, readZigzag(source));
  }

  /** Writes a located record without its user. */
  public static void writeLocated(LocatedRecord record, DataOutputView target) throws IOException {
    writePlace(record.place(), target);
    writeZigzag(record.timestampMillis(), target);
    Position cellPosition = record.cellPosition();
    int range = record.cellRangeMeters();
    target.writeByte(
        (cellPosition == null ? 0 : CELL_POSITION)
            | (record.isFar() ? FAR : 0)
            | (range == 0 ? 0 : CELL_RANGE));
    if (cellPosition != null) {
      writePosition(cellPosition, target);
    }
    if (range != 0) {
      writeVarint(range, target);
    }
  }

  /** Reads a located record of that user. */
  public static LocatedRecord readLocated(String user, DataInputView source) throws IOException {
    Place place = readPlace(source);
    long timestampMillis = readZigzag(source);
    int flags = source.readByte();
    Position cellPosition = (flags & CELL_POSITION) == 0 ? null : readPosition(source);
    int range = (flags & CELL_RANGE) == 0 ? 0 : readVarint32(source);
    return new LocatedRecord(user, place, timestampMillis, cellPosition, (flags & FAR) != 0, range);
  }

  /** Writes a revision. */
  public static void writeRevision(Revision revision, DataOutputView target) throws IOException {
    writeVarint(revision.number() + 1, target);
    writeVarint(revision.offset() + 1, target);
    writeVarint(revision.partition() + 1, target);
  }

  /** Reads a revision. */
  public static Revision readRevision(DataInputView source) throws IOException {
    long number = readVarint(source) - 1;
    long offset = readVarint(source) - 1;
    return new Revision(number, offset, readVarint32(source) - 1);
  }

  /** Writes a tower. */
  public static void writeTower(Tower tower, DataOutputView target) throws IOException {
    target.writeByte(tower.radio().code());
    writeVarint(tower.versions().size(), target);
    for (CellVersion version : tower.versions()) {
      writeZigzag(version.validFromMillis(), target);
      writePosition(version.position(), target);
      writeVarint(version.rangeMeters(), target);
    }
  }

  /** Reads a tower. */
  public static Tower readTower(DataInputView source) throws IOException {
    Radio radio = Radio.ofCode(source.readByte());
    int count = readVarint32(source);
    if (count == 1) {
      return new Tower(radio, List.of(readCellVersion(source)));
    }
    List<CellVersion> versions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      versions.add(readCellVersion(source));
    }
    return new Tower(radio, versions);
  }

  private static CellVersion readCellVersion(DataInputView source) throws IOException {
    long validFromMillis = readZigzag(source);
    Position position = readPosition(source);
    return new CellVersion(validFromMillis, position, readVarint32(source));
  }
}
