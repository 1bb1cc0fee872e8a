package io.lastfix.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchDatabaseTest {
  @Test
  void whatIsInsertedIsFoundAndNothingIsLeftBehind() throws Exception {
    Path folder;
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      folder = scratch.folder();
      scratch.execute("CREATE TABLE numbers (n)");
      ScratchDatabase.Insert insert = scratch.insert("INSERT INTO numbers VALUES (?)");
      for (int i = 0; i < 2_500; i++) {
        insert.row(i);
      }
      scratch.flush();
      try (ResultSet sum = scratch.prepare("SELECT sum(n) FROM numbers").executeQuery()) {
        assertThat(sum.getLong(1)).isEqualTo(2_499L * 2_500 / 2);
      }
      assertThat(folder).isNotEmptyDirectory();
    }
    assertThat(Files.exists(folder)).isFalse();
  }

  @Test
  void aProcessThatIsStoppedLeavesNothingBehind(@TempDir Path temporary) throws Exception {
    try (Other other = new Other(temporary)) {
      other.process.destroy();
      assertThat(other.process.waitFor(1, TimeUnit.MINUTES)).isTrue();

      assertThat(other.folder).doesNotExist();
    }
  }

  @Test
  void whatAKilledProcessLeftIsDeletedByTheNextAndALivingOnesIsNot(@TempDir Path temporary)
      throws Exception {
    Path folder;
    try (Other first = new Other(temporary);
        Other second = new Other(temporary)) {
      folder = first.folder;
      assertThat(folder).as("while its process lives").isNotEmptyDirectory();
      first.process.destroyForcibly().waitFor();
      assertThat(folder).as("after its process was killed").isNotEmptyDirectory();

      try (ScratchFolder next = new ScratchFolder(temporary)) {
        assertThat(folder).doesNotExist();
        assertThat(second.folder).isNotEmptyDirectory();
        assertThat(next.path()).isNotEmptyDirectory();
      }
    }
  }

  /** A process with an open database, which ends with this process at the latest. */
  private static final class Other implements AutoCloseable {
    private final Process process;
    private final Path folder;

    Other(Path temporary) throws Exception {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djava.io.tmpdir=" + temporary,
                  "-cp",
                  System.getProperty("java.class.path"),
                  ScratchDatabaseHolder.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      folder = Path.of(process.inputReader().readLine());
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}
