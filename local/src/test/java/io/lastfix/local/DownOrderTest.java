package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order in which {@code down} ends the processes of a stack, and the groups that end together.
 */
class DownOrderTest {
  /**
   * Simulates a server. When requested to end, it ends once the whole tier was requested to end,
   * like members that wait for each other.
   */
  private static final String SERVER =
      """
      name=$1; tier=$2; size=$3; log=$4
      asked() {
        echo "asked $tier $name" >> "$log"
        while [ "$(grep -c "^asked $tier " "$log")" -lt "$size" ]; do sleep 0.02; done
        echo "ended $tier $name" >> "$log"
        exit 0
      }
      trap asked TERM
      echo "ready $tier $name" >> "$log"
      while read -r line; do :; done
      """;

  @TempDir private Path directory;

  private final List<Process> started = new ArrayList<>();
  private final List<RecordedProcess> recorded = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void theServersOfATierEndTogetherAndEachTierBeforeTheOneItNeeds() throws Exception {
    StackHome home = new StackHome(directory);
    List<String> inOrderOfStart =
        List.of(
            "config-0 config 2",
            "config-1 config 2",
            "shard-0-0 data 4",
            "shard-0-1 data 4",
            "shard-1-0 data 4",
            "shard-1-1 data 4",
            "mongos-0 front 3",
            "mongos-1 front 3",
            "kafka front 3",
            "jobmanager flink 2",
            "taskmanager-0 flink 2");
    for (String server : inOrderOfStart) {
      start(server.split(" ", -1));
    }
    Awaitility.await().until(() -> log().size() == inOrderOfStart.size());
    new StackState(recorded, Map.of(), Map.of()).write(home);

    int stopped = new LocalStack(home, line -> {}).down(false);

    assertThat(stopped).isEqualTo(inOrderOfStart.size());
    assertThat(started).allSatisfy(process -> assertThat(process.isAlive()).isFalse());
    List<String> tiers =
        log().stream()
            .filter(line -> !line.startsWith("ready"))
            .map(line -> line.substring(0, line.lastIndexOf(' ')))
            .toList();
    assertThat(tiers)
        .containsExactly(
            "asked flink",
            "asked flink",
            "ended flink",
            "ended flink",
            "asked front",
            "asked front",
            "asked front",
            "ended front",
            "ended front",
            "ended front",
            "asked data",
            "asked data",
            "asked data",
            "asked data",
            "ended data",
            "ended data",
            "ended data",
            "ended data",
            "asked config",
            "asked config",
            "ended config",
            "ended config");
  }

  @Test
  void theMembersOfAReplicaSetEndTogether() throws Exception {
    StackHome home = new StackHome(directory);
    for (String member : List.of("mongod-0", "mongod-1", "mongod-2")) {
      start(member, "data", "3");
    }
    Awaitility.await().until(() -> log().size() == 3);
    new StackState(recorded, Map.of(), Map.of()).write(home);

    assertThat(new LocalStack(home, line -> {}).down(false)).isEqualTo(3);

    assertThat(log()).filteredOn(line -> line.startsWith("ended")).hasSize(3);
  }

  private void start(String... server) throws IOException {
    Process process =
        new ProcessBuilder(
                "sh", "-c", SERVER, "server", server[0], server[1], server[2], file().toString())
            .start();
    started.add(process);
    recorded.add(RecordedProcess.of(server[0], process.toHandle(), directory.resolve(server[0])));
  }

  private Path file() {
    return directory.resolve("servers.log");
  }

  private List<String> log() {
    try {
      return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
