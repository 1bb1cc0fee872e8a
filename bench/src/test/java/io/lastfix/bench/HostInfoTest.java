package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lastfix.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostInfoTest {
  @Test
  void aCloneHasACommit() {
    Path root = Installation.root();
    assumeThat(root.resolve(".git")).exists();

    assertThat(HostInfo.commit(root)).matches("[0-9a-f]{8,40}(-dirty)?");
  }

  @Test
  void anArchiveHasNoneAndABrokenCloneGivesTheReason(@TempDir Path root) throws IOException {
    assertThat(HostInfo.commit(root)).isEqualTo("unknown: %s is no clone", root);

    Files.createFile(root.resolve(".git"));
    assertThat(HostInfo.commit(root)).startsWith("unknown: git -C %s describe".formatted(root));
  }
}
