package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Begins where another initializer says, and commits for the job's group where that is. What an
 * earlier run committed would make the lag look smaller than it is, and {@code lastfix drain} end
 * too early.
 *
 * <p>This runs on the source coordinator's worker thread (on the JobManager, never on a task), and
 * only for the first discovery of partitions.
 */
public final class CommittingStart implements OffsetsInitializer {
  private static final long REQUEST_TIMEOUT_MILLIS = 30_000;

  private final OffsetsInitializer start;
  private final KafkaOptions kafka;

  /**
   * Begins where {@code start} says.
   *
   * @param start where the location records begin
   * @param kafka the brokers and the job's group
   */
  public CommittingStart(OffsetsInitializer start, KafkaOptions kafka) {
    this.start = start;
    this.kafka = kafka;
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    if (partitions.isEmpty()) {
      return start.getPartitionOffsets(partitions, retriever);
    }
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      Map<TopicPartition, Long> offsets = start.getPartitionOffsets(partitions, retriever);
      commit(admin, resolved(offsets, retriever));
      return offsets;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while committing where the start begins", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "Cannot set the offsets of group " + kafka.groupId() + " to where the start begins", e);
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

  @Override
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return start.getAutoOffsetResetStrategy();
  }
}
