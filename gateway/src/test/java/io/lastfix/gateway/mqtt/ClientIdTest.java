package io.lastfix.gateway.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientIdTest {
  private static final Executor THREADS = task -> new Thread(task).start();

  @TempDir private Path directory;

  @Test
  void anIdIsDrawnOnceForItsOwnerAloneAndKept() throws Exception {
    Path file = directory.resolve("state/mqtt-client-id");

    ClientId drawn = ClientId.of(file);

    assertThat(drawn.value()).matches("[0-9A-Za-z]{22}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file.getParent().toFile().list()).containsExactly("mqtt-client-id");
    assertThat(ClientId.of(file)).isEqualTo(drawn);
    assertThat(ClientId.of(directory.resolve("other")).value()).isNotEqualTo(drawn.value());
  }

  @Test
  void gatewaysThatStartAtOnceHaveTheSameId() {
    for (int i = 0; i < 20; i++) {
      Path file = directory.resolve("id-" + i);
      List<CompletableFuture<ClientId>> starts =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> ClientId.of(file), THREADS))
              .limit(8)
              .toList();

      assertThat(starts.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }
  }

  @Test
  void anIdOfTheUsersIsTakenAsItIs() throws Exception {
    Path file = Files.writeString(directory.resolve("id"), "client-of-the-broker's-list\n");

    assertThat(ClientId.of(file).value()).isEqualTo("client-of-the-broker's-list");
  }

  @Test
  void aFileThatEachUserMayReadIsRecognized() throws Exception {
    Path file = directory.resolve("id");
    ClientId.of(file);
    assertThat(ClientId.mayOthersRead(file)).isFalse();

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));

    assertThat(ClientId.mayOthersRead(file)).isTrue();
  }

  @Test
  void itsTextAndItsNameForOthersDoNotShowIt() {
    ClientId drawn = ClientId.of(directory.resolve("id"));

    assertThat(drawn.toString()).contains("id").doesNotContain(drawn.value());
    assertThat(drawn.publicName())
        .matches("[0-9a-f]{16}")
        .isEqualTo(ClientId.of(directory.resolve("id")).publicName())
        .isNotEqualTo(ClientId.of(directory.resolve("other")).publicName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "two words", "two\nlines"})
  void aFileWithoutAnIdIsRefusedWithWhatToDo(String content) throws Exception {
    Path file = Files.writeString(directory.resolve("id"), content);

    assertThatThrownBy(() -> ClientId.of(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "mqtt.client-id-file %s has no client id: expected up to 128 characters without blanks; without the file, a new id is drawn",
            file);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "").resolve("id");

    assertThatThrownBy(() -> ClientId.of(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("mqtt.client-id-file " + file + " cannot be used: expected");
  }
}
