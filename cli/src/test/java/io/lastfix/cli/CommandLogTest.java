package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLogTest {
  @TempDir private Path directory;

  @Test
  void commandsLogToTheStacksHome() {
    Path home = directory.resolve("home");

    assertThat(CommandLog.file(Map.of("LASTFIX_HOME", home.toString())))
        .isEqualTo(home.resolve("logs/cli.log"))
        .hasParentRaw(home.resolve("logs"));
  }

  @Test
  void aHomeThatCannotBeWrittenGivesNoLogInsteadOfLog4jsStackTraces() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThat(CommandLog.file(Map.of("LASTFIX_HOME", file.resolve("home").toString())))
        .isEqualTo(Path.of("/dev/null"));
  }
}
