package io.lastfix.deadlock;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads that wait for each other's lock until one of them is interrupted. */
final class Deadlock {
  private static final long LIMIT_SECONDS = 30;

  private final List<ReentrantLock> locks = List.of(new ReentrantLock(), new ReentrantLock());
  private final CyclicBarrier bothHaveOne = new CyclicBarrier(2);

  /** Takes a part in the deadlock. */
  void enter(int side) throws Exception {
    locks.get(side).lockInterruptibly();
    try {
      bothHaveOne.await(LIMIT_SECONDS, TimeUnit.SECONDS);
      locks.get(1 - side).lockInterruptibly();
      locks.get(1 - side).unlock();
    } finally {
      locks.get(side).unlock();
    }
  }

  /** Returns true if two threads of this JVM wait for this object's locks. */
  boolean isComplete() {
    return locks.stream().allMatch(ReentrantLock::hasQueuedThreads);
  }
}
