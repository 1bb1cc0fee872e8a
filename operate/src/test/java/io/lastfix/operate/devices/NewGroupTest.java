package io.lastfix.operate.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewGroupTest {
  private static final Group WANTED =
      new Group("fleet-a", List.of("k1"), List.of(), Instant.parse("2026-11-20T12:00:00Z"));
  private static final NewGroup.Writer UNKNOWN =
      message -> {
        throw new UnknownOutcomeException("no answer", new IOException());
      };

  @TempDir private Path directory;

  private final DevicesSnapshot snapshot = new DevicesSnapshot();

  private NewGroup.Made make(NewGroup.Writer writer) throws IOException {
    return new NewGroup(directory, new SecureRandom(), writer).make(snapshot, WANTED);
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aGroupHasAKeyAndTheHashOfItsToken() throws Exception {
    NewGroup.Made made = make(snapshot::add);

    assertThat(files()).containsExactly("fleet-a.k1");
    assertThat(made.keyFile()).isEqualTo(directory.resolve("fleet-a.k1"));
    assertThat(snapshot.group("fleet-a").tokens())
        .containsExactly(EnrolmentToken.hash(made.token()));
  }

  @Test
  void ifTheOutcomeIsNotKnownTheKeyStaysAndTheCommandCanBeRepeated() throws Exception {
    assertThatThrownBy(() -> make(UNKNOWN))
        .isInstanceOf(UnknownOutcomeException.class)
        .hasMessage(
            "no answer. Its key stays in %s: run lastfix group create fleet-a again, which uses that key"
                .formatted(directory.resolve("fleet-a.k1")));
    String key = Files.readString(directory.resolve("fleet-a.k1"));

    NewGroup.Made made = make(snapshot::add);

    assertThat(Files.readString(made.keyFile())).isEqualTo(key);
    assertThat(files()).containsExactly("fleet-a.k1");
    assertThat(snapshot.group("fleet-a").tokens())
        .containsExactly(EnrolmentToken.hash(made.token()));
  }

  @Test
  void soItCanIfTheGroupWasStoredAfterAll() throws Exception {
    assertThatThrownBy(
            () ->
                make(
                    message -> {
                      snapshot.add(message);
                      UNKNOWN.write(message);
                    }))
        .isInstanceOf(UnknownOutcomeException.class);
    String key = Files.readString(directory.resolve("fleet-a.k1"));

    NewGroup.Made made = make(snapshot::add);

    assertThat(Files.readString(made.keyFile())).isEqualTo(key);
    assertThat(snapshot.group("fleet-a").tokens())
        .containsExactly(EnrolmentToken.hash(made.token()));
    assertThatThrownBy(() -> make(snapshot::add))
        .as("now it is made")
        .isInstanceOf(StackException.class)
        .hasMessageContaining("the group fleet-a exists");
  }

  @Test
  void ifKafkaRefusesItNothingIsLeft() throws Exception {
    assertThatThrownBy(
            () ->
                make(
                    message -> {
                      throw new IOException("refused");
                    }))
        .hasMessage("refused");

    assertThat(files()).isEmpty();
  }

  @Test
  void theKeyOfAGroupThatExistedIsNotUsedAgain() throws Exception {
    make(message -> {});

    assertThatThrownBy(() -> make(snapshot::add))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("so there was a group fleet-a before");
    assertThat(files()).containsExactly("fleet-a.k1");
  }

  @Test
  void groupsAreListedWithTheirKeysAndDevices() throws Exception {
    make(snapshot::add);

    assertThat(GroupEntry.all(snapshot))
        .containsExactly(
            new GroupEntry("fleet-a", List.of("k1"), 1, 0, List.of(), WANTED.created()));
  }
}
