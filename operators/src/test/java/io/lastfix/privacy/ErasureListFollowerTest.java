package io.lastfix.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoTimeoutException;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operator's queries of a list in memory. */
class ErasureListFollowerTest {
  private final ErasureListInMemory list = new ErasureListInMemory();

  private ErasureListFollower open(Duration limit) {
    return new ErasureListFollower(list, Duration.ofMillis(5), limit, "test");
  }

  @Test
  void anErasureEndsBetweenATimeThatItCoversAndALaterOne() throws Exception {
    list.forget("a", 1_000);
    list.fail(new MongoTimeoutException("no primary"), 3);
    try (ErasureListFollower erased = open(Duration.ofMinutes(1))) {
      assertThat(erased.endsBetween("a", 1_000, 1_001)).isTrue();
      assertThat(erased.endsBetween("a", 999, 1_000)).isFalse();
      assertThat(erased.endsBetween("a", 1_001, 1_002)).isFalse();
      assertThat(erased.endsBetween("b", 1_000, 1_001)).isFalse();
    }

    assertThat(list.isClosed()).isTrue();
  }

  @Test
  void aListThatCannotBeReadForTooLongFailsTheQuery() {
    list.fail(new MongoTimeoutException("no primary"), Integer.MAX_VALUE);
    try (ErasureListFollower erased = open(Duration.ofMillis(50))) {
      assertThatThrownBy(() -> erased.endsBetween("a", 1, 2))
          .isInstanceOf(ErasureListUnreadableException.class)
          .hasMessageContaining("The erasure list cannot be read");
    }
  }

  @Test
  void whoWaitsForTheListWaitsForItsFirstRead() throws Exception {
    list.forget("a", 1_000);
    list.fail(new MongoTimeoutException("no primary"), 3);
    try (ErasureListFollower erased = open(Duration.ofMinutes(1))) {
      erased.awaitRead();
      // It would fail a query that still had to read.
      list.fail(new MongoTimeoutException("no primary"), Integer.MAX_VALUE);

      erased.awaitRead();
      assertThat(erased.endsBetween("a", 1_000, 1_001)).isTrue();
    }
  }

  @Test
  void aListThatCannotBeReadForTooLongFailsTheWait() {
    list.fail(new MongoTimeoutException("no primary"), Integer.MAX_VALUE);
    try (ErasureListFollower erased = open(Duration.ofMillis(50))) {
      assertThatThrownBy(erased::awaitRead)
          .isInstanceOf(ErasureListUnreadableException.class)
          .hasMessageContaining("The erasure list cannot be read");
    }
  }
}
