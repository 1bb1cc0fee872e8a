package io.lastfix.presence;

import io.lastfix.privacy.ErasureListFollower;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.UserHash;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** An erasure list in memory; a subtask that starts reads what is in it then. */
public final class TestErasures implements ErasureListFollower.Opener {
  private static final Duration INTERVAL = Duration.ofHours(1);
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final long serialVersionUID = 1;

  private final HashMap<UserHash, Long> untilMillis = new HashMap<>();

  /** Erases a user up to that timestamp. */
  public void add(String device, long until) {
    untilMillis.put(UserHash.of(device), until);
  }

  @Override
  public ErasureListFollower open(String threadName) {
    return new ErasureListFollower(
        new InMemory(Map.copyOf(untilMillis)), INTERVAL, LIMIT, threadName);
  }

  private record InMemory(Map<UserHash, Long> untilMillis) implements ErasureList {
    @Override
    public long version() {
      return untilMillis.size();
    }

    @Override
    public ErasedUsers read() {
      return new ErasedUsers(version(), untilMillis);
    }

    @Override
    public void close() {
      // It holds nothing open.
    }
  }
}
