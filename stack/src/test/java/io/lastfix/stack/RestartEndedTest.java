package io.lastfix.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartEndedTest {
  private static final String NAME = "kafka";

  @TempDir private Path directory;

  @Test
  void aProcessThatASupervisorStartedAndCouldNotWriteDownIsAdopted() throws Exception {
    StackHome home = new StackHome(directory);
    String marker = "-Dlastfix.process=" + home.root() + "/" + NAME;
    // It waits for input that never arrives, and has the marker as its name.
    Process stray = new ProcessBuilder("sh", "-c", "read line", marker).start();
    try {
      Awaitility.await()
          .until(() -> !ServerProcess.withArgument(argument -> argument.equals(marker)).isEmpty());
      RecordedProcess ended = new RecordedProcess(NAME, stray.pid(), 0, "/log");
      new StackState(List.of(ended), Map.of(), Map.of(NAME, "127.0.0.1:9092")).write(home);

      List<RecordedProcess> restarted =
          new LocalStack(home, line -> {}).restartEnded(name -> false);

      assertThat(restarted).extracting(RecordedProcess::pid).containsExactly(stray.pid());
      assertThat(StackState.read(home).orElseThrow().processes()).isEqualTo(restarted);
      assertThat(restarted.get(0).find()).isPresent();
    } finally {
      stray.destroyForcibly();
    }
  }
}
