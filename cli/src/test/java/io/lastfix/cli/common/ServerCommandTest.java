package io.lastfix.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cli.gateway.GatewayRunCommand;
import io.lastfix.cli.rules.NotifyCommand;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.operate.access.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What a server is started with. */
class ServerCommandTest {
  private static final Servers STACK =
      new Servers(EndpointOverrides.none(), Map.of("kafka", "127.0.0.1:19092"), Set.of());

  @TempDir private Path directory;

  private static List<String> arguments(ServerCommand command, String... line) {
    return CommandLine.populateCommand(command, line).arguments(STACK);
  }

  @Test
  void theStacksKafkaIsNamedBeforeWhatTheUserSets() {
    for (ServerCommand command : List.of(new NotifyCommand(), new GatewayRunCommand())) {
      assertThat(arguments(command, "--set", "http.port=0"))
          .containsExactly(
              "--set", "kafka.bootstrap-servers=127.0.0.1:19092", "--set", "http.port=0");
    }
  }

  @Test
  void anotherKafkaOfTheFileOrOfTheCommandLineStays() throws Exception {
    Path file = Files.writeString(directory.resolve("n.yaml"), "kafka.bootstrap-servers: b:9092");

    assertThat(arguments(new NotifyCommand(), "--config", file.toString()))
        .containsExactly("--config", file.toString());
    assertThat(arguments(new NotifyCommand(), "--set", "kafka.bootstrap-servers=c:9092"))
        .containsExactly("--set", "kafka.bootstrap-servers=c:9092");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> arguments(new NotifyCommand(), "--config", "no/such.yaml"))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--config: expected a file that can be read, found no/such.yaml");
  }
}
