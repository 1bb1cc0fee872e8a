package io.lastfix.locate;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * How long the catalogue's topic keeps a removal, and what follows for restored state: Kafka may
 * have deleted a removal that such state has not seen.
 *
 * <p>The catalogue's source and the join judge by themselves, each by the instant of the checkpoint
 * that it restores and by its own clock. So their limits are apart: whenever the join forgets its
 * cells, the source reads the catalogue anew, unless the clocks differ, or the join starts later
 * than the source, by more than the distance of the limits. That is four tenths of the retention,
 * and no less than {@link #LEAST_DISTANCE}. If only the source finds its state too old, all
 * removals are still there.
 *
 * @param kept the {@code delete.retention.ms} of the topic
 */
public record RemovalRetention(Duration kept) implements Serializable {
  /** As Lastfix creates the topic. */
  public static final RemovalRetention DEFAULT = new RemovalRetention(Duration.ofDays(30));

  /** What clocks, and the starts of two tasks of one job, may differ by. */
  static final Duration LEAST_DISTANCE = Duration.ofHours(1);

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RemovalRetention {
    if (kept.isNegative()) {
      throw new IllegalArgumentException("kept: expected 0 or more, found " + kept);
    }
  }

  /**
   * Whether a source that restores state of that instant reads the catalogue from its beginning:
   * after half the retention; and always if the retention is too short for {@link #LEAST_DISTANCE}.
   */
  public boolean isReadAnew(Instant stateOf, Instant now) {
    Duration half = kept.dividedBy(2);
    Duration before = forgottenAfter().minus(LEAST_DISTANCE);
    return !isYounger(stateOf, now, half.compareTo(before) < 0 ? half : before);
  }

  /** Whether a join that restores state of that instant forgets the cells in it. */
  boolean isForgotten(Instant stateOf, Instant now) {
    return !isYounger(stateOf, now, forgottenAfter());
  }

  /** Not the whole retention: reading the catalogue takes time, too. */
  private Duration forgottenAfter() {
    return kept.dividedBy(10).multipliedBy(9);
  }

  private static boolean isYounger(Instant stateOf, Instant now, Duration limit) {
    Duration age = Duration.between(stateOf, now);
    // A clock that is behind makes no state younger than new.
    return (age.isNegative() ? Duration.ZERO : age).compareTo(limit) < 0;
  }
}
