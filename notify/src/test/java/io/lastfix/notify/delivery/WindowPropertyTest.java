package io.lastfix.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.notify.TestAlert;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Any interleaving of reading, answers, commits and crashes delivers each alert at least once, and
 * each user's in their order; no commit passes an alert that was not delivered.
 */
class WindowPropertyTest {
  private static final TopicPartition PARTITION = new TopicPartition("lastfix.alerts", 0);
  private static final int USERS = 4;

  /** What happens next. */
  enum Step {
    READ,
    TAKE,
    DELIVERED,
    FAILED,
    COMMIT,
    CRASH
  }

  /** A server between two crashes, and what outlives it. */
  private static final class Run {
    private final int alerts;
    private final Random random;
    private final List<Integer> delivered = new ArrayList<>();
    private final Map<String, Integer> newest = new HashMap<>();
    private @Nullable OffsetAndMetadata committed;
    private Window window = new Window(8, 3);
    private List<Delivery> inFlight = new ArrayList<>();
    private long position;
    private Instant now = TestAlert.AT;

    Run(int alerts, long seed) {
      this.alerts = alerts;
      random = new Random(seed);
      window.assign(PARTITION, null);
    }

    static String user(long offset) {
      return "user-" + offset * 7 % USERS;
    }

    void step(Step step) {
      now = now.plusSeconds(1);
      switch (step) {
        case READ -> {
          if (position < alerts && !window.isFull()) {
            window.add(
                PARTITION,
                position,
                now,
                500,
                TestAlert.of(user(position)).alert(),
                List.of(TestAlert.DISPATCH));
            position++;
          }
        }
        case TAKE -> {
          inFlight.addAll(window.take(now));
          assertThat(inFlight).hasSizeLessThanOrEqualTo(3);
          assertThat(inFlight.stream().map(Delivery::line)).doesNotHaveDuplicates();
        }
        case DELIVERED -> one().ifPresent(this::deliver);
        case FAILED -> one().ifPresent(it -> window.retry(it, now.plusSeconds(random.nextInt(4))));
        case COMMIT -> {
          Map<TopicPartition, OffsetAndMetadata> commit = window.toCommit();
          if (!commit.isEmpty()) {
            committed = commit.get(PARTITION);
            window.committed(commit);
            assertCommitted();
          }
        }
        case CRASH -> {
          window = new Window(8, 3);
          inFlight = new ArrayList<>();
          window.assign(PARTITION, committed);
          position = committed == null ? 0 : committed.offset();
          // What is delivered again begins with the first one that was not committed.
          newest.clear();
        }
      }
    }

    private Optional<Delivery> one() {
      return inFlight.isEmpty()
          ? Optional.empty()
          : Optional.of(inFlight.remove(random.nextInt(inFlight.size())));
    }

    private void deliver(Delivery delivery) {
      int offset = (int) delivery.offset();
      delivered.add(offset);
      Integer before = newest.put(delivery.alert().user(), offset);
      assertThat(before == null || before < offset).as("order of a user").isTrue();
      window.finish(delivery);
    }

    private void assertCommitted() {
      Progress progress = Progress.of(committed);
      for (int offset = 0; offset < progress.next(); offset++) {
        if (!progress.open().contains((long) offset)) {
          assertThat(delivered).contains(offset);
        }
      }
    }

    void end() {
      while (window.unfinished() > 0 || position < alerts) {
        step(Step.READ);
        step(Step.TAKE);
        step(Step.DELIVERED);
      }
      step(Step.COMMIT);
      assertThat(new TreeSet<>(delivered)).hasSize(alerts);
      assertThat(committed).isEqualTo(new OffsetAndMetadata(alerts));
    }
  }

  @Property(tries = 500)
  void eachAlertIsDeliveredAtLeastOnce_InTheOrderOfItsUser_AndNoCommitPassesOne(
      @ForAll @IntRange(min = 1, max = 40) int alerts,
      @ForAll("steps") List<Step> steps,
      @ForAll long seed) {
    Run run = new Run(alerts, seed);

    steps.forEach(run::step);

    run.end();
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.just(Step.READ)),
            Tuple.of(5, Arbitraries.just(Step.TAKE)),
            Tuple.of(5, Arbitraries.just(Step.DELIVERED)),
            Tuple.of(3, Arbitraries.just(Step.FAILED)),
            Tuple.of(2, Arbitraries.just(Step.COMMIT)),
            Tuple.of(1, Arbitraries.just(Step.CRASH)))
        .list()
        .ofMaxSize(300);
  }
}
