package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the command comes by its classes: from the archive that the build made, or without it. */
class CommandStartIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final long SEED = 20261122;

  @TempDir private Path directory;

  @Test
  void theClassesComeFromTheArchiveThatTheBuildMade() throws Exception {
    Path loaded = directory.resolve("loaded.txt");

    lastfix()
        .withJvmOptions("-Xshare:on", "-Xlog:class+load:file=" + loaded)
        .run(LIMIT, "--version")
        .mustExitWith(0);

    // That of the JDK is the base, which has none of ours.
    assertThat(Files.readString(loaded))
        .as("what was loaded; why there is no archive would be in cli/target/class-data.log")
        .contains("io.lastfix.cli.Lastfix source: shared objects file (top)");
  }

  @Test
  void withTheArchiveNothingButTheAnswerIsWritten() throws Exception {
    assertAnswersOnlyWhatIsAsked(lastfix());
  }

  @Test
  void withoutAnArchiveNothingButTheAnswerIsWritten() throws Exception {
    assertAnswersOnlyWhatIsAsked(lastfix().withArchive(directory.resolve("none.jsa")));
  }

  @Test
  void anArchiveThatIsNoneIsIgnoredInSilence() throws Exception {
    assertAnswersOnlyWhatIsAsked(lastfix().withArchive(noise()));
  }

  private Path noise() throws IOException {
    byte[] noise = new byte[1 << 20];
    new Random(SEED).nextBytes(noise);
    return Files.write(directory.resolve("noise.jsa"), noise);
  }

  @Test
  void anArchiveOfAnotherClassPathIsIgnoredInSilence() throws Exception {
    Path archive = directory.resolve("other.jsa");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ArchiveClassesAtExit=" + archive,
                "-cp",
                Installation.jobJar().toString(),
                "io.lastfix.jobs.LocationJob",
                "--help")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("other.log").toFile())
            .start();
    try {
      assertThat(other.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("has ended").isTrue();
    } finally {
      other.destroyForcibly();
    }
    assertThat(archive).isNotEmptyFile();

    assertAnswersOnlyWhatIsAsked(lastfix().withArchive(archive));
  }

  private LastfixProcess lastfix() {
    return new LastfixProcess(directory, directory);
  }

  private static void assertAnswersOnlyWhatIsAsked(LastfixProcess lastfix)
      throws IOException, InterruptedException {
    Result answer = lastfix.run(LIMIT, "--version").mustExitWith(0);
    assertThat(answer.out()).matches("lastfix [^\\n]+\\n");
    assertThat(answer.err()).isEmpty();
  }
}
