package io.lastfix.locate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.locate.WaitingQueue.Leaving;
import io.lastfix.locate.WaitingQueue.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WaitingQueueTest {
  private final WaitingQueue queue = new WaitingQueue();

  @Test
  void theOldestIsTheOneThatArrivedFirstWheneverItExpires() {
    Slot first = new Slot(200, 1, 10);
    Slot second = new Slot(100, 2, 11);
    Slot third = new Slot(200, 3, 10);
    List.of(first, second, third).forEach(queue::add);

    Leaving leaving = queue.pollOldest(2);

    assertThat(leaving.keys()).containsExactly(10L, 11L);
    assertThat(leaving.isLeaving()).accepts(first, second).rejects(third);
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.earliestExpiryMillis()).isEqualTo(200);
  }

  @Test
  void noneIsTakenThatExpiresLater() {
    Slot early = new Slot(100, 1, 10);
    Slot late = new Slot(200, 2, 10);
    queue.add(early);
    queue.add(late);
    assertThat(queue.earliestExpiryMillis()).isEqualTo(100);

    assertThat(queue.pollExpired(199))
        .satisfies(leaving -> assertThat(leaving.keys()).containsExactly(10L))
        .satisfies(leaving -> assertThat(leaving.isLeaving()).accepts(early).rejects(late));
    assertThat(queue.pollExpired(199).keys()).isEmpty();
    assertThat(queue.pollExpired(200).keys()).containsExactly(10L);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.earliestExpiryMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatIsNotThereCannotBeRemoved() {
    Slot place = new Slot(100, 1, 10);
    queue.add(place);
    queue.remove(place);

    for (Slot absent : List.of(place, new Slot(100, 1, 11), new Slot(7, 1, 10))) {
      assertThatThrownBy(() -> queue.remove(absent)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void itIsAnOrderedSetWhateverIsAddedRemovedAndTaken() {
    Random random = new Random(20261122);
    TreeSet<Slot> expected = new TreeSet<>();
    long arrival = 0;
    for (int step = 0; step < 200_000; step++) {
      if (random.nextInt(5) < 3) {
        Slot place = new Slot(100L * random.nextInt(1 + step / 10_000), ++arrival, arrival % 500);
        queue.add(place);
        expected.add(place);
      } else if (!expected.isEmpty() && random.nextInt(50) > 0) {
        Slot near = expected.floor(new Slot(0, random.nextLong(arrival), 0));
        Slot place = near == null ? expected.first() : near;
        queue.remove(place);
        expected.remove(place);
      } else if (!expected.isEmpty()) {
        TreeSet<Long> keys = new TreeSet<>();
        List<Slot> taken = new ArrayList<>();
        while (taken.size() < 20 && !expected.isEmpty()) {
          taken.add(expected.pollFirst());
          keys.add(taken.get(taken.size() - 1).key());
        }
        Leaving leaving = queue.pollOldest(taken.size());
        assertThat(leaving.keys()).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(leaving.isLeaving()).acceptsAll(taken);
        assertThat(expected).noneMatch(leaving.isLeaving());
      }
      assertThat(queue.size()).isEqualTo(expected.size());
    }
  }
}
