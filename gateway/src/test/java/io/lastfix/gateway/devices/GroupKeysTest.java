package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupKeysTest {
  @TempDir private Path directory;
  private final AtomicReference<Instant> now = new AtomicReference<>(Fleet.NOW);

  private GroupKeys keys() {
    return new GroupKeys(directory, Map.of(), now::get);
  }

  @Test
  void aNewKeyIsReadableByItsOwnerOnlyAndIsFound() throws IOException {
    Path file = GroupKeys.create(directory, "fleet-a", "k1", new SecureRandom());

    assertThat(file).isEqualTo(directory.resolve("fleet-a.k1"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(keys().find("fleet-a", "k1").orElseThrow()).hasSize(32);
    assertThatThrownBy(() -> GroupKeys.create(directory, "fleet-a", "k1", new SecureRandom()))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aKeyThatIsAddedIsFoundAfterFiveSeconds() throws IOException {
    GroupKeys keys = keys();
    assertThat(keys.find("fleet-a", "k1")).isEmpty();
    GroupKeys.create(directory, "fleet-a", "k1", new SecureRandom());

    assertThat(keys.find("fleet-a", "k1")).isEmpty();
    now.set(Fleet.NOW.plusSeconds(6));
    assertThat(keys.find("fleet-a", "k1")).isPresent();
  }

  @Test
  void theEnvironmentHasKeysToo() {
    assertThat(Fleet.keys().find("fleet-a", "k2")).contains(Fleet.KEY_A2);
    assertThat(Fleet.keys().find("fleet-a", "k3")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not base64!", "c2hvcnQ="})
  void aFileWithoutAKeyIsAnErrorThatDoesNotQuoteIt(String content) throws IOException {
    Files.writeString(directory.resolve("fleet-a.k1"), content);

    assertThatThrownBy(() -> keys().find("fleet-a", "k1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessage(
            "%s holds no group key: expected the base64 of 32 bytes or more; lastfix group rotate makes one"
                .formatted(directory.resolve("fleet-a.k1")));
  }

  @Test
  void aNameCannotLeaveTheDirectory() {
    assertThatThrownBy(() -> keys().find("../x", "k1"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
