package io.lastfix.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoTimeoutException;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import io.lastfix.store.erasure.UserHash;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ErasureListWatcherTest {
  private static final Duration INTERVAL = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final ErasureListInMemory list = new ErasureListInMemory();
  private final Told told = new Told();
  private final ErasureListWatcher watch =
      new ErasureListWatcher(list, INTERVAL, LONG, told, "watch");

  @AfterEach
  void close() {
    watch.close();
  }

  /** Records the calls it receives. */
  private static final class Told implements ErasureListWatcher.Listener {
    final List<String> told = new CopyOnWriteArrayList<>();

    @Override
    public void answered(@Nullable ErasureListUnreadableException failure) {
      told.add(failure == null ? "read" : failure.getMessage());
    }
  }

  @Test
  void aNewVersionIsFollowedAndTheListenerIsToldOfTheFirstOnly() {
    watch.start();
    awaitVersion(0);

    list.forget("somebody", 7);
    awaitVersion(1);

    assertThat(watch.newest().covers(UserHash.of("somebody"), 7)).isTrue();
    assertThat(told.told).containsExactly("read");
  }

  @Test
  void whileTheListCannotBeReadTheVersionStandsStillAndTheFailuresGrow() {
    list.forget("somebody", 7);
    watch.start();
    awaitVersion(1);

    // First the primary is absent for a while, then the list contains an invalid document.
    list.fail(new MongoTimeoutException("no primary"), 3);
    await("the failures are counted").until(() -> watch.failures() == 3);
    list.fail(new IllegalStateException("none of the list's"), 2);
    await("these, too").until(() -> watch.failures() == 5);

    assertThat(watch.newest().version()).isEqualTo(1);
    list.forget("another", 8);
    awaitVersion(2);
    assertThat(told.told).containsExactly("read");
  }

  @Test
  void aPassingFailureBeforeTheFirstReadingIsTriedAgainAsLongAsNoRecordWaits() {
    list.fail(new MongoTimeoutException("no primary"), 20);
    watch.start();

    awaitVersion(0);

    assertThat(watch.failures()).isEqualTo(20);
    assertThat(told.told).containsExactly("read");
  }

  @Test
  void aBrokenListIsRefusedAtTheFirstReading() {
    list.fail(new IllegalStateException("A document is none of the list's"), 1);
    watch.start();

    await("the listener is told").until(() -> !told.told.isEmpty());

    assertThat(told.told)
        .containsExactly("The erasure list cannot be read: A document is none of the list's");
    assertThat(watch.newest()).isNull();
  }

  @Test
  void aListThatWasDroppedIsAFailureAndWhatWasReadBeforeHoldsOn() {
    list.forget("somebody", 7);
    list.forget("another", 7);
    watch.start();
    awaitVersion(2);
    assertThat(watch.version()).isEqualTo(2);

    list.drop();
    await("that is counted, each time").until(() -> watch.failures() >= 2);

    assertThat(watch.newest().covers(UserHash.of("somebody"), 7)).isTrue();
    assertThat(watch.version()).as("what forget would wait for").isEqualTo(-1);

    // The right list is restored, and grows.
    list.forget("somebody", 7);
    list.forget("another", 7);
    list.forget("a third", 7);
    awaitVersion(3);
    await("it is followed").until(() -> watch.version() == 3);
  }

  @Test
  void anErrorIsToldAlsoAfterTheListWasReadSinceNobodyFollowsItAnyMore() {
    watch.start();
    awaitVersion(0);

    list.fail(new OutOfMemoryError("none left"), 1);
    await("the listener is told").until(() -> told.told.size() == 2);

    assertThat(told.told).containsExactly("read", "The job no longer reads the erasure list");
    assertThat(watch.failures()).isEqualTo(1);
  }

  @Test
  void closingEndsTheThreadAndClosesTheList() {
    watch.start();
    awaitVersion(0);

    watch.close();

    assertThat(list.isClosed()).isTrue();
  }

  private void awaitVersion(long version) {
    await("version " + version)
        .until(
            () -> {
              ErasedUsers newest = watch.newest();
              return newest != null && newest.version() == version;
            });
  }
}
