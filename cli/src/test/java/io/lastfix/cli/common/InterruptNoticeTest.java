package io.lastfix.cli.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.local.EndpointOverrides;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM of its own, which is interrupted. */
class InterruptNoticeTest {
  @TempDir private Path directory;

  @Test
  void aCommandThatIsInterruptedSaysThatServersKeepRunning() throws Exception {
    assertThat(errorsOf("interrupted")).contains("lastfix down stops them");
  }

  @Test
  void aCommandThatHasEndedSaysNothing() throws Exception {
    assertThat(errorsOf("ended")).isEmpty();
  }

  @Test
  void aCommandWithServersOfTheUsersOwnSaysNothing() throws Exception {
    assertThat(errorsOf("external")).isEmpty();
  }

  private String errorsOf(String mode) throws IOException, InterruptedException {
    Path errors = directory.resolve("errors");
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Command.class.getName(),
                mode)
            .redirectError(errors.toFile())
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(command.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).isEqualTo("ready");
      command.destroy();
      assertThat(command.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      command.destroyForcibly();
    }
    return Files.readString(errors);
  }

  /** Waits until it is ended, with the notice open or closed. */
  static final class Command {
    private Command() {}

    public static void main(String[] arguments) throws Exception {
      boolean hasEnded = arguments[0].equals("ended");
      PrintWriter err = new PrintWriter(System.err, true, UTF_8);
      EndpointOverrides external =
          arguments[0].equals("external")
              ? new EndpointOverrides(
                  Optional.of("mongo"), Optional.of("kafka"), Optional.of("flink"))
              : EndpointOverrides.none();
      InterruptNotice.during(external, err, () -> hasEnded ? 0 : beInterrupted());
      beInterrupted();
    }

    private static int beInterrupted() throws InterruptedException {
      System.out.println("ready");
      new CountDownLatch(1).await();
      return 0;
    }
  }
}
