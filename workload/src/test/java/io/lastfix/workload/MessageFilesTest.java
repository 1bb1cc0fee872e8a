package io.lastfix.workload;

import static io.lastfix.workload.Examples.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageFilesTest {
  @TempDir private Path folder;

  @Test
  void eachLineIsAMessageWithoutItsLineEnd() throws IOException {
    Path file = Files.writeString(folder.resolve("messages"), "one\r\n\ntwo\nthree");

    assertThat(texts(MessageFiles.lines(file, MessageFormat.JSON)))
        .containsExactly("one", "two", "three");
  }

  @Test
  void aGzippedFileIsReadAsItsContent() throws IOException {
    byte[] content = "one\ntwo\n".getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(folder.resolve("messages.gz"), Gzip.compress(content));

    assertThat(texts(MessageFiles.lines(file, MessageFormat.JSON))).containsExactly("one", "two");
  }

  @Test
  void aLineMayBeLongerThanAnyBuffer() throws IOException {
    String line = "x".repeat(300_000);
    Path file = Files.writeString(folder.resolve("messages"), line + "\n" + line + "\n");

    assertThat(texts(MessageFiles.lines(file, MessageFormat.JSON))).containsExactly(line, line);
  }

  @Test
  void bytesThatAreNoTextStayAsTheyAre() throws IOException {
    byte[] bytes = {(byte) 0xff, 0, (byte) 0xc3, 'x'};
    Path file = Files.write(folder.resolve("messages"), bytes);

    assertThat(MessageFiles.lines(file, MessageFormat.ARCANUM).next().value()).isEqualTo(bytes);
  }

  @Test
  void anEmptyFileHasNoMessages() throws IOException {
    Path file = Files.writeString(folder.resolve("messages"), "");

    assertThat(MessageFiles.lines(file, MessageFormat.JSON).hasNext()).isFalse();
  }

  @Test
  void eachVisibleFileOfAFolderIsAMessageInTheOrderOfNames() throws IOException {
    Files.writeString(folder.resolve("b.xml"), "second\n");
    Files.writeString(folder.resolve("a.xml"), "first");
    Files.writeString(folder.resolve(".hidden"), "no");
    Files.createDirectory(folder.resolve("sub"));

    assertThat(texts(MessageFiles.folder(folder, MessageFormat.ARCANUM)))
        .containsExactly("first", "second\n");
  }

  @Test
  void anEmptyFolderIsRefused() {
    assertThatThrownBy(() -> MessageFiles.folder(folder, MessageFormat.ARCANUM))
        .isInstanceOf(IOException.class)
        .hasMessage(folder + ": expected files, found none");
  }

  private static List<String> texts(Iterator<OutgoingMessage> messages) {
    return all(messages).stream()
        .map(message -> new String(message.value(), StandardCharsets.UTF_8))
        .toList();
  }
}
