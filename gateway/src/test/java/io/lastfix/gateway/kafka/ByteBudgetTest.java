package io.lastfix.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  @Property
  void whatIsUsedIsTheSumOfTheSharesAndNeverMoreThanTheLimit(
      @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 400) Integer> sizes) {
    ByteBudget budget = new ByteBudget(1000);
    List<ByteBudget.Share> shares = new ArrayList<>();
    long expected = 0;
    for (int size : sizes) {
      ByteBudget.Share share = budget.share();
      boolean hasRoom = budget.hasRoomFor(size);
      assertThat(share.growTo(size)).isEqualTo(hasRoom);
      expected += hasRoom ? size : 0;
      assertThat(budget.used()).isEqualTo(expected).isLessThanOrEqualTo(budget.limit());
      shares.add(share);
    }
    shares.forEach(ByteBudget.Share::release);
    shares.forEach(ByteBudget.Share::release);
    assertThat(budget.used()).isZero();
  }

  @Test
  void aShareGrowsToASizeAndNotByIt() {
    ByteBudget budget = new ByteBudget(100);
    ByteBudget.Share share = budget.share();

    assertThat(share.growTo(60)).isTrue();
    assertThat(share.growTo(100)).isTrue();
    assertThat(share.growTo(50)).isTrue();
    assertThat(share.growTo(101)).isFalse();
    assertThat(budget.used()).isEqualTo(100);
  }

  @Test
  void aShareThatWasGivenBackDoesNotGrow() {
    ByteBudget budget = new ByteBudget(100);
    ByteBudget.Share share = budget.share();
    share.release();

    assertThat(share.growTo(1)).isFalse();
    assertThat(budget.used()).isZero();
  }

  @Test
  void manyThreadsNeverExceedTheLimitAndLeaveNothing() throws Exception {
    ByteBudget budget = new ByteBudget(1000);
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    List<Long> exceeded = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int n = 0; n < 5000; n++) {
                  ByteBudget.Share share = budget.share();
                  if (share.growTo(1 + n % 300) && budget.used() > budget.limit()) {
                    exceeded.add(budget.used());
                  }
                  share.release();
                }
              });
      thread.start();
      threads.add(thread);
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(exceeded).isEmpty();
    assertThat(budget.used()).isZero();
  }
}
