package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
  @TempDir private Path target;

  @Test
  void theJobsJarIsThatOfTheLastBuildAlsoBesideThoseOfOtherVersions() throws IOException {
    jar("lastfix-jobs-1.1.0-job.jar", "2026-11-28T00:00:00Z");
    Path last = jar("lastfix-jobs-1.0.1-job.jar", "2026-11-30T00:00:00Z");
    jar("lastfix-jobs-1.0.0-job.jar", "2026-11-27T00:00:00Z");
    jar("lastfix-jobs-1.1.0.jar", "2026-12-01T00:00:00Z");

    assertThat(Installation.jobJarIn(target)).isEqualTo(last);
  }

  @Test
  void withoutAJarTheMessageHasTheFolderAndTheRemedy() {
    assertThatThrownBy(() -> Installation.jobJarIn(target))
        .isInstanceOf(StackException.class)
        .hasMessage("no job jar in %s: %s", target, Installation.remedy());
  }

  private Path jar(String name, String built) throws IOException {
    return Files.setLastModifiedTime(
        Files.createFile(target.resolve(name)), FileTime.from(Instant.parse(built)));
  }
}
