package io.lastfix.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The standard output, which remembers why it could not be written: writers hide that. That the
 * reader of a pipe has ended is no failure.
 */
final class StandardOutput extends FilterOutputStream {
  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/1");

  private final BooleanSupplier isPipe;
  private volatile Optional<IOException> failure = Optional.empty();

  /** That of this process. */
  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out), StandardOutput::isOfPipe);
  }

  StandardOutput(OutputStream out, BooleanSupplier isPipe) {
    super(out);
    this.isPipe = isPipe;
  }

  /** By its kind, since the system's message is in the system's language. */
  private static boolean isOfPipe() {
    try {
      String target = Files.readSymbolicLink(DESCRIPTOR).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException e) {
      // No Linux: a reader that has ended is the usual reason.
      return true;
    }
  }

  /** Returns why not all was written; empty if all was, or if the reader closed the pipe. */
  Optional<IOException> failure() {
    return failure.filter(reason -> !isPipe.getAsBoolean());
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      failure = Optional.of(failure.orElse(e));
      throw e;
    }
  }
}
