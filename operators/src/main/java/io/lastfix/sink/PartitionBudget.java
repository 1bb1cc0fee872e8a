package io.lastfix.sink;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.PartitionAdmission;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Admits records to existing partitions, and to as many new ones as the limits allow; with {@link
 * ProvisionMode#CHECK} to no new ones, since the sink would not create them.
 *
 * <p>It admits recent records whatever partitions exist. Many old records or a server that does not
 * answer therefore cannot stop normal traffic, and a job that was down for a weekend catches up.
 * With {@code CHECK}, recent means that the period is not over. If such a partition is missing, it
 * is missing for all devices, and the sink stops the job.
 */
final class PartitionBudget implements PartitionAdmission {
  /** How long after its end a period counts as recent. */
  static final Duration RECENT = Duration.ofDays(3);

  /** Time after which a partition created by another process is known. */
  private static final Duration MAX_AGE = Duration.ofSeconds(2);

  /** Time after which a dropped partition is noticed. */
  static final Duration TRUST = Duration.ofMinutes(5);

  /** Lists the existing partitions. */
  interface Listing extends AutoCloseable {
    /**
     * Returns a list that is at most this old; if that takes too long, the last known list. Returns
     * the same object as long as the partitions are the same.
     *
     * @throws IllegalStateException if there is no list yet
     */
    List<HistoryPartition> notOlderThan(Duration age);

    @Override
    void close();
  }

  private final HistoryOptions history;
  private final ProvisionMode mode;
  private final PartitionLimits limits;
  private final Listing listing;
  private final LongSupplier nanoTime;

  private final double newPerNano;
  private final double mostTokens;
  private double tokens;
  private long tokensAtNanos;

  private @Nullable List<HistoryPartition> listed;
  private final Set<Long> listedStarts = new HashSet<>();
  private long listedAtMillis;

  /** Admitted but not listed so far: their records may still be in flight. */
  private final Set<Long> admittedStarts = new HashSet<>();

  // The period of the last admitted record.
  private long startMillis;
  private long endMillis;
  private long admittedUntilMillis;

  /**
   * @param listing closed with this
   * @param subtasks number of subtasks that share the limit
   * @param nanoTime {@link System#nanoTime}
   */
  PartitionBudget(
      HistoryOptions history,
      ProvisionMode mode,
      PartitionLimits limits,
      Listing listing,
      int subtasks,
      LongSupplier nanoTime) {
    this.history = history;
    this.mode = mode;
    this.limits = limits;
    this.listing = listing;
    this.nanoTime = nanoTime;
    double share = limits.newPerMinute() / (double) subtasks;
    // With less than one token nothing would be admitted. This enlarges only the bucket, not the
    // rate.
    this.mostTokens = Math.max(1, share);
    this.newPerNano = share / TimeUnit.MINUTES.toNanos(1);
    this.tokens = mostTokens;
    this.tokensAtNanos = nanoTime.getAsLong();
  }

  @Override
  public @Nullable Refusal refusal(long timestampMillis, long nowMillis) {
    if (timestampMillis >= startMillis
        && timestampMillis < endMillis
        && nowMillis < admittedUntilMillis) {
      return null;
    }
    long start = history.period().startOf(timestampMillis);
    long end = history.period().endOf(timestampMillis);
    Refusal refusal = refusal(start, end, nowMillis);
    if (refusal == null) {
      startMillis = start;
      endMillis = end;
      admittedUntilMillis =
          isRecent(end, nowMillis) ? end + recentMillis() : nowMillis + TRUST.toMillis();
    }
    return refusal;
  }

  private boolean isRecent(long end, long nowMillis) {
    return end > nowMillis - recentMillis();
  }

  private long recentMillis() {
    return mode == ProvisionMode.CHECK ? 0 : RECENT.toMillis();
  }

  private @Nullable Refusal refusal(long start, long end, long nowMillis) {
    boolean isTrusted =
        nowMillis >= listedAtMillis && nowMillis < listedAtMillis + TRUST.toMillis();
    if (isRecent(end, nowMillis) || (isTrusted && isKnown(start))) {
      return null;
    }
    read(listing.notOlderThan(MAX_AGE));
    listedAtMillis = nowMillis;
    if (isKnown(start)) {
      return null;
    }
    if (mode == ProvisionMode.CHECK) {
      return new Refusal(
          RejectionReason.NO_PARTITION,
          "History has no partition for it; create the partition, and replay the message: "
              + HistoryPartitions.creatingCommand(history, history.collectionAt(start)));
    }
    int there = (listed == null ? 0 : listed.size()) + admittedStarts.size();
    if (there >= limits.inAll()) {
      return tooMany(start, "more than history.max-partitions (%d)".formatted(limits.inAll()));
    }
    if (!takeToken()) {
      return tooMany(
          start,
          "more than history.max-new-partitions-per-minute (%d)".formatted(limits.newPerMinute()));
    }
    admittedStarts.add(start);
    return null;
  }

  private Refusal tooMany(long start, String limit) {
    return new Refusal(
        RejectionReason.TOO_MANY_PARTITIONS,
        "History has no partition for it, and a new one would be %s; create the partition, and replay the message: %s"
            .formatted(
                limit, HistoryPartitions.creatingCommand(history, history.collectionAt(start))));
  }

  private boolean isKnown(long start) {
    return listedStarts.contains(start) || admittedStarts.contains(start);
  }

  private void read(List<HistoryPartition> partitions) {
    if (partitions == listed) {
      return;
    }
    listed = partitions;
    listedStarts.clear();
    for (HistoryPartition partition : partitions) {
      long start = partition.start().toEpochMilli();
      // Partitions with another period, from an earlier configuration, may begin at the same time.
      if (history.collectionAt(start).equals(partition.collection())) {
        listedStarts.add(start);
      }
    }
    admittedStarts.removeAll(listedStarts);
  }

  private boolean takeToken() {
    long now = nanoTime.getAsLong();
    tokens = Math.min(mostTokens, tokens + (now - tokensAtNanos) * newPerNano);
    tokensAtNanos = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  @Override
  public void close() {
    listing.close();
  }
}
