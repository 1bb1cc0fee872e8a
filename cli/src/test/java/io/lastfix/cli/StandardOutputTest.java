package io.lastfix.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  /** Of the size of one line. */
  private static final class FullDisk extends OutputStream {
    private boolean isFull;

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      if (isFull) {
        throw new IOException("No space left on device");
      }
      isFull = true;
    }
  }

  private static void printTwoLines(StandardOutput output) {
    PrintWriter writer = new PrintWriter(output, true, UTF_8);
    writer.println("one");
    writer.println("two");
    writer.println("three");
  }

  @Test
  void whatDoesNotFitOnTheDiskIsAFailure() {
    StandardOutput output = new StandardOutput(new FullDisk(), () -> false);

    printTwoLines(output);

    assertThat(output.failure())
        .get()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("space");
  }

  @Test
  void aReaderThatHasEndedIsNone() {
    StandardOutput output = new StandardOutput(new FullDisk(), () -> true);

    printTwoLines(output);

    assertThat(output.failure()).isEmpty();
  }

  @Test
  void whatFitsIsWrittenAsItIs() {
    ByteArrayOutputStream disk = new ByteArrayOutputStream();
    StandardOutput output = new StandardOutput(disk, () -> false);

    printTwoLines(output);

    assertThat(disk.toString(UTF_8).lines()).containsExactly("one", "two", "three");
    assertThat(output.failure()).isEmpty();
  }
}
