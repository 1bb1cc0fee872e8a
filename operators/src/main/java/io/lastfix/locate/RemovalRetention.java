package io.lastfix.locate;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * How long the catalogue's topic keeps removals, and the resulting limits for the age of restored
 * state. Kafka may have deleted a removal that older state has not seen.
 *
 * <p>The catalogue's source and the join decide separately, each by the time of the checkpoint it
 * restores and by its own clock. Their limits therefore differ: half of the retention for the
 * source, nine tenths for the join. Whenever the join discards its cells, the source thus rereads
 * the catalogue. The exception: the clocks differ, or the join starts later than the source, by
 * more than four tenths of the retention. If only the source finds its state too old, all removals
 * still exist.
 *
 * <p>With a retention below {@link #SHORTEST} no state counts as old. Clocks and starts of tasks do
 * not agree that closely, and a job that rereads its catalogue at every restore might never reach
 * its end.
 *
 * @param kept the {@code delete.retention.ms} of the topic
 */
public record RemovalRetention(Duration kept) implements Serializable {
  /** The retention with which Lastfix creates the topic. */
  public static final RemovalRetention DEFAULT = new RemovalRetention(Duration.ofDays(30));

  /**
   * Shortest retention for which state can count as old; below it, a missed removal stays missed.
   */
  public static final Duration SHORTEST = Duration.ofSeconds(10);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RemovalRetention {
    if (kept.isNegative()) {
      throw new IllegalArgumentException("kept: expected 0 or more, found " + kept);
    }
  }

  /**
   * Returns true if a source that restores state of that time must read the catalogue from its
   * beginning: after half the retention.
   */
  public boolean mustReread(Instant stateOf, Instant now) {
    return isOld(stateOf, now, kept.dividedBy(2));
  }

  /** Returns true if a join that restores state of that time must discard its cells. */
  boolean isTooOldToKeep(Instant stateOf, Instant now) {
    // Less than the whole retention, since reading the catalogue takes time too.
    return isOld(stateOf, now, kept.dividedBy(10).multipliedBy(9));
  }

  private boolean isOld(Instant stateOf, Instant now, Duration limit) {
    return kept.compareTo(SHORTEST) >= 0 && Duration.between(stateOf, now).compareTo(limit) >= 0;
  }
}
