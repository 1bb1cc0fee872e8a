package io.lastfix.model.gzip;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip (RFC 1952), all members to the last byte. {@link java.util.zip.GZIPInputStream}
 * treats a later member with a damaged header as the end of the file, and calls itself for each
 * empty member: 10,000 of them, 200 kB, overflow the stack. Here anything but complete members is
 * an error, and the stack is the same for any number of them.
 */
public final class StrictGzipInputStream extends InputStream {
  private static final int MAGIC = 0x1f8b;
  private static final int DEFLATE = 8;
  private static final int HAS_HEADER_CHECKSUM = 1 << 1;
  private static final int HAS_EXTRA = 1 << 2;
  private static final int HAS_NAME = 1 << 3;
  private static final int HAS_COMMENT = 1 << 4;
  private static final int RESERVED = 0b1110_0000;

  private final InputStream compressed;
  private final byte[] buffer;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private int position;
  private int limit;
  private int members;
  private boolean inMember;

  /**
   * A stream that reads the input in pieces.
   *
   * @param compressed the input; stays open
   * @param bufferBytes the largest piece, 1 or more
   */
  public StrictGzipInputStream(InputStream compressed, int bufferBytes) {
    this.compressed = compressed;
    this.buffer = new byte[bufferBytes];
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * Decompresses into the array.
   *
   * @throws ZipException if the input has anything but complete members
   * @throws EOFException if the last member is cut short
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (inMember || beginMember()) {
      int count = inflate(target, offset, length);
      if (count > 0) {
        checksum.update(target, offset, count);
        return count;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsInput()) {
        if (!fill()) {
          throw cutShort();
        }
        inflater.setInput(buffer, position, limit - position);
      } else {
        throw damaged("needs a dictionary");
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws ZipException {
    try {
      return inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  /** Returns false at the end of the file. */
  private boolean beginMember() throws IOException {
    if (position == limit && !fill()) {
      return false;
    }
    members++;
    if ((nextByte() << 8 | nextByte()) != MAGIC) {
      throw damaged("does not begin like one");
    }
    if (nextByte() != DEFLATE) {
      throw damaged("unknown compression");
    }
    int flags = nextByte();
    if ((flags & RESERVED) != 0) {
      throw damaged("unknown flags");
    }
    skip(6); // Modification time, extra flags, operating system
    if ((flags & HAS_EXTRA) != 0) {
      skip(nextByte() | nextByte() << 8);
    }
    if ((flags & HAS_NAME) != 0) {
      skipText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipText();
    }
    if ((flags & HAS_HEADER_CHECKSUM) != 0) {
      skip(2);
    }
    inflater.reset();
    inflater.setInput(buffer, position, limit - position);
    checksum.reset();
    inMember = true;
    return true;
  }

  private void endMember() throws IOException {
    position = limit - inflater.getRemaining();
    if (nextInt() != checksum.getValue()) {
      throw damaged("its checksum is not that of its contents");
    }
    if (nextInt() != (inflater.getBytesWritten() & 0xffff_ffffL)) {
      throw damaged("its length is not that of its contents");
    }
    inMember = false;
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      nextByte();
    }
  }

  private void skipText() throws IOException {
    while (nextByte() != 0) {
      // Skip to the terminating zero byte.
    }
  }

  /** Reads an unsigned 32-bit number, the least significant byte first. */
  private long nextInt() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      value |= (long) nextByte() << shift;
    }
    return value;
  }

  private int nextByte() throws IOException {
    if (position == limit && !fill()) {
      throw cutShort();
    }
    return buffer[position++] & 0xff;
  }

  /** Returns false at the end of the file. */
  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, compressed.read(buffer));
    return limit > 0;
  }

  private ZipException damaged(String reason) {
    return new ZipException("gzip member " + members + ": " + reason);
  }

  private EOFException cutShort() {
    return new EOFException("gzip member " + members + ": cut short");
  }

  /** Frees the decompressor's native memory. */
  @Override
  public void close() {
    inflater.end();
  }
}
