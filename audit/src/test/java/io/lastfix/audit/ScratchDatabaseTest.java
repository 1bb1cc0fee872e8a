package io.lastfix.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ScratchDatabaseTest {
  private static final String MEGABYTES_100 = "100000000";

  @Test
  void whatIsInsertedIsFound() throws Exception {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      scratch.execute("CREATE TABLE numbers (n)");
      ScratchDatabase.Insert insert = scratch.insert("INSERT INTO numbers VALUES (?)");
      for (int i = 0; i < 2_500; i++) {
        insert.row(i);
      }
      scratch.flush();
      try (ResultSet sum = scratch.prepare("SELECT sum(n) FROM numbers").executeQuery()) {
        assertThat(sum.getLong(1)).isEqualTo(2_499L * 2_500 / 2);
      }
    }
  }

  /** Where the system shows a process's open files. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void whatDoesNotFitIntoTheCacheIsOnDiskAndNotEvenAKilledProcessLeavesIt(
      @TempDir Path temporary, @TempDir Path ofTheDriver) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-Dorg.sqlite.tmpdir=" + ofTheDriver,
                "-cp",
                System.getProperty("java.class.path"),
                ScratchDatabaseHolder.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo(MEGABYTES_100);

      assertThat(openFiles(process))
          .anySatisfy(
              file -> assertThat(file).startsWith(temporary.toString()).endsWith(" (deleted)"));
      assertThat(temporary).isEmptyDirectory();
    } finally {
      process.destroyForcibly().onExit().join();
    }
    assertThat(temporary).isEmptyDirectory();
  }

  private static List<String> openFiles(Process process) throws IOException {
    try (Stream<Path> links = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      List<String> files = new ArrayList<>();
      for (Path link : links.toList()) {
        files.add(Files.readSymbolicLink(link).toString());
      }
      return files;
    }
  }
}
