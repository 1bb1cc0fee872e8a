package io.lastfix.store.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time by which partitions are dropped. Dropping is irreversible, so no single clock decides:
 * this machine's clock and the server's must agree, and the earlier one counts.
 */
public final class PartitionExpiry {
  /** Synchronised clocks differ by less. */
  static final Duration MOST_APART = Duration.ofMinutes(10);

  private PartitionExpiry() {}

  /**
   * Returns the earlier of both times.
   *
   * @param here this machine's clock
   * @param server {@link HistoryPartitions#serverTime} or an equivalent
   * @throws ClocksDisagreeException if they differ by more than ten minutes
   * @throws com.mongodb.MongoException if the server does not answer
   */
  public static Instant of(InstantSource here, InstantSource server)
      throws ClocksDisagreeException {
    // The server is read first: its answer takes time, and this clock must not appear behind
    // because of that.
    Instant theirs = server.instant();
    Instant ours = here.instant();
    if (Duration.between(ours, theirs).abs().compareTo(MOST_APART) > 0) {
      throw new ClocksDisagreeException(ours, theirs);
    }
    return ours.isBefore(theirs) ? ours : theirs;
  }
}
