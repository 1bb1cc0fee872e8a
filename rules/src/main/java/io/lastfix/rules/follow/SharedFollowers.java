package io.lastfix.rules.follow;

import io.lastfix.rules.follow.RuleFollower.Listener;
import io.lastfix.rules.follow.RuleFollower.Options;
import io.lastfix.rules.follow.RuleFollower.Subscription;
import java.util.HashMap;
import java.util.Map;

/** One follower for each job and topic of a JVM, counted by its subscriptions. */
final class SharedFollowers {
  private final Factory factory;
  private final Map<Key, Shared> byKey = new HashMap<>();

  /** Creates followers. */
  interface Factory {
    /** Returns a follower, which is not started. */
    RuleFollower create(Options options, String jobId);
  }

  private record Key(Options options, String jobId) {}

  private static final class Shared {
    private final RuleFollower follower;
    private int users;

    private Shared(RuleFollower follower) {
      this.follower = follower;
    }
  }

  SharedFollowers(Factory factory) {
    this.factory = factory;
  }

  /** Opens a subscription, as {@link RuleFollower.Opener#open}. */
  Subscription open(
      Options options, String jobId, int subtask, int of, int attempt, Listener listener)
      throws InterruptedException {
    long since = System.nanoTime();
    Key key = new Key(options, jobId);
    Shared shared = enter(key);
    try {
      return shared.follower.subscribe(
          since, subtask, of, attempt, listener, () -> leave(key, shared));
    } catch (InterruptedException | RuntimeException | Error e) {
      leave(key, shared);
      throw e;
    }
  }

  private synchronized Shared enter(Key key) {
    Shared shared = byKey.get(key);
    if (shared == null || shared.follower.hasFailed()) {
      // One that has failed ends with its own last subscription.
      shared = new Shared(factory.create(key.options(), key.jobId()).start());
      byKey.put(key, shared);
    }
    shared.users++;
    return shared;
  }

  private void leave(Key key, Shared shared) {
    synchronized (this) {
      shared.users--;
      if (shared.users > 0) {
        return;
      }
      byKey.remove(key, shared);
    }
    // Outside of the lock: it waits for its threads.
    shared.follower.close();
  }
}
