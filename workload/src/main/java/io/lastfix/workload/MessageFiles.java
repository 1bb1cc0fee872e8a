package io.lastfix.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages from files, byte for byte. */
public final class MessageFiles {
  private MessageFiles() {}

  /**
   * One message a line, from a gzipped or plain file, which is closed at its end. The line end
   * ({@code \n} or {@code \r\n}) is not part of the message, and empty lines are skipped.
   */
  public static Iterator<OutgoingMessage> lines(Path file, MessageFormat format)
      throws IOException {
    return new Lines(Gzip.open(file), file, format);
  }

  /** One message a file, in the order of the names; hidden files and subfolders are skipped. */
  public static Iterator<OutgoingMessage> folder(Path folder, MessageFormat format)
      throws IOException {
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files =
          entries
              .filter(Files::isRegularFile)
              .filter(file -> !file.getFileName().toString().startsWith("."))
              .sorted()
              .toList();
    }
    if (files.isEmpty()) {
      throw new IOException(folder + ": expected files, found none");
    }
    return files.stream().map(file -> OutgoingMessage.opaque(format, bytesOf(file))).iterator();
  }

  private static byte[] bytesOf(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Lines implements Iterator<OutgoingMessage> {
    private final InputStream in;
    private final Path file;
    private final MessageFormat format;
    private final byte[] chunk = new byte[1 << 16];
    private int position;
    private int end;
    private boolean closed;
    private byte @Nullable [] next;

    Lines(InputStream in, Path file, MessageFormat format) {
      this.in = in;
      this.file = file;
      this.format = format;
      next = nextMessage();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public OutgoingMessage next() {
      byte[] value = next;
      if (value == null) {
        throw new NoSuchElementException(file + " is at its end");
      }
      next = nextMessage();
      return OutgoingMessage.opaque(format, value);
    }

    private byte @Nullable [] nextMessage() {
      try {
        byte[] line = nextLine();
        while (line != null && line.length == 0) {
          line = nextLine();
        }
        return line;
      } catch (IOException e) {
        throw new UncheckedIOException(file + ": " + e.getMessage(), e);
      }
    }

    /** The bytes up to the next line end, without it; null at the end of the file. */
    private byte @Nullable [] nextLine() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
      while (position < end || (!closed && fillChunk())) {
        int lineEnd = position;
        while (lineEnd < end && chunk[lineEnd] != '\n') {
          lineEnd++;
        }
        line.write(chunk, position, lineEnd - position);
        position = lineEnd + 1;
        if (lineEnd < end) {
          return withoutReturn(line.toByteArray());
        }
      }
      return line.size() == 0 ? null : withoutReturn(line.toByteArray());
    }

    private boolean fillChunk() throws IOException {
      position = 0;
      end = Math.max(0, in.read(chunk));
      if (end == 0) {
        in.close();
        closed = true;
      }
      return end > 0;
    }

    private static byte[] withoutReturn(byte[] line) {
      boolean endsInReturn = line.length > 0 && line[line.length - 1] == '\r';
      return endsInReturn ? Arrays.copyOf(line, line.length - 1) : line;
    }
  }
}
