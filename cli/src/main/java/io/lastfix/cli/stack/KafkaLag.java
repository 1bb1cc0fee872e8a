package io.lastfix.cli.stack;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.KafkaAdmin;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far the jobs' consumer groups, those named {@code lastfix...}, are behind. */
public final class KafkaLag {
  private static final String GROUP_PREFIX = "lastfix";

  private KafkaLag() {}

  /** Messages by group and topic; partitions without a committed offset are left out. */
  public static Map<String, Map<String, Long>> byGroupAndTopic(KafkaOptions kafka) {
    try (Admin admin = KafkaServer.connect(kafka.clientProperties())) {
      Map<String, Map<String, Long>> lag = new TreeMap<>();
      for (ConsumerGroupListing group : admin.listConsumerGroups().all().get()) {
        if (group.groupId().startsWith(GROUP_PREFIX)) {
          lag.put(group.groupId(), byTopic(admin, group.groupId()));
        }
      }
      return lag;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while asking Kafka for its lag", e);
    } catch (ExecutionException e) {
      throw new StackException(
          "Kafka at "
              + kafka.bootstrapServers()
              + " doesn't tell its lag: "
              + KafkaAdmin.explain(e.getCause()),
          e);
    }
  }

  private static Map<String, Long> byTopic(Admin admin, String group)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach(
            (partition, offset) -> {
              // Kafka gives null for a partition whose offset was never committed.
              if (offset != null) {
                committed.put(partition, offset);
              }
            });
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        admin
            .listOffsets(
                committed.keySet().stream()
                    .collect(Collectors.toMap(partition -> partition, p -> OffsetSpec.latest())))
            .all()
            .get();
    return sumByTopic(committed, ends);
  }

  static Map<String, Long> sumByTopic(
      Map<TopicPartition, OffsetAndMetadata> committed,
      Map<TopicPartition, ListOffsetsResultInfo> ends) {
    Map<String, Long> lag = new TreeMap<>();
    committed.forEach(
        (partition, offset) -> {
          ListOffsetsResultInfo end = ends.get(partition);
          if (end != null) {
            long behind = Math.max(0, end.offset() - offset.offset());
            lag.merge(partition.topic(), behind, Long::sum);
          }
        });
    return lag;
  }
}
