package io.lastfix.jobs.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back the location records of a job that starts without a savepoint until the catalogue, as
 * it stands then, is in the join's state. Otherwise a record could meet an older entry of its cell
 * that has not been overtaken by the newer one yet, and be stored with coordinates that were not
 * true at its moment. RATIONALE.md tells why it is done here.
 *
 * <p>The sign that it is there: the catalogue's consumer group has committed every offset up to the
 * topic's end, which the source does only after a checkpoint that holds what was read. To trust
 * that sign, offsets that an earlier run committed are set back first.
 *
 * <p>This runs on the source coordinator's worker thread (on the JobManager, never on a task), and
 * only for the first discovery of partitions. The wait is bounded: past it the job goes on with
 * what there is, and says so.
 */
public final class AfterCatalog implements OffsetsInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(AfterCatalog.class);
  private static final long REQUEST_TIMEOUT_MILLIS = 30_000;
  private static final long POLL_MILLIS = 200;

  private final OffsetsInitializer start;
  private final Properties clientProperties;
  private final String cellsTopic;
  private final String cellsGroupId;
  private final Duration timeout;

  /**
   * Begins where {@code start} says, after the catalogue.
   *
   * @param clientProperties for the client that asks for offsets
   * @param cellsTopic the catalogue's topic; it must exist
   * @param cellsGroupId the group under which this job's catalogue source commits
   * @param timeout the longest to wait
   */
  public AfterCatalog(
      OffsetsInitializer start,
      Properties clientProperties,
      String cellsTopic,
      String cellsGroupId,
      Duration timeout) {
    this.start = start;
    this.clientProperties = clientProperties;
    this.cellsTopic = cellsTopic;
    this.cellsGroupId = cellsGroupId;
    this.timeout = timeout;
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    if (!partitions.isEmpty()) {
      try (Admin admin = Admin.create(clientProperties)) {
        awaitCatalog(admin);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(
            "Interrupted while waiting for the catalogue in " + cellsTopic, e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException(
            "Cannot read the offsets of the catalogue in " + cellsTopic, e);
      }
    }
    return start.getPartitionOffsets(partitions, retriever);
  }

  private void awaitCatalog(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, Long> begins = offsets(admin, OffsetSpec.earliest());
    Map<TopicPartition, Long> ends = offsets(admin, OffsetSpec.latest());
    ends.entrySet().removeIf(end -> end.getValue() <= begins.get(end.getKey()));
    if (ends.isEmpty()) {
      LOG.info("The catalogue in {} is empty: starting without it", cellsTopic);
      return;
    }
    begins.keySet().retainAll(ends.keySet());
    admin
        .alterConsumerGroupOffsets(
            cellsGroupId,
            begins.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey, begin -> new OffsetAndMetadata(begin.getValue()))))
        .all()
        .get(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    LOG.info("Waiting until the catalogue in {} is loaded up to {}", cellsTopic, ends);
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!isCommitted(admin, ends)) {
      if (System.nanoTime() - deadline > 0) {
        LOG.warn(
            "The catalogue in {} was not loaded within {}: going on with what there is. Records may be stored without"
                + " coordinates, or with older ones. Raise source.catalog-timeout for a larger catalogue.",
            cellsTopic,
            timeout);
        return;
      }
      Thread.sleep(POLL_MILLIS);
    }
    LOG.info("The catalogue in {} is loaded", cellsTopic);
  }

  private Map<TopicPartition, Long> offsets(Admin admin, OffsetSpec which)
      throws InterruptedException, ExecutionException, TimeoutException {
    TopicDescription description =
        admin
            .describeTopics(List.of(cellsTopic))
            .allTopicNames()
            .get(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
            .get(cellsTopic);
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    description
        .partitions()
        .forEach(p -> asked.put(new TopicPartition(cellsTopic, p.partition()), which));
    Map<TopicPartition, ListOffsetsResultInfo> answered =
        admin.listOffsets(asked).all().get(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    Map<TopicPartition, Long> offsets = new HashMap<>();
    answered.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  private boolean isCommitted(Admin admin, Map<TopicPartition, Long> ends)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin
            .listConsumerGroupOffsets(cellsGroupId)
            .partitionsToOffsetAndMetadata()
            .get(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    return ends.entrySet().stream()
        .allMatch(
            end -> {
              OffsetAndMetadata offset = committed.get(end.getKey());
              return offset != null && offset.offset() >= end.getValue();
            });
  }

  @Override
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return start.getAutoOffsetResetStrategy();
  }
}
