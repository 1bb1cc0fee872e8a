package io.lastfix.store.query;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How every query is asked.
 *
 * @param timeLimit after which the server gives a statement up, later batches of it included; 1 ms
 *     to 24 days. A reading over several periods is one statement for each
 * @param readPreference which members answer: {@code primary}, {@code primaryPreferred}, {@code
 *     secondary}, {@code secondaryPreferred} or {@code nearest}; null: as the connection string
 *     says
 * @param maxStaleness how far a secondary that answers may be behind, 90 s or more; null: any
 */
public record QueryOptions(
    Duration timeLimit, @Nullable String readPreference, @Nullable Duration maxStaleness) {
  /** The least that MongoDB takes. */
  public static final Duration LEAST_STALENESS = Duration.ofSeconds(90);

  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming what was expected and what was found
   */
  public QueryOptions {
    if (timeLimit.toMillis() < 1 || timeLimit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeLimit: expected 1 ms to 24 days, found " + timeLimit.toMillis() + " ms");
    }
    if (maxStaleness != null) {
      if (maxStaleness.compareTo(LEAST_STALENESS) < 0) {
        throw new IllegalArgumentException(
            "maxStaleness: expected 90 s or more, found %d s".formatted(maxStaleness.toSeconds()));
      }
      if (readPreference == null || readPreference.equals("primary")) {
        throw new IllegalArgumentException(
            "maxStaleness: expected a readPreference other than primary with it");
      }
    }
    preference(readPreference, maxStaleness);
  }

  /** That time limit, and all else as the connection string says. */
  public static QueryOptions within(Duration timeLimit) {
    return new QueryOptions(timeLimit, null, null);
  }

  /** The same database, asked so. */
  MongoDatabase applyTo(MongoDatabase database) {
    ReadPreference preference = preference(readPreference, maxStaleness);
    return preference == null ? database : database.withReadPreference(preference);
  }

  private static @Nullable ReadPreference preference(
      @Nullable String name, @Nullable Duration maxStaleness) {
    if (name == null) {
      return null;
    }
    try {
      return maxStaleness == null
          ? ReadPreference.valueOf(name)
          : ReadPreference.valueOf(name, List.of(), maxStaleness.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "readPreference: expected primary, primaryPreferred, secondary, secondaryPreferred or"
              + " nearest, found \"%s\"".formatted(name));
    }
  }
}
