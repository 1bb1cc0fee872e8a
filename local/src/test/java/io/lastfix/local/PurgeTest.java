package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The remains of a stack after {@code down}, if its processes had ended before. */
class PurgeTest {
  @TempDir private Path directory;

  private StackHome home;
  private Path processId;

  @BeforeEach
  void writeFiles() throws Exception {
    home = new StackHome(directory);
    processId = Files.writeString(directory.resolve("mongod-0.pid"), "1");
    Files.writeString(home.dataDirectory("mongod-0").resolve("some.wt"), "data");
    new StackState(List.of(), Map.of("mongod-0", 27018), Map.of()).write(home);
  }

  private void down(boolean purge) {
    new LocalStack(home, line -> {}).down(purge);
  }

  @Test
  void dataAndPortsStayAndStaleProcessIdsDoNot() {
    down(false);

    assertThat(processId).doesNotExist();
    assertThat(home.data()).isNotEmptyDirectory();
    assertThat(StackState.read(home).orElseThrow().ports()).containsEntry("mongod-0", 27018);
  }

  @ParameterizedTest
  @ValueSource(strings = {"config-0.pid", "shard-2-0.pid", "mongos-1.pid"})
  void thoseOfAShardedClusterDoNotEither(String name) throws Exception {
    Path ofCluster = Files.writeString(directory.resolve(name), "1");
    Path somebodys = Files.writeString(directory.resolve("my-" + name), "1");

    down(false);

    assertThat(ofCluster).doesNotExist();
    assertThat(somebodys).exists();
  }

  @Test
  void aPurgeLeavesNeitherDataNorWhatIsRememberedOfTheStack() {
    down(true);

    assertThat(processId).doesNotExist();
    assertThat(home.data()).doesNotExist();
    assertThat(StackState.read(home)).isEmpty();
  }
}
