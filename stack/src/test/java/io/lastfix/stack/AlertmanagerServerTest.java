package io.lastfix.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertmanagerServerTest {
  @TempDir private Path directory;

  private Path program(String name) throws Exception {
    Path program = Files.createFile(directory.resolve(name));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void theProjectsOwnNameIsFound() throws Exception {
    Path program = program("alertmanager");

    assertThat(AlertmanagerServer.find(path())).contains(program);
  }

  @Test
  void debiansNameIsFound() throws Exception {
    Path program = program("prometheus-alertmanager");

    assertThat(AlertmanagerServer.find(path())).contains(program);
  }

  @Test
  void whoWantsNoneSaysSo() throws Exception {
    assertThat(program("alertmanager")).isExecutable();

    assertThat(
            AlertmanagerServer.find(
                Map.of("PATH", directory.toString(), "LASTFIX_ALERTMANAGER", "none")))
        .isEmpty();
  }

  private Map<String, String> path() {
    return Map.of("PATH", directory.toString());
  }
}
