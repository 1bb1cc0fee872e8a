package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code archive-classes.sh}, with a substitute for java that writes an archive and exits as
 * configured.
 */
class ArchiveClassesTest {
  @TempDir private Path directory;

  private Path target;
  private Path archive;

  @BeforeEach
  void copyTheScript() throws IOException {
    Files.copy(Path.of("archive-classes.sh"), directory.resolve("archive-classes.sh"));
    target = Files.createDirectory(directory.resolve("target"));
    archive = target.resolve("lastfix.jsa");
  }

  @Test
  void theArchiveIsPutInPlaceWhenNoServerAnswered() throws Exception {
    assertThat(build("write whole; exit 1")).isEmpty();

    assertThat(archive).hasContent("whole\n");
    assertThat(target.resolve("lastfix.jsa.java")).hasContent("of this JVM\n");
    assertNothingIsLeftBeside();
  }

  @Test
  void halfAnArchiveOfAKilledJvmIsNotPutInPlace() throws Exception {
    assertThat(build("write half; kill -9 $$")).contains("no archive", "exit code 137");

    assertThat(archive).doesNotExist();
    assertNothingIsLeftBeside();
  }

  @Test
  void aJvmThatCannotMakeArchivesFailsNoBuild() throws Exception {
    assertThat(build("exit 1")).contains("no archive", "exit code 1");

    assertThat(archive).doesNotExist();
  }

  @Test
  void theArchiveOfAnEarlierBuildDoesNotStay() throws Exception {
    Files.writeString(archive, "old");

    build("exit 2");

    assertThat(archive).doesNotExist();
  }

  /** Runs the script, which must succeed with any result of java, and returns its output. */
  private String build(String java) throws IOException, InterruptedException {
    Path standIn = directory.resolve("java");
    ShellScript.writeProgram(
        standIn,
        """
        #!/bin/sh
        if [ "$1" = -version ]; then echo 'of this JVM' >&2; exit 0; fi
        write() { echo "$1" > "$archive"; }
        archive=${1#-XX:ArchiveClassesAtExit=}
        %s
        """
            .formatted(java));
    return ShellScript.run(
        new ProcessBuilder(
            "sh", directory.resolve("archive-classes.sh").toString(), standIn.toString()));
  }

  private void assertNothingIsLeftBeside() throws IOException {
    try (var files = Files.list(target)) {
      assertThat(files)
          .allSatisfy(
              file ->
                  assertThat(file.getFileName().toString())
                      .isIn("lastfix.jsa", "lastfix.jsa.java", "class-data.log"));
    }
  }
}
