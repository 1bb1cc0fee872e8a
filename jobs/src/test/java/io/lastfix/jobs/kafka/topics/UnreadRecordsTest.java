package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.kafka.topics.UnreadRecords.Found;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/** Partitions some of which may not be read. */
class UnreadRecordsTest {
  private static final TopicPartition FORBIDDEN = new TopicPartition("forbidden", 0);
  private static final TopicPartition FORBIDDEN_TOO = new TopicPartition("forbidden", 1);
  private static final TopicPartition READ = new TopicPartition("read", 0);
  private static final TopicPartition UNREAD = new TopicPartition("unread", 0);

  /** Acts like a broker that grants Describe, but not Read, on one topic. */
  private static final class ForbiddingConsumer extends MockConsumer<byte[], byte[]> {
    ForbiddingConsumer() {
      super(OffsetResetStrategy.EARLIEST);
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
      super.assign(partitions);
      if (partitions.contains(FORBIDDEN) || partitions.contains(FORBIDDEN_TOO)) {
        setPollException(new TopicAuthorizationException(Set.of("forbidden")));
      } else if (partitions.contains(UNREAD)) {
        schedulePollTask(
            () -> addRecord(new ConsumerRecord<>("unread", 0, 5, new byte[0], new byte[0])));
      }
    }
  }

  @Test
  void onesThatMayNotBeReadCountAsUnreadAndTheOthersAreLookedAt() {
    ForbiddingConsumer consumer = new ForbiddingConsumer();
    Map<TopicPartition, Range> ranges = new LinkedHashMap<>();
    ranges.put(FORBIDDEN, new Range(3, 7));
    ranges.put(FORBIDDEN_TOO, new Range(0, 7));
    ranges.put(READ, new Range(7, 7));
    ranges.put(UNREAD, new Range(5, 7));
    ranges.keySet().forEach(partition -> consumer.updateEndOffsets(Map.of(partition, 7L)));

    Found found = new UnreadRecords(() -> consumer, Duration.ofSeconds(20)).find(ranges);

    assertThat(found.partitions()).containsExactly(FORBIDDEN, FORBIDDEN_TOO, UNREAD);
    assertThat(found.forbiddenTopics()).containsExactly("forbidden");
    assertThat(consumer.closed()).isTrue();
  }

  @Test
  void theRefusalSaysWhichTopicMayNotBeReadAndNamesTheWayOut() {
    assertThat(
            new UnreadTopics.Unread(
                    new TreeMap<>(Map.of("forbidden", 11L, "unread", 2L)), Set.of("forbidden"))
                .refusal())
        .isEqualTo(
            "Topic forbidden may have up to 11 unread records, which the job's user may not"
                + " read, and no profile of profiles.names reads it. Topic unread has up to 2 unread"
                + " records, and no profile of profiles.names reads it. Grant the user of"
                + " kafka.properties Read on forbidden so that the job can check it, add the profile again,"
                + " or leave the records unread with source.abandon-topics: forbidden,unread");
  }
}
