package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** Shell scripts in tests: those that are tested, and stand-ins for what they start. */
final class ShellScript {
  private ShellScript() {}

  /** Writes a program that can be started. */
  static void writeProgram(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Runs what must succeed, and gives what it wrote to either output. */
  static String run(ProcessBuilder builder) throws IOException, InterruptedException {
    Process script = builder.redirectErrorStream(true).start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor(1, TimeUnit.MINUTES)).as("has ended").isTrue();
    assertThat(script.exitValue()).as(said).isZero();
    return said;
  }
}
