package io.lastfix.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackHomeTest {
  @Test
  void theEnvironmentNamesTheHome() {
    assertThat(StackHome.locate(Map.of("LASTFIX_HOME", "/srv/lastfix")).root())
        .isEqualTo(Path.of("/srv/lastfix"));
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
