package io.lastfix.store.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time by which partitions are dropped. What is dropped is gone, so no one clock is trusted
 * with it: this machine's and the server's have to agree, and then the earlier one counts.
 */
public final class PartitionExpiry {
  /** Clocks that are kept in step differ by less. */
  static final Duration MOST_APART = Duration.ofMinutes(10);

  private PartitionExpiry() {}

  /**
   * The earlier time of both.
   *
   * @param here this machine's clock
   * @param server {@link HistoryPartitions#serverTime}, or another that does the same
   * @throws ClocksDisagreeException if they are further apart than ten minutes
   * @throws com.mongodb.MongoException if the server does not answer
   */
  public static Instant of(InstantSource here, InstantSource server)
      throws ClocksDisagreeException {
    // The server's first: while it answers time passes, and ours must not be behind for that.
    Instant theirs = server.instant();
    Instant ours = here.instant();
    if (Duration.between(ours, theirs).abs().compareTo(MOST_APART) > 0) {
      throw new ClocksDisagreeException(ours, theirs);
    }
    return ours.isBefore(theirs) ? ours : theirs;
  }
}
