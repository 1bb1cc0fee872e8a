package io.lastfix.alert;

import static org.awaitility.Awaitility.await;

import io.lastfix.privacy.ErasureListFollower;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.UserHash;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An erasure list in memory, which the one subtask that runs reads again and again. */
final class LiveErasures implements ErasureListFollower.Opener {
  private static final Duration INTERVAL = Duration.ofMillis(10);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final ConcurrentHashMap<UserHash, Long> untilMillis = new ConcurrentHashMap<>();

  /** The version that the subtask has read last. */
  private volatile int read = -1;

  /** That version as of the check after it: the subtask uses it. */
  private volatile int used = -1;

  /** Erases a user up to that timestamp, and waits until the subtask uses that. */
  void add(String user, long until) {
    untilMillis.put(UserHash.of(user), until);
    await().until(() -> used == untilMillis.size());
  }

  @Override
  public ErasureListFollower open(String threadName) {
    return new ErasureListFollower(new InMemory(this), INTERVAL, LIMIT, threadName);
  }

  private record InMemory(LiveErasures all) implements ErasureList {
    @Override
    public long version() {
      all.used = all.read;
      return all.untilMillis.size();
    }

    @Override
    public ErasedUsers read() {
      Map<UserHash, Long> users = Map.copyOf(all.untilMillis);
      all.read = users.size();
      return new ErasedUsers(users.size(), users);
    }

    @Override
    public void close() {
      // It holds nothing open.
    }
  }
}
