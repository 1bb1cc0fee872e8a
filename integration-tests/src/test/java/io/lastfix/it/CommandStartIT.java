package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lastfix.it.LastfixProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the command comes by its classes: from the archive that the build made, or without it. */
class CommandStartIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final long SEED = 20261122;

  /** The JVM takes its classes from the archive, or does not start. */
  private static final Map<String, String> ARCHIVE_OR_NOTHING =
      Map.of("JDK_JAVA_OPTIONS", "-Xshare:on");

  @TempDir private Path directory;

  @Test
  void theClassesComeFromTheArchiveThatTheBuildMade() throws Exception {
    assumeThat(LastfixProcess.builtArchive())
        .as("a JVM may be unable to make one; cli/target/class-data.log")
        .exists();
    LastfixProcess strict = new LastfixProcess(directory, directory, ARCHIVE_OR_NOTHING);

    strict.run(LIMIT, "--version").mustExitWith(0);
    // Else the line above would say nothing.
    strict.withArchive(noise()).run(LIMIT, "--version").mustExitWith(1);
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
                TestStack.jobJar().toString(),
                "io.lastfix.jobs.LocationJob",
                "--help")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("other.log").toFile())
            .start();
    assertThat(other.waitFor()).isNotNegative();
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
