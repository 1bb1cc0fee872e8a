package io.lastfix.sink;

import com.mongodb.MongoException;
import io.lastfix.provision.ProvisionException;
import io.lastfix.query.HistoryPartition;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provisions a partition of History before its first insert, and with a partition that is not over
 * yet the one that follows: so the next period's is there before its first record comes. A period
 * of the past has no successor made; who replays a year makes its partitions one by one.
 *
 * <p>That the following one cannot be provisioned is only logged: nothing is written to it yet, and
 * before its own first insert it is tried again.
 */
final class HistoryProvisioner implements CollectionProvisioner {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryProvisioner.class);

  private final CollectionProvisioner one;
  private final HistoryOptions history;
  private final InstantSource clock;

  /**
   * @param one provisions one partition
   */
  HistoryProvisioner(CollectionProvisioner one, HistoryOptions history, InstantSource clock) {
    this.one = one;
    this.history = history;
    this.clock = clock;
  }

  @Override
  public void provision(String collection) throws ProvisionException {
    one.provision(collection);
    HistoryPartition.parse(history.collectionPrefix(), collection)
        .filter(partition -> partition.end().isAfter(clock.instant()))
        .ifPresent(
            partition -> provisionAhead(history.collectionAt(partition.end().toEpochMilli())));
  }

  private void provisionAhead(String following) {
    try {
      one.provision(following);
    } catch (MongoException e) {
      // Its own words may quote documents or commands.
      LOG.warn(
          "The next partition {} is not provisioned yet ({}, code {}); it is tried again before its first insert",
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
