package io.lastfix.store.query;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Options of every query.
 *
 * @param timeLimit time after which the server aborts a statement, including its later batches; 1
 *     ms to 24 days. A query of several periods runs one statement for each
 * @param readPreference the members that answer: {@code primary}, {@code primaryPreferred}, {@code
 *     secondary}, {@code secondaryPreferred} or {@code nearest}; null: as in the connection string
 * @param maxStaleness how far an answering secondary may lag behind, 90 s or more; null: no limit
 */
public record QueryOptions(
    Duration timeLimit, @Nullable String readPreference, @Nullable Duration maxStaleness) {
  /** The minimum that MongoDB accepts. */
  public static final Duration LEAST_STALENESS = Duration.ofSeconds(90);

  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range; names what was expected and found
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
            "maxStaleness: expected with a readPreference other than primary");
      }
    }
    preference(readPreference, maxStaleness);
  }

  /** Returns options with this time limit; the rest is as in the connection string. */
  public static QueryOptions within(Duration timeLimit) {
    return new QueryOptions(timeLimit, null, null);
  }

  /** Returns the database with these options. */
  public MongoDatabase applyTo(MongoDatabase database) {
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
