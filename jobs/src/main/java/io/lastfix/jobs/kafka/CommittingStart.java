package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.KafkaFailure;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Begins at the offsets of another initializer, and commits them for the job's group. Otherwise the
 * commits of an earlier run would make the lag look too small, and {@code lastfix drain} would end
 * too early.
 *
 * <p>A committed offset is looked up here, and the split gets the number. Flink's own initializer
 * writes "the committed offset" into the split. A checkpoint keeps that until the partition's first
 * record is read, which may be long after the start: the job waits for the catalogue, or the
 * partition is quiet. A restore of such a checkpoint would begin at whatever the group has
 * committed since, and lose the records that later checkpoints held in their state.
 *
 * <p>If the reset strategy is the latest offset, a group that has read nothing begins at the end.
 * That is committed, too: a restart before the first checkpoint would else begin at a later end.
 *
 * <p>It runs on the source coordinator's worker thread, in the JobManager, and only at the first
 * discovery of partitions.
 *
 * @param start the beginning of the records
 * @param kafka the brokers
 * @param group the job's consumer group
 */
public record CommittingStart(OffsetsInitializer start, KafkaOptions kafka, String group)
    implements OffsetsInitializer {
  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    if (partitions.isEmpty()) {
      return start.getPartitionOffsets(partitions, retriever);
    }
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      Map<TopicPartition, Long> offsets =
          new HashMap<>(start.getPartitionOffsets(partitions, retriever));
      Set<TopicPartition> atCommitted =
          offsets.keySet().stream()
              .filter(partition -> offsets.get(partition) == KafkaPartitionSplit.COMMITTED_OFFSET)
              .collect(Collectors.toSet());
      Map<TopicPartition, Long> committed =
          atCommitted.isEmpty() ? Map.of() : retriever.committedOffsets(atCommitted);
      offsets.putAll(committed);
      Map<TopicPartition, Long> begins = retriever.beginningOffsets(offsets.keySet());
      // If the group has read some partitions, the others are new: it has missed nothing in them.
      boolean isFromEnd =
          committed.isEmpty()
              && !atCommitted.isEmpty()
              && getAutoOffsetResetStrategy() == OffsetResetStrategy.LATEST;
      Map<TopicPartition, Long> firsts = isFromEnd ? retriever.endOffsets(atCommitted) : begins;
      atCommitted.stream()
          .filter(partition -> !committed.containsKey(partition))
          .forEach(partition -> offsets.put(partition, firsts.get(partition)));
      commit(admin, offsets, committed, begins);
      return offsets;
    } catch (IOException e) {
      throw KafkaFailure.ofCommit(group, kafka.bootstrapServers(), e);
    }
  }

  /** Commits the offsets that the group has not committed, as numbers. */
  private void commit(
      Admin admin,
      Map<TopicPartition, Long> offsets,
      Map<TopicPartition, Long> committed,
      Map<TopicPartition, Long> begins)
      throws IOException {
    Map<TopicPartition, OffsetAndMetadata> missing = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (!committed.containsKey(partition)) {
            boolean isEarliest = offset == KafkaPartitionSplit.EARLIEST_OFFSET;
            missing.put(
                partition, new OffsetAndMetadata(isEarliest ? begins.get(partition) : offset));
          }
        });
    if (!missing.isEmpty()) {
      var unused = KafkaAnswer.await(admin.alterConsumerGroupOffsets(group, missing).all());
    }
  }

  @Override
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return start.getAutoOffsetResetStrategy();
  }
}
