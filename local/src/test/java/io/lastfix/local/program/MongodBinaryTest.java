package io.lastfix.local.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MongodBinaryTest {
  private static final Path PROGRAM = Path.of("/somewhere/mongod");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"6.0.5", "7.0.26", "8.0.1", "10.0.0"})
  void aVersionFromSixOnIsAccepted(String version) {
    assertThatCode(() -> MongodBinary.requireSupported(PROGRAM, "db version v" + version))
        .doesNotThrowAnyException();
  }

  @Test
  void anOlderVersionIsRefusedByName() {
    assertThatThrownBy(() -> MongodBinary.requireSupported(PROGRAM, "db version v5.0.7\nBuild"))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("version 5.0.7")
        .hasMessageContaining("6.0 or later");
  }

  @Test
  void anotherProgramIsRefused() {
    assertThatThrownBy(() -> MongodBinary.requireSupported(PROGRAM, "GNU coreutils 9.1"))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("is no mongod");
  }

  @Test
  void theNamedProgramComesBeforeThePath() throws Exception {
    Path named = program("named");
    Path onPath = Files.createDirectory(directory.resolve("bin"));
    program("bin/mongod");

    Path found = locate(Map.of("LASTFIX_MONGOD", named.toString(), "PATH", onPath.toString()));

    assertThat(found).isEqualTo(named);
  }

  @Test
  void aProgramOnThePathIsFound() throws Exception {
    Files.createDirectory(directory.resolve("bin"));
    Path mongod = program("bin/mongod");

    assertThat(locate(Map.of("PATH", "/nowhere:" + mongod.getParent()))).isEqualTo(mongod);
  }

  @Test
  void aNamedProgramThatIsNotThereFailsInsteadOfFallingBack() {
    assertThatThrownBy(() -> locate(Map.of("LASTFIX_MONGOD", "/nowhere/mongod")))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("/nowhere/mongod does not start");
  }

  private static Path locate(Map<String, String> environment) {
    return new MongodBinary(environment, line -> {}).locate();
  }

  private Path program(String name) throws Exception {
    Path file = directory.resolve(name);
    Files.writeString(file, "#!/bin/sh\necho db version v6.0.5\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}
