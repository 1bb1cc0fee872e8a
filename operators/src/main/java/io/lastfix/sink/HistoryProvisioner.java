package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.provision.ProvisionException;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provisions a partition of History before its first insert, and with a partition that is not over
 * yet the one that follows: so the next period's is there before its first record comes. A period
 * of the past has no successor made; who replays a year makes its partitions one by one.
 *
 * <p>That the following one cannot be provisioned is only logged: nothing is written to it yet, and
 * before its own first insert it is tried again. The view over them is none of its business: see
 * {@link ViewRefresher}.
 */
final class HistoryProvisioner implements CollectionProvisioner {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryProvisioner.class);

  private final PartitionProvisioner partitions;
  private final HistoryOptions history;
  private final InstantSource clock;

  HistoryProvisioner(PartitionProvisioner partitions, HistoryOptions history, InstantSource clock) {
    this.partitions = partitions;
    this.history = history;
    this.clock = clock;
  }

  @Override
  public void provision(String collection) throws ProvisionException {
    partitions.provision(collection);
    Optional<HistoryPartition> current =
        partition(collection).filter(partition -> partition.end().isAfter(clock.instant()));
    if (current.isPresent()) {
      provisionAhead(history.collectionAt(current.get().end().toEpochMilli()));
    }
  }

  /**
   * One that is expired may have been dropped since. Nothing should be written to it any more, but
   * if something is, an insert must not make it.
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
      // Its own words may quote documents or commands.
      LOG.warn(
          "The next partition {} is not provisioned yet ({}, code {}); it is tried again before its"
              + " first insert",
          following,
          e.getClass().getSimpleName(),
          e.getCode());
    } catch (ProvisionException e) {
      LOG.warn(
          "The job will fail when records for the next partition {} come: {}",
          following,
          e.getMessage());
    }
  }
}
