package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** Shell scripts in tests: the tested ones, and substitutes for the programs that they start. */
final class ShellScript {
  private ShellScript() {}

  /** Writes an executable program. */
  static void writeProgram(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Runs a command that must succeed, and returns its output and error output. */
  static String run(ProcessBuilder builder) throws IOException, InterruptedException {
    return run(builder, 0);
  }

  /** Runs a command that must exit with that code, and returns its output and error output. */
  static String run(ProcessBuilder builder, int exitCode) throws IOException, InterruptedException {
    Process script = builder.redirectErrorStream(true).start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor(1, TimeUnit.MINUTES)).as("has ended").isTrue();
    assertThat(script.exitValue()).as(said).isEqualTo(exitCode);
    return said;
  }
}
