package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LocationProgressTest {
  private static final String GROUP = "lastfix-location";
  private static final String OWN_GROUP = "lastfix-location-rules";
  private static final TopicPartition LOCATIONS = new TopicPartition("lastfix.location.json", 0);
  private static final TopicPartition PRESENCE = new TopicPartition("lastfix.presence", 0);

  /** Kafka's answers. */
  private static final class Kafka implements LocationProgress.Offsets {
    private final Map<String, Map<TopicPartition, Long>> committed = new HashMap<>();
    private final Map<TopicPartition, Range> ranges = new HashMap<>();
    private @Nullable IOException failure;
    private @Nullable String forbidden;

    private void write(TopicPartition partition, long end) {
      ranges.put(partition, new Range(0, end));
    }

    private void commit(String group, TopicPartition partition, long offset) {
      committed.put(group, Map.of(partition, offset));
    }

    @Override
    public Map<TopicPartition, Long> committed(String group) throws IOException {
      if (failure != null) {
        throw failure;
      }
      if (group.equals(forbidden)) {
        throw new IOException("refused", new GroupAuthorizationException("not authorized", group));
      }
      return committed.getOrDefault(group, Map.of());
    }

    @Override
    public Map<TopicPartition, Range> ranges(List<String> topics) {
      Map<TopicPartition, Range> found = new HashMap<>(ranges);
      found.keySet().removeIf(partition -> !topics.contains(partition.topic()));
      return found;
    }

    @Override
    public void close() {
      // It holds nothing open.
    }
  }

  private final Kafka kafka = new Kafka();
  private long millis = 1_000;

  @AutoClose
  private final LocationProgress progress =
      new LocationProgress(
          new LocationProgress.Opener(
              LocationJobConfig.load(null, List.of(), name -> null).kafka(),
              GROUP,
              List.of(LOCATIONS.topic()),
              OWN_GROUP,
              PRESENCE.topic()),
          kafka,
          ranges -> true,
          () -> Instant.ofEpochMilli(millis));

  private long at(long now) {
    millis = now;
    progress.update();
    return progress.untilMillis();
  }

  @Test
  void beforeTheFirstAnswerNothingHasCome() {
    assertThat(progress.untilMillis()).isEqualTo(CommittedTime.NEVER);
    kafka.failure = new IOException("no answer");
    assertThat(at(2_000)).isEqualTo(CommittedTime.NEVER);
  }

  @Test
  void itStandsStillWithTheLocationJob_AndWhileKafkaDoesNotAnswer() {
    kafka.write(LOCATIONS, 5);
    kafka.commit(GROUP, LOCATIONS, 5);
    assertThat(at(2_000)).isEqualTo(2_000);

    kafka.write(LOCATIONS, 6);
    assertThat(at(3_000)).isEqualTo(2_000);
    kafka.failure = new IOException("no answer");
    assertThat(at(4_000)).isEqualTo(2_000);
    kafka.failure = null;
    assertThat(at(900_000)).isEqualTo(2_000);

    kafka.commit(GROUP, LOCATIONS, 6);
    assertThat(at(910_000)).isEqualTo(910_000);
  }

  /** Otherwise a device that came back while the job was down would count as offline. */
  @Test
  void theChangesOfPresenceAtTheStartAreReadFirst_AndLaterOnesAreNotWaitedFor() {
    kafka.write(LOCATIONS, 5);
    kafka.commit(GROUP, LOCATIONS, 5);
    kafka.write(PRESENCE, 9);
    kafka.commit(OWN_GROUP, PRESENCE, 7);
    assertThat(at(2_000)).isEqualTo(CommittedTime.NEVER);
    kafka.write(PRESENCE, 10);
    assertThat(at(7_000)).isEqualTo(CommittedTime.NEVER);

    kafka.commit(OWN_GROUP, PRESENCE, 9);
    assertThat(at(12_000)).isEqualTo(12_000);
    kafka.write(PRESENCE, 20);
    assertThat(at(17_000)).isEqualTo(17_000);
  }

  @Test
  void aUserWhoMayNotLookAtTheGroupWaitsForNone() {
    kafka.forbidden = GROUP;

    assertThat(at(2_000)).isEqualTo(CommittedTime.ALWAYS);
  }

  @Test
  void recordsOfATopicThatThisUserMayNotReadAreNotWaitedFor() {
    TopicPartition other = new TopicPartition("lastfix.location.csv", 0);
    Set<String> forbidden = Set.of(LOCATIONS.topic());

    UnreadRecords.Found found = new UnreadRecords.Found(List.of(LOCATIONS), forbidden);
    assertThat(LocationProgress.Opener.hasRecords(found)).isFalse();

    UnreadRecords.Found more = new UnreadRecords.Found(List.of(LOCATIONS, other), forbidden);
    assertThat(LocationProgress.Opener.hasRecords(more)).isTrue();
  }
}
