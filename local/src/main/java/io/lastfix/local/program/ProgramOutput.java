package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What programs print that end by themselves. */
public final class ProgramOutput {
  private ProgramOutput() {}

  /**
   * Runs a command to its end.
   *
   * @return its output, without blanks around it
   * @throws StackException if it fails or takes too long
   */
  public static String of(Duration limit, String... command) throws IOException {
    Path output = Files.createTempFile("lastfix", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new StackException(command[0] + " took longer than " + limit.toSeconds() + " s");
      }
      String text = Files.readString(output, StandardCharsets.UTF_8).strip();
      if (process.exitValue() != 0) {
        throw new StackException(
            "%s failed with %s: %s"
                .formatted(
                    String.join(" ", List.of(command).subList(0, Math.min(4, command.length))),
                    process.exitValue(),
                    text.substring(text.lastIndexOf('\n') + 1)));
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while running " + command[0], e);
    } finally {
      Files.delete(output);
    }
  }
}
