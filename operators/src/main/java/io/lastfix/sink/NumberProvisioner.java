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
  private final HistoryRetention retention;
  private final InstantSource clock;
  private final Map<String, Instant> ensured = new ConcurrentHashMap<>();

  /** Where collections are created. */
  interface Target {
    void ensure(CollectionDescription description) throws ProvisionException;
  }

  NumberProvisioner(
      NumberCollections collections,
      Target target,
      @Nullable HistoryRetention retention,
      InstantSource clock) {
    this.collections = collections;
    this.target = target;
    this.retention = retention == null ? shortest(collections.period()) : retention;
    this.clock = clock;
  }

  /** The location job, which drops, may have a retention that is not in this configuration. */
  private static HistoryRetention shortest(PartitionPeriod period) {
    return HistoryRetention.of(period, period.longest(), Duration.ZERO);
  }

  @Override
  public void provision(String collection) throws ProvisionException {
    target.ensure(collections.description(collection));
    ensured.put(collection, clock.instant());
  }

  @Override
  public boolean mayBeGone(String collection) {
    return HistoryPartition.parse(collections.collectionPrefix(), collection)
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
