package io.lastfix.gateway.http;

import io.lastfix.model.gzip.StrictGzipInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Opens gzip bodies as a stream, so that none is ever held as a whole, and counts what they become.
 */
public final class OpenedSize {
  private static final int BUFFER_BYTES = 8 * 1024;

  private OpenedSize() {}

  /** Whether the bytes start as gzip does, by which the job tells it. */
  public static boolean isGzip(byte[] body) {
    return body.length >= 2 && body[0] == 0x1f && body[1] == (byte) 0x8b;
  }

  /** Returns what a body opens to as a stream; a plain body as it is. */
  public static InputStream open(byte[] body) {
    InputStream plain = new ByteArrayInputStream(body);
    return isGzip(body) ? new StrictGzipInputStream(plain, BUFFER_BYTES) : plain;
  }

  /**
   * Returns the number of opened bytes; stops soon after a limit.
   *
   * <p>Damaged gzip counts as far as it can be opened: it costs the job no more than that, and the
   * job rejects it.
   */
  static long of(byte[] gzip, long limit) {
    long opened = 0;
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = open(gzip)) {
      for (int count = 0; count >= 0 && opened <= limit; count = in.read(buffer)) {
        opened += count;
      }
    } catch (IOException e) {
      return opened;
    }
    return opened;
  }
}
