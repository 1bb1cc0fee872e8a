package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import io.lastfix.model.gzip.StrictGzipInputStream;
import io.lastfix.parse.reader.MalformedMessageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Inflates gzip of one or more members, up to a limit. */
final class Gunzip {
  private static final int BUFFER_BYTES = 8 * 1024;

  private Gunzip() {}

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
    try (StrictGzipInputStream in =
        new StrictGzipInputStream(new ByteArrayInputStream(gzip), BUFFER_BYTES)) {
      byte[] inflated = in.readNBytes(limit);
      // The data may end exactly at the limit, so one more byte is read before it is rejected.
      if (inflated.length < limit || in.read() < 0) {
        return inflated;
      }
    } catch (IOException e) {
      throw new MalformedMessageException("not well-formed " + e.getMessage(), e);
    }
    throw new MalformedMessageException(
        RejectionReason.MESSAGE_TOO_LARGE, "more than " + limit + " bytes decompressed");
  }
}
