package io.lastfix.it.operate;

import static java.util.regex.Pattern.MULTILINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.Nightly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first two commands in a fresh clone: the first builds, with Maven and npm; no other does. */
@Nightly
class CloneIT {
  private static final int LIMIT_MINUTES = 10;
  private static final Pattern VERSION = Pattern.compile("^lastfix \\d+\\.\\d+\\.\\d", MULTILINE);

  @TempDir private Path directory;

  @Test
  void theSecondCommandOfACloneBuildsNothingAndTheBuildWritesNothingIntoTheSources()
      throws Exception {
    Path clone = Files.createDirectory(directory.resolve("clone"));
    // What git would commit: a change that is being tested here is part of it.
    run(
        Installation.root(),
        "sh",
        "-c",
        "git ls-files -z --cached --others --exclude-standard"
            + " | tar --null --files-from=- --ignore-failed-read -c | tar -x -C \"$0\"",
        clone.toString());
    run(clone, "git", "init", "--quiet");
    run(clone, "git", "add", "--all");

    String first = run(clone, "./lastfix", "version");
    assertThat(first).contains("lastfix: built in").containsPattern(VERSION);
    String second = run(clone, "./lastfix", "version");
    assertThat(second).containsPattern(VERSION).doesNotContain("build");

    assertThat(
            run(
                    clone,
                    "git",
                    "ls-files",
                    "--others",
                    "--directory",
                    "--exclude=target/",
                    // The log of the commands.
                    "--exclude=.lastfix/",
                    "--exclude=node_modules/")
                .lines())
        .as("what the build wrote beside target and npm's packages")
        .isEmpty();
  }

  private String run(Path folder, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(List.of(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // As a user's shell has it, without what these tests set for servers and JVMs.
    builder.environment().keySet().removeIf(name -> name.startsWith("LASTFIX_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).as("has ended").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
