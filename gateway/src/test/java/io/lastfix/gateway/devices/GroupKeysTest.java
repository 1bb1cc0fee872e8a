package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
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
  void theFirstUseByManyRequestsAtOnceFindsTheKeyForAll() throws Exception {
    GroupKeys.create(directory, "fleet-a", "k1", new SecureRandom());
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 200; round++) {
        GroupKeys keys = keys();
        CyclicBarrier together = new CyclicBarrier(threads);
        List<Future<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          answers.add(
              pool.submit(
                  () -> {
                    together.await();
                    return keys.find("fleet-a", "k1").isPresent();
                  }));
        }
        for (Future<Boolean> answer : answers) {
          assertThat(answer.get()).as("round %d", round).isTrue();
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aKeysFileAppearsWholeAndNothingElseIsLeft() throws IOException {
    GroupKeys.create(directory, "fleet-a", "k1", new SecureRandom());

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("fleet-a.k1"));
    }
    assertThat(GroupKeys.requireKey(directory, "fleet-a", "k1")).exists();
  }

  @Test
  void aPreparedKeyIsUsedInsteadOfANewOne() throws IOException {
    Path file = GroupKeys.prepare(directory, "fleet-a", "k1", new SecureRandom());
    String key = Files.readString(file);

    assertThat(GroupKeys.prepare(directory, "fleet-a", "k1", new SecureRandom())).isEqualTo(file);
    assertThat(file).hasContent(key);
  }

  @Test
  void aFileThatHoldsNoWholeKeyIsNoPreparedKey() throws IOException {
    Files.writeString(directory.resolve("fleet-a.k2"), "");

    assertThatThrownBy(() -> GroupKeys.requireKey(directory, "fleet-a", "k2"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no group key")
        .hasMessageContaining("remove the file");
    assertThatThrownBy(() -> GroupKeys.requireKey(directory, "fleet-a", "k3"))
        .isInstanceOf(NoSuchFileException.class);
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
  void aFileThatCannotBeReadIsAnErrorWithItsReason() throws IOException {
    Path file = Files.write(directory.resolve("fleet-a.k1"), new byte[] {(byte) 0xff});

    assertThatThrownBy(() -> keys().find("fleet-a", "k1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("%s cannot be read: it is not UTF-8 text", file);
  }

  @Test
  void aNameCannotLeaveTheDirectory() {
    assertThatThrownBy(() -> keys().find("../x", "k1"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
