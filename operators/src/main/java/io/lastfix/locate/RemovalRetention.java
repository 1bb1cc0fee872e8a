package io.lastfix.locate;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * How long the catalogue's topic keeps a removal, and what follows for restored state: Kafka may
 * have deleted a removal that such state has not seen.
 *
 * <p>The catalogue's source and the join judge by themselves, each by the instant of the checkpoint
 * that it restores and by its own clock. So their limits are apart, the source's at half of the
 * retention and the join's at nine tenths: whenever the join forgets its cells, the source reads
 * the catalogue anew, unless the clocks differ, or the join starts later than the source, by more
 * than four tenths of the retention. If only the source finds its state too old, all removals are
 * still there.
 *
 * <p>A topic that keeps removals for less than {@link #SHORTEST} makes no state old: neither clocks
 * nor the starts of tasks agree that well, and a job that read its catalogue anew at every restore
 * might never get to its end.
 *
 * @param kept the {@code delete.retention.ms} of the topic
 */
public record RemovalRetention(Duration kept) implements Serializable {
  /** As Lastfix creates the topic. */
  public static final RemovalRetention DEFAULT = new RemovalRetention(Duration.ofDays(30));

  /** With less, a removal that is missed stays missed. */
  public static final Duration SHORTEST = Duration.ofSeconds(10);

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
   * after half the retention.
   */
  public boolean isReadAnew(Instant stateOf, Instant now) {
    return isOld(stateOf, now, kept.dividedBy(2));
  }

  /** Whether a join that restores state of that instant forgets the cells in it. */
  boolean isForgotten(Instant stateOf, Instant now) {
    // Not after the whole retention: reading the catalogue takes time, too.
    return isOld(stateOf, now, kept.dividedBy(10).multipliedBy(9));
  }

  private boolean isOld(Instant stateOf, Instant now, Duration limit) {
    return kept.compareTo(SHORTEST) >= 0 && Duration.between(stateOf, now).compareTo(limit) >= 0;
  }
}
