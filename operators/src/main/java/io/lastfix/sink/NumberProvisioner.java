package io.lastfix.sink;

import io.lastfix.sink.MongoBulkServer.CollectionProvisioner;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.ProvisionException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates a collection of numbers before its first write, and again if it was dropped with the
 * partition of its time.
 */
final class NumberProvisioner implements CollectionProvisioner {
  /** Collections are dropped once an hour. */
  private static final Duration LATELY = Duration.ofMinutes(1);

  private final NumberCollections collections;
  private final Target target;
  private final boolean requiresPast;
  private final HistoryRetention retention;
  private final InstantSource clock;
  private final Map<String, Instant> ensured = new ConcurrentHashMap<>();

  /** Where collections are created. */
  interface Target {
    void ensure(CollectionDescription description) throws ProvisionException;
  }

  /**
   * @param requiresPast whether the target also gets the collections of periods that are over
   * @param retention after which collections may have been dropped; null: not known
   */
  NumberProvisioner(
      NumberCollections collections,
      Target target,
      boolean requiresPast,
      @Nullable HistoryRetention retention,
      InstantSource clock) {
    this.collections = collections;
    this.target = target;
    this.requiresPast = requiresPast;
    this.retention = retention == null ? shortest(collections.period()) : retention;
    this.clock = clock;
  }

  /** The location job, which drops, may have a retention that is not in this configuration. */
  private static HistoryRetention shortest(PartitionPeriod period) {
    return HistoryRetention.of(period, period.longest(), Duration.ZERO);
  }

  @Override
  public void provision(String collection) throws ProvisionException {
    Instant now = clock.instant();
    if (requiresPast || partition(collection).filter(it -> !it.end().isAfter(now)).isEmpty()) {
      target.ensure(collections.description(collection));
    }
    ensured.put(collection, now);
  }

  private Optional<HistoryPartition> partition(String collection) {
    return HistoryPartition.parse(collections.collectionPrefix(), collection);
  }

  @Override
  public boolean mayBeGone(String collection) {
    return partition(collection)
        .filter(partition -> retention.isExpired(partition, clock.instant()))
        .filter(partition -> !isEnsuredLately(collection))
        .isPresent();
  }

  /** The numbers of a past time come in many bulks, if they are computed again. */
  private boolean isEnsuredLately(String collection) {
    Instant last = ensured.get(collection);
    return last != null && last.plus(LATELY).isAfter(clock.instant());
  }
}
