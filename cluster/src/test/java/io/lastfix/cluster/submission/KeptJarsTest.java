package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.LockProbe;
import io.lastfix.cluster.StackHome;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptJarsTest {
  @TempDir private Path directory;

  /** The system releases a process's lock as soon as the process closes any stream of the file. */
  @Test
  void aSearchForUnusedJarsKeepsTheLockOfTheJob() throws Exception {
    StackHome home = new StackHome(directory);
    Path file = home.jobsDirectory().resolve("job.lock");
    LockFile.Held held = SubmittedJobs.ofLocalStack(home).lock("job").acquire(Duration.ZERO);
    assertThat(file).exists();

    new KeptJars(home).deleteUnused();

    assertThat(LockProbe.isFreeForOthers(file)).as("while it is held").isFalse();
    held.close();
    assertThat(LockProbe.isFreeForOthers(file)).as("once it is free").isTrue();
  }
}
