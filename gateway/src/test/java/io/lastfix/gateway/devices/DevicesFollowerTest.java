package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicesFollowerTest {
  private static final String TOPIC = "lastfix.devices";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final DeviceId DEVICE = new DeviceId(1, 2);

  private static final Duration STALE = Duration.ofSeconds(60);

  private final MockConsumer<byte @Nullable [], byte @Nullable []> consumer = consumer();
  private final Deque<MockConsumer<byte @Nullable [], byte @Nullable []>> further =
      new ConcurrentLinkedDeque<>();
  private final AtomicBoolean isFirst = new AtomicBoolean(true);
  private final AtomicLong skippedTime = new AtomicLong();
  private final Devices devices = new Devices();
  private final DevicesFollower follower =
      new DevicesFollower(
          TOPIC,
          () -> isFirst.getAndSet(false) ? consumer : further.pop(),
          devices::apply,
          STALE,
          () -> System.nanoTime() + skippedTime.get());
  private long offset;

  private static MockConsumer<byte @Nullable [], byte @Nullable []> consumer() {
    MockConsumer<byte @Nullable [], byte @Nullable []> consumer =
        new MockConsumer<>(OffsetResetStrategy.EARLIEST);
    consumer.updatePartitions(
        TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0])));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
    return consumer;
  }

  @AfterEach
  void close() {
    follower.close();
  }

  @Test
  void anEmptyTopicIsReadAtOnce() {
    follower.start().ready().join();

    assertThat(follower.isReady()).isTrue();
  }

  @Test
  void aFollowerIsReadyOnlyAfterTheEndAsItWasAtTheStart() {
    consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    consumer.schedulePollTask(() -> add(new DevicesMessage.OfGroup("fleet-a", Fleet.A)));
    follower.start();
    await().until(() -> devices.group("fleet-a").isPresent());
    assertThat(follower.isReady()).isFalse();

    consumer.schedulePollTask(
        () -> add(new DevicesMessage.OfState(DEVICE, new DeviceState(2, true))));
    follower.ready().join();

    assertThat(devices.state(DEVICE)).isEqualTo(new DeviceState(2, true));
  }

  @Test
  void aLongTopicMayTakeLongerThanTheLongestWaitForAMessage() throws Exception {
    int count = 6;
    consumer.updateEndOffsets(Map.of(PARTITION, (long) count));
    follower.start();
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; i < count; i++) {
                await().pollDelay(Duration.ofMillis(300)).until(() -> true);
                consumer.schedulePollTask(
                    () -> add(new DevicesMessage.OfGroup("fleet-a", Fleet.A)));
              }
            });
    writer.start();

    follower.awaitReady(Duration.ofSeconds(1));

    writer.join();
    assertThat(follower.isReady()).isTrue();
  }

  @Test
  void aTopicFromWhichNothingComesSaysHowMuchOfItWasRead() {
    consumer.updateEndOffsets(Map.of(PARTITION, 3L));
    consumer.schedulePollTask(
        () -> {
          add(new DevicesMessage.OfGroup("fleet-a", Fleet.A));
          add(new DevicesMessage.OfGroup("fleet-b", Fleet.B));
        });
    follower.start();

    assertThatThrownBy(() -> follower.awaitReady(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The topic lastfix.devices was not read to its end: after 2 messages none came for 1 s (kafka.start-timeout): check that the brokers run");
  }

  @Test
  void messagesBehindTheEndThatWasQueriedDoNotStartTheTopicAnew() {
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    consumer.schedulePollTask(
        () -> {
          add(new DevicesMessage.OfGroup("fleet-a", Fleet.A));
          add(new DevicesMessage.OfGroup("fleet-b", Fleet.B));
        });

    assertThat(follower.start().ready()).succeedsWithin(Duration.ofSeconds(10));
    assertThat(consumer.position(PARTITION)).isEqualTo(2);
  }

  @Test
  void itGoesOnAfterTheEnd() {
    follower.start().ready().join();
    consumer.schedulePollTask(
        () -> add(new DevicesMessage.OfState(DEVICE, new DeviceState(2, true))));
    await().until(() -> devices.state(DEVICE).disabled());
    consumer.schedulePollTask(() -> add(new DevicesMessage.OfState(DEVICE, null)));

    await().until(() -> devices.state(DEVICE).equals(DeviceState.INITIAL));
  }

  @Test
  void aMessageThatCannotBeReadIsCountedAndSkipped() {
    consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    consumer.schedulePollTask(
        () -> {
          add("group/fleet-a".getBytes(StandardCharsets.UTF_8), new byte[] {1});
          add(new DevicesMessage.OfGroup("fleet-b", Fleet.B));
        });
    follower.start().ready().join();

    assertThat(follower.skipped()).isEqualTo(1);
    assertThat(devices.group("fleet-b")).contains(Fleet.B);
  }

  @Test
  void aTimeOutOfKafkaIsTriedAgain() {
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    consumer.schedulePollTask(() -> consumer.setPollException(new TimeoutException("away")));
    consumer.schedulePollTask(() -> add(new DevicesMessage.OfGroup("fleet-b", Fleet.B)));
    follower.start().ready().join();

    assertThat(devices.group("fleet-b")).contains(Fleet.B);
  }

  @Test
  void withoutTheRightToReadItIsNeverReadyAndSaysWhy() {
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    consumer.schedulePollTask(
        () -> consumer.setPollException(new TopicAuthorizationException(Set.of(TOPIC))));
    follower.start();

    assertThat(follower.ready())
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .havingCause()
        .withMessage(
            "The topic lastfix.devices cannot be followed: Not authorized to access topics: [lastfix.devices]");
    assertThat(follower.isReady()).isFalse();
  }

  @Test
  void afterAFailureItContinuesWithANewConsumerWhereItWas() {
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    consumer.schedulePollTask(() -> add(new DevicesMessage.OfGroup("fleet-a", Fleet.A)));
    follower.start().ready().join();
    MockConsumer<byte @Nullable [], byte @Nullable []> next = consumer();
    next.updateEndOffsets(Map.of(PARTITION, 2L));
    next.schedulePollTask(
        () ->
            add(
                next,
                new DevicesMessage.OfState(DEVICE, null).key().getBytes(StandardCharsets.UTF_8),
                DevicesCodec.value(new DevicesMessage.OfState(DEVICE, new DeviceState(2, true)))));
    further.add(next);
    consumer.schedulePollTask(
        () -> consumer.setPollException(new TopicAuthorizationException(Set.of(TOPIC))));

    await().until(() -> devices.state(DEVICE).disabled());
    assertThat(next.position(PARTITION)).isEqualTo(2);
    assertThat(follower.isReady()).as("a short failure is none").isTrue();
  }

  @Test
  void aRevocationInAPartitionThatWasAddedIsHeard() {
    follower.start().ready().join();
    List<PartitionInfo> two =
        List.of(
            new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0]),
            new PartitionInfo(TOPIC, 1, null, new Node[0], new Node[0]));
    TopicPartition added = new TopicPartition(TOPIC, 1);
    MockConsumer<byte @Nullable [], byte @Nullable []> next = consumer();
    next.updatePartitions(TOPIC, two);
    next.updateBeginningOffsets(Map.of(added, 0L));
    next.updateEndOffsets(Map.of(added, 1L));
    DevicesMessage revoked = new DevicesMessage.OfState(DEVICE, new DeviceState(2, true));
    next.schedulePollTask(
        () ->
            next.addRecord(
                new ConsumerRecord<>(
                    TOPIC,
                    1,
                    0,
                    revoked.key().getBytes(StandardCharsets.UTF_8),
                    DevicesCodec.value(revoked))));
    further.add(next);

    consumer.updatePartitions(TOPIC, two);

    await().untilAsserted(() -> assertThat(devices.state(DEVICE).disabled()).isTrue());
    assertThat(follower.isReady()).isTrue();
  }

  @Test
  void itIsNotReadyOnceTheLastReachedEndIsTooOld() {
    follower.start().ready().join();
    assertThat(follower.problem()).isEmpty();
    consumer.schedulePollTask(
        () -> consumer.setPollException(new TopicAuthorizationException(Set.of(TOPIC))));
    // No further consumer: every try fails.
    await().until(() -> consumer.closed());

    skippedTime.addAndGet(STALE.plusSeconds(1).toNanos());

    assertThat(follower.isReady()).isFalse();
    assertThat(follower.problem())
        .get(InstanceOfAssertFactories.STRING)
        .matches("lastfix.devices was read to its end 6\\d s ago.*");
  }

  @Test
  void aDecisionThatCannotBeReadDisablesItsDevice() {
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    consumer.schedulePollTask(
        () ->
            add(
                new DevicesMessage.OfState(DEVICE, null).key().getBytes(StandardCharsets.UTF_8),
                "{\"v\":2,\"revoked\":true}".getBytes(StandardCharsets.UTF_8)));
    follower.start().ready().join();

    assertThat(devices.state(DEVICE).disabled()).isTrue();
    assertThat(follower.skipped()).isEqualTo(1);
  }

  private void add(DevicesMessage message) {
    add(message.key().getBytes(StandardCharsets.UTF_8), DevicesCodec.value(message));
  }

  private void add(byte @Nullable [] key, byte @Nullable [] value) {
    add(consumer, key, value);
  }

  private void add(
      MockConsumer<byte @Nullable [], byte @Nullable []> to,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    to.addRecord(new ConsumerRecord<>(TOPIC, 0, offset++, key, value));
  }
}
