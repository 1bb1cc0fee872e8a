package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
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
 * topic's end, which the source does only after a checkpoint that holds what was read. The group is
 * this submission's own, so that no other run's commits can give that sign.
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
  private final KafkaOptions kafka;
  private final CatalogGroup catalogGroup;
  private final Duration timeout;

  /**
   * Begins where {@code start} says, after the catalogue.
   *
   * @param start where the location records begin
   * @param kafka the brokers, the catalogue's topic, which must exist, and the job's group
   * @param catalogGroup of this submission, under which its catalogue's source commits
   * @param timeout the longest to wait
   */
  public AfterCatalog(
      OffsetsInitializer start, KafkaOptions kafka, CatalogGroup catalogGroup, Duration timeout) {
    this.start = start;
    this.kafka = kafka;
    this.catalogGroup = catalogGroup;
    this.timeout = timeout;
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    if (partitions.isEmpty()) {
      return start.getPartitionOffsets(partitions, retriever);
    }
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      awaitCatalog(admin);
      Map<TopicPartition, Long> offsets = start.getPartitionOffsets(partitions, retriever);
      commit(admin, resolved(offsets, retriever));
      return offsets;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "Interrupted while waiting for the catalogue in " + kafka.cellsTopic(), e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "Cannot read or set offsets for the start after " + kafka.cellsTopic(), e);
    }
  }

  /**
   * The offsets that this start goes back or forward to, as numbers; without those of a start at
   * what is committed already. They are committed at once: what an earlier run committed would make
   * the lag look smaller than it is, and {@code lastfix drain} end too early.
   */
  private static Map<TopicPartition, Long> resolved(
      Map<TopicPartition, Long> offsets, PartitionOffsetsRetriever retriever) {
    Map<TopicPartition, Long> begins = retriever.beginningOffsets(offsets.keySet());
    Map<TopicPartition, Long> resolved = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (offset == KafkaPartitionSplit.EARLIEST_OFFSET) {
            resolved.put(partition, begins.get(partition));
          } else if (offset != KafkaPartitionSplit.COMMITTED_OFFSET) {
            resolved.put(partition, offset);
          }
        });
    return resolved;
  }

  private void commit(Admin admin, Map<TopicPartition, Long> offsets)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!offsets.isEmpty()) {
      admin
          .alterConsumerGroupOffsets(
              kafka.groupId(),
              offsets.entrySet().stream()
                  .collect(
                      Collectors.toMap(
                          Map.Entry::getKey, offset -> new OffsetAndMetadata(offset.getValue()))))
          .all()
          .get(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void awaitCatalog(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, Long> begins = offsets(admin, OffsetSpec.earliest());
    Map<TopicPartition, Long> ends = offsets(admin, OffsetSpec.latest());
    ends.entrySet().removeIf(end -> end.getValue() <= begins.get(end.getKey()));
    if (ends.isEmpty()) {
      LOG.info("The catalogue in {} is empty: starting without it", kafka.cellsTopic());
      return;
    }
    LOG.info(
        "Waiting until the catalogue in {} is loaded up to {}, by the commits of {}",
        kafka.cellsTopic(),
        ends,
        catalogGroup.id());
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!isCommitted(admin, ends)) {
      if (System.nanoTime() - deadline > 0) {
        LOG.warn(
            "The catalogue in {} was not loaded within {}: going on with what there is. Records may be stored without"
                + " coordinates, or with older ones. Raise source.catalog-timeout for a larger catalogue.",
            kafka.cellsTopic(),
            timeout);
        return;
      }
      Thread.sleep(POLL_MILLIS);
    }
    LOG.info("The catalogue in {} is loaded", kafka.cellsTopic());
  }

  private Map<TopicPartition, Long> offsets(Admin admin, OffsetSpec which)
      throws InterruptedException, ExecutionException, TimeoutException {
    TopicDescription description =
        admin
            .describeTopics(List.of(kafka.cellsTopic()))
            .allTopicNames()
            .get(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
            .get(kafka.cellsTopic());
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    description
        .partitions()
        .forEach(p -> asked.put(new TopicPartition(kafka.cellsTopic(), p.partition()), which));
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
            .listConsumerGroupOffsets(catalogGroup.id())
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
