package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

  @Test
  void itAnswersBelowAPathThatNoPageCanGuessAndKeepsIt() throws Exception {
    String first = new AlertmanagerServer(ServerSite.fresh(directory)).endpoint();
    String second = new AlertmanagerServer(ServerSite.fresh(directory)).endpoint();
    String other =
        new AlertmanagerServer(ServerSite.fresh(directory.resolve("other stack"))).endpoint();

    assertThat(first).matches("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}");
    assertThat(URI.create(second).getPath()).isEqualTo(URI.create(first).getPath());
    assertThat(URI.create(other).getPath()).isNotEqualTo(URI.create(first).getPath());
    assertThat(Files.getPosixFilePermissions(directory.resolve("config/alertmanager/path")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anEmptyFileOfThePathIsFilledForItWouldLetEachPageIn() throws Exception {
    Path file = directory.resolve("config/alertmanager/path");
    Files.createDirectories(file.getParent());
    Files.createFile(file);

    String endpoint = new AlertmanagerServer(ServerSite.fresh(directory)).endpoint();

    assertThat(URI.create(endpoint).getPath()).matches("/[0-9a-f]{32}");
    assertThat(file).hasContent(URI.create(endpoint).getPath().substring(1));
    assertThat(file.getParent()).isDirectoryNotContaining("glob:**.tmp");
  }

  private Map<String, String> path() {
    return Map.of("PATH", directory.toString());
  }
}
