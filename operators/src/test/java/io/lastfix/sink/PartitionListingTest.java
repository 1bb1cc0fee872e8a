package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoTimeoutException;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.TestHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The age of a list, and how long a record waits for one; {@code PoisonPeriodsIT} uses a server.
 */
@Timeout(60)
class PartitionListingTest {
  private static final Duration AGE = Duration.ofSeconds(2);
  private static final HistoryPartition PARTITION = TestHistory.MONTHS.partitionAt(Instant.EPOCH);

  private final FakeServer server = new FakeServer();
  private final AtomicLong elapsedNanos = new AtomicLong();
  private PartitionListing listing = listing(Duration.ofSeconds(30));

  private PartitionListing listing(Duration firstLimit) {
    return new PartitionListing(
        server::connect, firstLimit, "partitions", () -> System.nanoTime() + elapsedNanos.get());
  }

  @AfterEach
  void closingEndsTheConnection() {
    server.mayAnswer.release(1_000);
    listing.close();
    assertThat(server.open).hasValue(0);
  }

  /** Has one partition more at each listing. */
  private static final class FakeServer {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger listed = new AtomicInteger();
    private final Semaphore mayAnswer = new Semaphore(1_000);
    private volatile boolean isAway;

    PartitionListing.Reader connect() {
      open.incrementAndGet();
      return new PartitionListing.Reader() {
        @Override
        public List<HistoryPartition> list() {
          begun.incrementAndGet();
          mayAnswer.acquireUninterruptibly();
          if (isAway) {
            throw new MongoTimeoutException("no server");
          }
          return Collections.nCopies(listed.incrementAndGet(), PARTITION);
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }

    /** Blocks lists until the test releases them. */
    void hangs() {
      mayAnswer.drainPermits();
    }
  }

  private void pass(Duration time) {
    elapsedNanos.addAndGet(time.toNanos());
  }

  private int listOfAtMost(Duration age) {
    return listing.notOlderThan(age).size();
  }

  private void startAndAwaitTheFirstList() {
    listing.start();
    await().until(() -> server.listed.get() == 1);
    assertThat(listOfAtMost(AGE)).isEqualTo(1);
  }

  @Test
  void theFirstListIsReadBeforeARecordNeedsIt() {
    startAndAwaitTheFirstList();

    server.isAway = true;
    pass(Duration.ofDays(1));

    assertThat(listOfAtMost(AGE)).as("the list of the start, in an outage").isEqualTo(1);
  }

  @Test
  void anOutageAtTheStartIsWaitedOut() {
    server.isAway = true;
    listing.start();
    await().until(() -> server.begun.get() == 2);

    server.isAway = false;

    assertThat(listOfAtMost(AGE)).isEqualTo(1);
  }

  @Test
  void withoutAnyListTheTaskFailsAfterTheLimitAndSaysWhy() {
    server.isAway = true;
    listing = listing(Duration.ofSeconds(2));
    listing.start();

    assertThatThrownBy(() -> listing.notOlderThan(AGE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The partitions of History could not be listed within 2 s: MongoTimeoutException, code"
                + " -3");
  }

  @Test
  void aTaskThatIsCancelledWaitsForNoList() {
    server.hangs();
    listing.start();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> listing.notOlderThan(AGE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aListThatIsTooOldIsReadAgainAndAYoungOneIsNot() {
    startAndAwaitTheFirstList();
    assertThat(listOfAtMost(AGE)).isEqualTo(1);

    pass(Duration.ofSeconds(60));

    assertThat(listOfAtMost(AGE)).isEqualTo(2);
  }

  @Test
  void aQuickListIsSeenByTheRecordThatNeedsIt() {
    startAndAwaitTheFirstList();

    pass(Duration.ofSeconds(3));

    assertThat(listOfAtMost(AGE)).isEqualTo(2);
  }

  @Test
  void aSlowListHoldsUpNoRecordWhileTheLastOneIsYoung() {
    startAndAwaitTheFirstList();
    server.hangs();
    pass(Duration.ofSeconds(3));

    long began = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(listOfAtMost(AGE)).isEqualTo(1);
    }

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    server.mayAnswer.release(1_000);
    await().until(() -> listOfAtMost(AGE) > 1);
  }

  @Test
  void inAnOutageOnlyOneRecordOfHalfAMinuteWaits() {
    startAndAwaitTheFirstList();
    server.isAway = true;
    pass(Duration.ofSeconds(60));
    assertThat(listOfAtMost(AGE)).isEqualTo(1);

    long began = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(listOfAtMost(AGE)).isEqualTo(1);
    }

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void afterAnOutageTheListIsYoungAgain() {
    startAndAwaitTheFirstList();
    server.isAway = true;
    pass(Duration.ofSeconds(60));
    assertThat(listOfAtMost(AGE)).isEqualTo(1);
    server.isAway = false;

    pass(Duration.ofSeconds(60));

    assertThat(listOfAtMost(AGE)).isEqualTo(2);
  }
}
