package io.lastfix.workload;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Gzip, recognized by its magic bytes, not by a file's name. */
public final class Gzip {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAGIC_1 = 0x1f;
  private static final int MAGIC_2 = 0x8b;

  private Gzip() {}

  public static byte[] compress(byte[] plain) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(plain.length / 2 + 32);
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException("A byte array cannot fail to be written to", e);
    }
    return compressed.toByteArray();
  }

  /** Opens a gzipped or plain file; the stream is decompressed. */
  static InputStream open(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    try {
      raw.mark(2);
      boolean gzipped = raw.read() == MAGIC_1 && raw.read() == MAGIC_2;
      raw.reset();
      return gzipped
          ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER_BYTES), BUFFER_BYTES)
          : raw;
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }
}
