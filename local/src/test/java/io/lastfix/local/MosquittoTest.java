package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MosquittoTest {
  private static Path program(Path directory) throws Exception {
    Path program = Files.createFile(directory.resolve("mosquitto"));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void theProgramOnThePathIsFound(@TempDir Path directory) throws Exception {
    Path program = program(directory);

    assertThat(MqttServer.findMosquitto(Map.of("PATH", "/not/there:" + directory)))
        .contains(program);
  }

  @Test
  void theVariableComesFirst(@TempDir Path directory) throws Exception {
    Path program = program(directory);

    assertThat(
            MqttServer.findMosquitto(
                Map.of("LASTFIX_MOSQUITTO", program.toString(), "PATH", "/usr/sbin")))
        .contains(program);
    assertThatThrownBy(
            () -> MqttServer.findMosquitto(Map.of("LASTFIX_MOSQUITTO", directory + "/absent")))
        .isInstanceOf(StackException.class)
        .hasMessage("LASTFIX_MOSQUITTO: no program at " + directory + "/absent");
  }
}
