package io.lastfix.sink;

import io.lastfix.parse.PartitionAdmission;
import io.lastfix.provision.ProvisionMode;
import java.util.Objects;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Lets records through to History as far as its partitions and limits allow: see {@link
 * PartitionBudget}. With {@link ProvisionMode#OFF} nobody looks at partitions, here neither.
 */
public final class HistoryAdmission implements PartitionAdmission.Factory {
  private static final long serialVersionUID = 1L;

  private final MongoOptions mongo;
  private final HistoryOptions history;
  private final ProvisionMode provision;
  private final PartitionLimits limits;

  public HistoryAdmission(
      MongoOptions mongo, HistoryOptions history, ProvisionMode provision, PartitionLimits limits) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.history = Objects.requireNonNull(history, "history");
    this.provision = Objects.requireNonNull(provision, "provision");
    this.limits = Objects.requireNonNull(limits, "limits");
  }

  @Override
  public PartitionAdmission open(RuntimeContext context) {
    if (provision == ProvisionMode.OFF) {
      return PartitionAdmission.OF_ALL;
    }
    DriverThreads.endWith(context);
    return new PartitionBudget(
        history,
        provision,
        limits,
        new PartitionListing(
            () -> MongoClientFactory.create(mongo, 1),
            mongo.database(),
            history,
            mongo.readTimeout(),
            "%s-%d-partitions"
                .formatted(
                    context.getTaskInfo().getTaskName(),
                    context.getTaskInfo().getIndexOfThisSubtask())),
        context.getTaskInfo().getNumberOfParallelSubtasks(),
        System::nanoTime);
  }
}
