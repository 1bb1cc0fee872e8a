package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackHomeTest {
  @Test
  void theEnvironmentNamesTheHome() {
    assertThat(StackHome.locate(Map.of("LASTFIX_HOME", "/srv/lastfix")).root())
        .isEqualTo(Path.of("/srv/lastfix"));
  }

  @Test
  void aHomeThatAUserHadMadeIsClosedToOtherUsers(@TempDir Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));

    new StackHome(directory).restrict(notice -> {});

    assertThat(Files.getPosixFilePermissions(directory))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void whatTheHomeHoldsOnlyThisUserMayOpen(@TempDir Path directory) throws IOException {
    StackHome home = new StackHome(directory.resolve("new/home"));
    Path given = Files.createDirectory(directory.resolve("given"));
    Files.setPosixFilePermissions(given, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThat(
            List.of(
                home.dataDirectory("mongod-0"),
                home.data(),
                home.root(),
                new StackHome(given).dataDirectory("kafka"),
                new StackHome(given).data(),
                new StackHome(given).logFile("kafka").getParent()))
        .allSatisfy(
            made ->
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------"));
  }

  @Test
  void anArchivesStateIsInTheUsersDataDirectory() {
    assertThat(StackHome.userData(Map.of(), "/home/op"))
        .isEqualTo(Path.of("/home/op/.local/share"));
    assertThat(StackHome.userData(Map.of("XDG_DATA_HOME", "/data"), "/home/op"))
        .isEqualTo(Path.of("/data"));
  }

  @Test
  void theUsersHomeIsThatOfTheEnvironmentIfItIsAnAbsolutePath() {
    assertThat(StackHome.userHome(Map.of("HOME", "/home/other"))).isEqualTo("/home/other");
    assertThat(StackHome.userHome(Map.of("HOME", "other")))
        .isEqualTo(StackHome.userHome(Map.of()))
        .isEqualTo(System.getProperty("user.home"));
  }

  @Test
  void aRelativeDataDirectoryCountsAsNotSet() {
    assertThat(StackHome.userData(Map.of("XDG_DATA_HOME", "data"), "/home/op"))
        .isEqualTo(Path.of("/home/op/.local/share"));
  }

  @Test
  void aUserWithoutAHomeIsToldWhatToSet() {
    assertThatThrownBy(() -> StackHome.userData(Map.of(), "?"))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("LASTFIX_HOME");
  }
}
