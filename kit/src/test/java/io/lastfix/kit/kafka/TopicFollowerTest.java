package io.lastfix.kit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More cases are in the gateway's {@code DevicesFollowerTest}. */
class TopicFollowerTest {
  private static final String TOPIC = "followed";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String CAUGHT_UP = "caught up";

  private final AtomicInteger queriesForTheEnd = new AtomicInteger();
  private final AtomicInteger polls = new AtomicInteger();
  private final AtomicInteger queriesForTheAbsentTopic = new AtomicInteger();

  private final MockConsumer<byte @Nullable [], byte @Nullable []> consumer =
      new MockConsumer<>(OffsetResetStrategy.EARLIEST) {
        @Override
        public synchronized List<PartitionInfo> partitionsFor(String topic) {
          List<PartitionInfo> partitions = super.partitionsFor(topic);
          if (partitions.isEmpty()) {
            queriesForTheAbsentTopic.incrementAndGet();
          }
          return partitions;
        }

        @Override
        public synchronized ConsumerRecords<byte @Nullable [], byte @Nullable []> poll(
            Duration timeout) {
          polls.incrementAndGet();
          return super.poll(timeout);
        }

        @Override
        public Map<TopicPartition, Long> endOffsets(
            Collection<TopicPartition> partitions, Duration timeout) {
          queriesForTheEnd.incrementAndGet();
          return super.endOffsets(partitions, timeout);
        }
      };

  /** What the handler was called with; of several ends in a row only the first. */
  private final List<String> calls = new CopyOnWriteArrayList<>();

  private final TopicFollower follower =
      new TopicFollower(
          TOPIC,
          "topic-follower-test",
          new TopicFollower.Texts("create it", "it is not heard", "", "they are read"),
          () -> consumer,
          new TopicFollower.Handler() {
            @Override
            public void message(ConsumerRecord<byte @Nullable [], byte @Nullable []> message)
                throws UnreadableMessageException {
              if (message.value() == null) {
                throw new UnreadableMessageException("it has no value", null);
              }
              calls.add(new String(message.value(), UTF_8));
            }

            @Override
            public void caughtUp() {
              if (calls.isEmpty() || !calls.get(calls.size() - 1).equals(CAUGHT_UP)) {
                calls.add(CAUGHT_UP);
              }
            }

            @Override
            public void beginAgain(int partition) {
              calls.add("again " + partition);
            }
          },
          System::nanoTime);

  TopicFollowerTest() {
    createTopic();
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
  }

  private void createTopic() {
    consumer.updatePartitions(
        TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0])));
  }

  private void deleteTopic() {
    consumer.updatePartitions(TOPIC, List.of());
  }

  @AfterEach
  void close() {
    follower.close();
  }

  private void add(long offset, @Nullable String value) {
    consumer.addRecord(
        new ConsumerRecord<>(TOPIC, 0, offset, null, value == null ? null : value.getBytes(UTF_8)));
  }

  private void poll(Runnable task) {
    consumer.schedulePollTask(task);
  }

  @Test
  void theHandlerHearsOfTheFirstEndOnce_AndThenOfEachPoll() throws Exception {
    consumer.updateEndOffsets(Map.of(PARTITION, 3L));
    poll(() -> add(0, "a"));
    poll(() -> add(1, null));
    poll(() -> add(2, "b"));
    follower.start().awaitReady(PATIENCE);
    assertThat(calls).containsExactly("a", "b", CAUGHT_UP);
    assertThat(follower.skipped()).isEqualTo(1);

    poll(
        () -> {
          consumer.updateEndOffsets(Map.of(PARTITION, 4L));
          add(3, "c");
        });

    await()
        .untilAsserted(
            () -> assertThat(calls).containsExactly("a", "b", CAUGHT_UP, "c", CAUGHT_UP));
  }

  @Test
  void aTopicThatWasCreatedAgainIsReadFromItsBeginning() throws Exception {
    consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    poll(
        () -> {
          add(0, "a");
          add(1, "b");
        });
    follower.start().awaitReady(PATIENCE);

    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    await().until(() -> calls.contains("again 0"));
    poll(() -> add(0, "c"));

    await()
        .untilAsserted(
            () ->
                assertThat(calls).containsExactly("a", "b", CAUGHT_UP, "again 0", "c", CAUGHT_UP));
  }

  @Test
  void anOffsetThatTheTopicDoesNotHaveAnyMoreBeginsItAgain() throws Exception {
    follower.start().awaitReady(PATIENCE);
    poll(() -> consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 7L))));

    await().untilAsserted(() -> assertThat(calls).containsExactly(CAUGHT_UP, "again 0", CAUGHT_UP));
    assertThat(consumer.closed()).isFalse();
  }

  @Test
  void aLaterWaitIsForAnEndThatWasQueriedSince() throws Exception {
    follower.start().awaitReady(PATIENCE);
    int before = queriesForTheEnd.get();

    follower.awaitEndSince(System.nanoTime(), PATIENCE);

    assertThat(queriesForTheEnd.get()).isGreaterThan(before);
  }

  @Test
  void aLaterWaitEnds() throws Exception {
    follower.start().awaitReady(PATIENCE);
    follower.close();

    assertThatThrownBy(() -> follower.awaitEndSince(System.nanoTime(), Duration.ofMillis(50)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The topic followed was not read to its end: after 0 messages none came for 0 s: check"
                + " that the brokers run");
  }

  @Test
  void aMissingTopicIsNamedWithTheRemedy() {
    deleteTopic();
    follower.start();

    assertThatThrownBy(() -> follower.awaitReady(Duration.ofSeconds(1)))
        .hasMessage("The topic followed cannot be followed: the topic does not exist: create it");
  }

  @Test
  void aTopicThatIsCreatedAfterTheStartIsFollowed() throws Exception {
    deleteTopic();
    follower.start();
    await().until(() -> queriesForTheAbsentTopic.get() > 0);

    createTopic();

    follower.awaitReady(PATIENCE);
  }

  @Test
  void aTopicThatIsDeletedIsNotPolled_UntilItExistsAgain() throws Exception {
    follower.start().awaitReady(PATIENCE);
    deleteTopic();
    await().until(() -> queriesForTheAbsentTopic.get() > 1);
    int before = polls.get();

    await().until(() -> queriesForTheAbsentTopic.get() > 2);
    assertThat(polls).hasValue(before);

    createTopic();
    await().until(() -> polls.get() > before);
  }
}
