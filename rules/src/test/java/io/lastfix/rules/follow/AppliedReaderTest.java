package io.lastfix.rules.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AppliedReaderTest {
  private static final String TOPIC = "lastfix.rules.applied";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  /** The offset of the first message that is new enough; null if there is none. */
  private @Nullable Long first;

  private final MockConsumer<byte @Nullable [], byte @Nullable []> consumer =
      new MockConsumer<>(OffsetResetStrategy.EARLIEST) {
        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
            Map<TopicPartition, Long> times) {
          long millis = times.get(PARTITION);
          assertThat(millis).isEqualTo(NOW.toEpochMilli());
          Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
          found.put(PARTITION, first == null ? null : new OffsetAndTimestamp(first, millis));
          return found;
        }
      };

  private final AppliedReader reader = new AppliedReader(consumer, TOPIC, NOW);

  private void create() {
    consumer.updatePartitions(
        TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0])));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    end(0);
  }

  private void end(long offset) {
    consumer.updateEndOffsets(Map.of(PARTITION, offset));
  }

  private static Applied applied(int subtask, long offset) {
    return new Applied("a", subtask, 2, 0, offset, NOW);
  }

  /** Comes with the next poll. */
  private void add(long offset, byte @Nullable [] value) {
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, null, value)));
  }

  @Test
  void withoutTheTopicThereIsNothing_AndOnceItExistsItIsRead() throws IOException {
    assertThat(reader.read()).isEmpty();

    create();
    assertThat(reader.read()).isEmpty();

    add(0, AppliedCodec.value(applied(0, 7)));
    end(1);
    assertThat(reader.read()).containsExactly(applied(0, 7));
  }

  @Test
  void itBeginsWithTheFirstMessageThatIsNewEnough_AndEndsAtTheEnd() throws IOException {
    create();
    first = 1L;
    end(4);
    add(0, AppliedCodec.value(applied(0, 1)));
    add(1, AppliedCodec.value(applied(0, 2)));
    add(2, new byte[] {1});
    add(3, AppliedCodec.value(applied(1, 2)));

    assertThat(reader.read()).containsExactly(applied(0, 2), applied(1, 2));
    assertThat(reader.read()).isEmpty();
  }

  @Test
  void withoutANewMessageItBeginsAtTheEnd() throws IOException {
    create();
    end(3);

    assertThat(reader.read()).isEmpty();
    assertThat(consumer.position(PARTITION)).isEqualTo(3);
  }

  @Test
  void aFailureNamesTheTopicAndTheRemedy() {
    create();
    first = 0L;
    end(1);
    consumer.schedulePollTask(
        () -> consumer.setPollException(new TopicAuthorizationException(Set.of(TOPIC))));

    assertThatThrownBy(reader::read)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "lastfix.rules.applied cannot be read: Not authorized to access topics:"
                + " [lastfix.rules.applied]: grant it to the user of"
                + " kafka.properties.sasl.jaas.config");
  }

  @Test
  void itClosesItsConsumer() {
    reader.close();

    assertThat(consumer.closed()).isTrue();
  }
}
