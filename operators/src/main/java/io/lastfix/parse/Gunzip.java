package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.reader.MalformedMessageException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates gzip (RFC 1952) of one or more members, up to a limit.
 *
 * <p>Not with {@code GZIPInputStream}: if a later member's header is broken, it ends silently, and
 * the records of that member would be lost.
 */
final class Gunzip {
  private static final int HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int RESERVED_FLAGS = 0xe0;
  private static final int FIRST_BUFFER_BYTES = 8 * 1024;

  private final byte[] gzip;
  private final int limit;
  private byte[] inflated;
  private int length;

  private Gunzip(byte[] gzip, int limit) {
    this.gzip = gzip;
    this.limit = limit;
    this.inflated = new byte[Math.min(limit, Math.max(FIRST_BUFFER_BYTES, gzip.length))];
  }

  /** Returns true if the bytes start with the magic bytes of gzip. */
  static boolean isGzip(byte[] bytes) {
    return bytes.length >= 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
  }

  /**
   * Returns the decompressed content.
   *
   * @param limit maximum number of bytes to inflate
   * @throws MalformedMessageException if it is not gzip from the first byte to the last, or if it
   *     contains more than the limit
   */
  static byte[] inflate(byte[] gzip, int limit) throws MalformedMessageException {
    Gunzip gunzip = new Gunzip(gzip, limit);
    // Inflaters hold native memory, which no garbage collection returns in time.
    Inflater inflater = new Inflater(true);
    try {
      int at = 0;
      while (at < gzip.length) {
        at = gunzip.member(inflater, at);
      }
    } catch (DataFormatException e) {
      throw new MalformedMessageException(
          RejectionReason.MALFORMED, "not well-formed gzip: damaged", e);
    } finally {
      inflater.end();
    }
    return Arrays.copyOf(gunzip.inflated, gunzip.length);
  }

  /** Inflates the member at an offset, and returns its end. */
  private int member(Inflater inflater, int start)
      throws DataFormatException, MalformedMessageException {
    int dataStart = endOfHeader(start);
    int memberStart = length;
    inflater.reset();
    inflater.setInput(gzip, dataStart, gzip.length - dataStart);
    while (!inflater.finished()) {
      if (length == inflated.length) {
        grow(inflater);
      }
      int count = inflater.inflate(inflated, length, inflated.length - length);
      length += count;
      if (count == 0
          && !inflater.finished()
          && (inflater.needsInput() || inflater.needsDictionary())) {
        throw malformed("cut short", gzip.length);
      }
    }
    int trailer = gzip.length - inflater.getRemaining();
    checkTrailer(trailer, memberStart);
    return trailer + TRAILER_BYTES;
  }

  private void grow(Inflater inflater) throws DataFormatException, MalformedMessageException {
    if (length == limit) {
      // The data may end exactly at the limit, so one more byte is read before it is rejected.
      if (inflater.inflate(new byte[1]) > 0) {
        throw new MalformedMessageException(
            RejectionReason.MESSAGE_TOO_LARGE, "more than " + limit + " bytes decompressed");
      }
      return;
    }
    inflated = Arrays.copyOf(inflated, (int) Math.min(limit, inflated.length * 2L));
  }

  private int endOfHeader(int start) throws MalformedMessageException {
    if (gzip.length - start < HEADER_BYTES) {
      throw malformed("header cut short", start);
    }
    int flags = gzip[start + 3] & 0xff;
    if (gzip[start] != 0x1f
        || gzip[start + 1] != (byte) 0x8b
        || gzip[start + 2] != 8
        || (flags & RESERVED_FLAGS) != 0) {
      throw malformed("bad header", start);
    }
    int at = start + HEADER_BYTES;
    if ((flags & FLAG_EXTRA) != 0) {
      at = checked(at + 2, start);
      at = checked(at + (gzip[at - 2] & 0xff) + ((gzip[at - 1] & 0xff) << 8), start);
    }
    if ((flags & FLAG_NAME) != 0) {
      at = endOfText(at, start);
    }
    if ((flags & FLAG_COMMENT) != 0) {
      at = endOfText(at, start);
    }
    return (flags & FLAG_HEADER_CRC) != 0 ? checked(at + 2, start) : at;
  }

  private int endOfText(int from, int start) throws MalformedMessageException {
    int at = from;
    while (at < gzip.length && gzip[at] != 0) {
      at++;
    }
    return checked(at + 1, start);
  }

  private int checked(int at, int start) throws MalformedMessageException {
    if (at > gzip.length) {
      throw malformed("header cut short", start);
    }
    return at;
  }

  private void checkTrailer(int trailer, int memberStart) throws MalformedMessageException {
    if (gzip.length - trailer < TRAILER_BYTES) {
      throw malformed("trailer cut short", trailer);
    }
    CRC32 crc = new CRC32();
    crc.update(inflated, memberStart, length - memberStart);
    if (littleEndian(trailer) != (int) crc.getValue()
        || littleEndian(trailer + 4) != length - memberStart) {
      throw malformed("checksum or length differ", trailer);
    }
  }

  private int littleEndian(int at) {
    return (gzip[at] & 0xff)
        | (gzip[at + 1] & 0xff) << 8
        | (gzip[at + 2] & 0xff) << 16
        | (gzip[at + 3] & 0xff) << 24;
  }

  private static MalformedMessageException malformed(String what, int offset) {
    return new MalformedMessageException(
        RejectionReason.MALFORMED, "not well-formed gzip: " + what + " at byte " + offset);
  }
}
