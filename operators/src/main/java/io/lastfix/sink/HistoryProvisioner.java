package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.sink.MongoBulkServer.CollectionProvisioner;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.provision.ProvisionException;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provisions a partition of History before its first insert. If the partition's period is not over,
 * it also provisions the next one, so that it exists before its first record. It creates no
 * successor of a past period; replaying a year creates its partitions one by one.
 *
 * <p>If the next partition cannot be provisioned, it only logs that: no record needs it yet, and it
 * is retried before its own first insert. {@link ViewRefresher} maintains the view over the
 * partitions.
 */
record HistoryProvisioner(
    CollectionProvisioner partitions, HistoryOptions history, InstantSource clock)
    implements CollectionProvisioner {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryProvisioner.class);

  @Override
  public void provision(String collection) throws ProvisionException {
    partitions.provision(collection);
    partition(collection)
        .filter(partition -> partition.end().isAfter(clock.instant()))
        .ifPresent(current -> provisionAhead(history.collectionAt(current.end().toEpochMilli())));
  }

  /**
   * An expired partition may have been dropped. Nothing should write to it any more, but if
   * something does, the insert must not create it.
   */
  @Override
  public boolean mayBeGone(String collection) {
    HistoryRetention retention = history.retention();
    return retention != null
        && partition(collection)
            .filter(partition -> retention.isExpired(partition, clock.instant()))
            .isPresent();
  }

  private Optional<HistoryPartition> partition(String collection) {
    return HistoryPartition.parse(history.collectionPrefix(), collection);
  }

  private void provisionAhead(String following) {
    try {
      partitions.provision(following);
    } catch (MongoException e) {
      // The exception's own message may quote documents or commands.
      LOG.warn(
          "The next partition {} is not provisioned yet ({}, code {}); the sink retries before"
              + " the first insert",
          following,
          e.getClass().getSimpleName(),
          e.getCode());
    } catch (ProvisionException e) {
      LOG.warn(
          "The job will fail when records for the next partition {} arrive: {}",
          following,
          e.getMessage());
    }
  }
}
