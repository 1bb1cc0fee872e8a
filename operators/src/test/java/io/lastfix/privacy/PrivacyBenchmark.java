package io.lastfix.privacy;

import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.Pseudonyms;
import io.lastfix.store.erasure.UserHash;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Measures the cost of a pseudonym and of the erasure list per record: {@code java -cp ...
 * io.lastfix.privacy.PrivacyBenchmark}. It reports the best of many rounds, because other processes
 * can only make a round slower.
 */
public final class PrivacyBenchmark {
  private static final int ROUNDS = 30;
  private static final int RECORDS_PER_ROUND = 200_000;
  private static final int FORGOTTEN = 100_000;

  private PrivacyBenchmark() {}

  /** Prints one line per measurement. */
  public static void main(String[] arguments) {
    String[] users = new String[1 << 16];
    for (int i = 0; i < users.length; i++) {
      users[i] = "35000000%07d".formatted(i);
    }
    Pseudonyms pseudonyms = new Pseudonyms(new PseudonymKey("0123456789abcdef"));
    print("pseudonym", users, user -> pseudonyms.of(user).hashCode());
    print("hash of a user", users, user -> UserHash.of(user).low());
    Map<UserHash, Long> until = new HashMap<>();
    for (int i = 0; i < FORGOTTEN; i++) {
      until.put(UserHash.of("forgotten-" + i), 1L);
    }
    ErasedUsers forgotten = new ErasedUsers(1, until);
    print(
        "hash, and a look into a list of %,d".formatted(FORGOTTEN),
        users,
        user -> forgotten.covers(UserHash.of(user), 1) ? 1 : 2);
  }

  private static void print(String what, String[] users, ToLongFunction<String> work) {
    double best = Double.MAX_VALUE;
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < RECORDS_PER_ROUND; i++) {
        sum += work.applyAsLong(users[i & (users.length - 1)]);
      }
      best = Math.min(best, (System.nanoTime() - start) / 1e3 / RECORDS_PER_ROUND);
    }
    if (sum == 0) {
      throw new IllegalStateException("Nothing was computed");
    }
    System.out.printf(Locale.ROOT, "%-40s %.2f us%n", what, best);
  }
}
