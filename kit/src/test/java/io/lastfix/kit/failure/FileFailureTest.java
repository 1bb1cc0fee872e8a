package io.lastfix.kit.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailureTest {
  @TempDir private Path folder;

  @Test
  void whatJavaSaysByTheNameOfAClassIsSaidInWords() throws IOException {
    Path missing = folder.resolve("missing");
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(of(() -> Files.readString(missing))).isEqualTo("there is no such file");
    assertThat(of(() -> Files.createFile(file))).isEqualTo("it exists already");
    assertThat(FileFailure.reason(new NotDirectoryException("file"))).isEqualTo("it is no folder");
    assertThat(of(() -> Files.delete(folder))).isEqualTo("the folder is not empty");
    assertThat(of(() -> Files.createFile(file.resolve("below")))).isEqualTo("Not a directory");
    Files.write(file, new byte[] {(byte) 0xff});
    assertThat(of(() -> Files.readString(file))).isEqualTo("it is not UTF-8 text");
    assertThat(FileFailure.reason(new AccessDeniedException("file")))
        .startsWith("access is denied");
  }

  @Test
  void theSystemsOwnReasonStays() {
    assertThat(FileFailure.reason(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(FileFailure.reason(new FileSystemException("file", null, "Disk quota exceeded")))
        .isEqualTo("Disk quota exceeded");
    assertThat(FileFailure.reason(new IOException())).isEqualTo("IOException");
  }

  private interface Access {
    void run() throws IOException;
  }

  private static String of(Access access) {
    return FileFailure.reason(catchThrowableOfType(IOException.class, access::run));
  }
}
