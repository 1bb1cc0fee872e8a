package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import io.lastfix.parse.PartitionAdmission;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Admits records to History within the limits of its partitions: see {@link PartitionBudget}. With
 * {@link ProvisionMode#OFF} it does not check partitions either.
 *
 * @param retryTimeout how long a record may wait for the first list of partitions. It is as long as
 *     the sinks retry; otherwise an outage that the sinks survive would restart the job
 */
public record HistoryAdmission(
    MongoOptions mongo,
    HistoryOptions history,
    ProvisionMode provision,
    PartitionLimits limits,
    Duration retryTimeout)
    implements PartitionAdmission.Factory {
  @Override
  public PartitionAdmission open(RuntimeContext context) {
    if (provision == ProvisionMode.OFF) {
      return PartitionAdmission.OF_ALL;
    }
    DriverThreads.endWith(context);
    PartitionListing listing =
        new PartitionListing(
            this::connect,
            retryTimeout,
            "%s-%d-partitions"
                .formatted(
                    context.getTaskInfo().getTaskName(),
                    context.getTaskInfo().getIndexOfThisSubtask()),
            System::nanoTime);
    listing.start();
    return new PartitionBudget(
        history,
        provision,
        limits,
        listing,
        context.getTaskInfo().getNumberOfParallelSubtasks(),
        System::nanoTime);
  }

  private PartitionListing.Reader connect() {
    MongoClient client = MongoClientFactory.create(mongo, 1);
    HistoryPartitions partitions = new HistoryPartitions(client, mongo.database(), history);
    return new PartitionListing.Reader() {
      @Override
      public List<HistoryPartition> list() {
        return partitions.list();
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
