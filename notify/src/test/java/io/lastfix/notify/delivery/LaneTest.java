package io.lastfix.notify.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.kit.poll.Backoff;
import io.lastfix.model.alert.Action;
import io.lastfix.notify.TestAlert;
import io.lastfix.notify.config.DeliveryOptions;
import io.lastfix.notify.metrics.NotifyMetrics;
import io.lastfix.notify.receiver.Outcome;
import io.lastfix.notify.undelivered.UndeliveredAlert;
import io.lastfix.notify.undelivered.UndeliveredCodec;
import io.lastfix.notify.undelivered.UndeliveredTopic;
import io.lastfix.rules.alert.AlertCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads from a mocked Kafka, on real threads. */
class LaneTest {
  private static final String TOPIC = "lastfix.alerts";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** A consumer that has the partition, as one of a group with no other member. */
  private static final class Kafka extends MockConsumer<byte @Nullable [], byte @Nullable []> {
    private final Map<TopicPartition, OffsetAndMetadata> commits = new ConcurrentHashMap<>();
    private volatile boolean refusesCommits;

    Kafka() {
      super(OffsetResetStrategy.EARLIEST);
      updateBeginningOffsets(Map.of(PARTITION, 0L));
      schedulePollTask(() -> rebalance(Set.of(PARTITION)));
    }

    // It sleeps outside of the lock, which a test's thread needs to add records.
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    @Override
    public ConsumerRecords<byte @Nullable [], byte @Nullable []> poll(Duration timeout) {
      try {
        // The mock's own does not wait.
        TimeUnit.MILLISECONDS.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.poll(timeout);
    }

    void add(long offset, byte @Nullable [] value, Instant takenAt) {
      schedulePollTask(
          () ->
              addRecord(
                  new ConsumerRecord<>(
                      TOPIC,
                      0,
                      offset,
                      takenAt.toEpochMilli(),
                      TimestampType.CREATE_TIME,
                      0,
                      0,
                      new byte[0],
                      value,
                      new RecordHeaders(),
                      Optional.empty())));
    }

    @Override
    public synchronized void commitAsync(
        Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
      if (refusesCommits) {
        callback.onComplete(offsets, new KafkaException("too large"));
        return;
      }
      super.commitAsync(offsets, callback);
      commits.putAll(offsets);
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
      super.commitSync(offsets, timeout);
      commits.putAll(offsets);
    }

    /** Also after its end; -1 if nothing was. */
    long offset() {
      OffsetAndMetadata last = commits.get(PARTITION);
      return last == null ? -1 : last.offset();
    }
  }

  private final Kafka kafka = new Kafka();
  private final Queue<Kafka> consumers = new ArrayDeque<>(List.of(kafka));
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ScriptedReceiver receiver = new ScriptedReceiver();
  private final Instant start = Instant.now();
  private MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());
  private @Nullable Lane lane;

  private void start(Duration retryFor) {
    start(retryFor, Duration.ofMillis(40));
  }

  private void start(Duration retryFor, Duration longestPause) {
    lane =
        new Lane(
                receiver,
                new DeliveryOptions(
                    4,
                    2,
                    Duration.ofSeconds(1),
                    retryFor,
                    new Backoff(Duration.ofMillis(10), longestPause),
                    Duration.ofSeconds(5)),
                TOPIC,
                consumers::remove,
                new UndeliveredTopic(producer, "lastfix.alerts.undelivered"),
                new NotifyMetrics(registry),
                InstantSource.system())
            .start();
  }

  private void start() {
    start(Duration.ofDays(1));
  }

  @AfterEach
  void stop() {
    if (lane != null) {
      lane.close();
    }
  }

  private void add(long offset, String user, Action... then) {
    kafka.add(
        offset,
        AlertCodec.value(
            TestAlert.of(user)
                .then(then.length == 0 ? new Action[] {TestAlert.DISPATCH} : then)
                .alert()),
        start);
  }

  private void awaitCommitted(long offset) {
    await().atMost(LIMIT).until(() -> kafka.offset() == offset);
  }

  private void awaitProblem(String problem) {
    await().atMost(LIMIT).until(() -> lane.problem().equals(Optional.of(problem)));
  }

  /** What the topic of undelivered alerts has got. */
  private String written(int index) {
    return new String(producer.history().get(index).value(), UTF_8);
  }

  private double count(String name) {
    return registry.get("lastfix.notify." + name).counter().count();
  }

  @Test
  void aDeliveredAlertIsCommitted_AndOthersReceiversAlertsAreSkipped() {
    add(0, "anna");
    add(1, "ben", TestAlert.CRITICAL);
    add(2, "carl", TestAlert.CRITICAL, TestAlert.DISPATCH);
    start();

    awaitCommitted(3);
    assertThat(receiver.attempts()).containsExactly("anna", "carl");
    assertThat(count("delivered")).isEqualTo(2);
    assertThat(registry.get("lastfix.notify.waiting").gauge().value()).isZero();
  }

  @Test
  void anAlertThatAlwaysFailsHoldsUpItsUserOnly() {
    receiver.failFor("anna");
    add(0, "anna");
    add(1, "anna");
    for (int i = 2; i < 20; i++) {
      add(i, "user-" + i);
    }
    start();

    await()
        .atMost(LIMIT)
        .until(() -> new OffsetAndMetadata(0, "1;20;0-1,").equals(kafka.commits.get(PARTITION)));
    assertThat(receiver.attempts()).contains("user-2", "user-19");
    awaitProblem("the answer was 500");
    Lane.Counts counts = lane.counts();
    assertThat(counts).isEqualTo(new Lane.Counts(18, 2, counts.oldest(), 0));
    assertThat(counts.oldest()).isPositive();

    receiver.answer(user -> CompletableFuture.completedFuture(new Outcome.Delivered()));
    awaitCommitted(20);
    assertThat(lane.problem()).isEmpty();
  }

  @Test
  void aUserWhoseAlertsFailDoesNotStopTheAlertsOfOthers() throws Exception {
    receiver.failFor("anna");
    for (int i = 0; i < 250; i++) {
      add(i, "anna");
    }
    add(250, "ben");
    start();

    await().atMost(LIMIT).until(() -> receiver.attempts().contains("ben"));
    await().atMost(LIMIT).until(() -> count("undelivered") >= 246);
    UndeliveredAlert undelivered = UndeliveredCodec.read(producer.history().get(0).value()).get(0);
    assertThat(undelivered.reason()).startsWith("alerts of this user waited for an earlier one: ");
    assertThat(undelivered.attempts()).isZero();
    assertThat(kafka.offset()).isLessThanOrEqualTo(0);
  }

  @Test
  void aFullWindowPausesItsPartitionsUntilAnAlertIsFinished() {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    receiver.answer(user -> answer);
    for (int i = 0; i < 12; i++) {
      add(i, "user-" + i);
    }
    start();

    await().atMost(LIMIT).until(() -> !kafka.paused().isEmpty() && receiver.attempts().size() == 2);
    assertThat(registry.get("lastfix.notify.waiting").gauge().value()).isBetween(4.0, 11.0);

    answer.complete(new Outcome.Delivered());
    awaitCommitted(12);
    assertThat(receiver.attempts()).hasSize(12);
  }

  @Test
  void afterItsTimeAnAlertIsWrittenToTheTopicOfUndeliveredOnes() throws Exception {
    receiver.failFor("anna");
    add(0, "anna");
    add(1, "ben");
    start(Duration.ofMillis(1_500));

    awaitCommitted(2);
    assertThat(producer.history()).hasSize(1);
    assertThat(new String(producer.history().get(0).key(), UTF_8)).isEqualTo("anna");
    UndeliveredAlert undelivered = UndeliveredCodec.read(producer.history().get(0).value()).get(0);
    assertThat(undelivered.alert()).isEqualTo(TestAlert.of("anna").alert());
    assertThat(undelivered.receiver()).isEqualTo(TestAlert.DISPATCH);
    assertThat(undelivered.reason()).isEqualTo("the answer was 500");
    assertThat(undelivered.attempts())
        .isGreaterThan(1)
        .isEqualTo(Collections.frequency(receiver.attempts(), "anna"));
    assertThat(undelivered.at()).isBetween(start.plusMillis(1_499), Instant.now());
    assertThat(count("undelivered")).isEqualTo(1);
  }

  @Test
  void anAlertThatIsTooOldAfterARestartIsTriedOnce() {
    receiver.failFor("anna");
    kafka.add(0, AlertCodec.value(TestAlert.of("anna").alert()), start.minusSeconds(90_000));
    start();

    awaitCommitted(1);
    assertThat(receiver.attempts()).containsExactly("anna");
    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void aRefusedAlertIsUndeliveredAtOnce_AndFinishedOnceKafkaHasIt() {
    producer = new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());
    receiver.answer(
        user -> CompletableFuture.completedFuture(new Outcome.Refused("the answer was 400")));
    add(0, "anna");
    start();

    await().atMost(LIMIT).until(() -> producer.history().size() == 1);
    await()
        .during(Duration.ofMillis(1_500))
        .atMost(LIMIT)
        .until(() -> kafka.offset() <= 0 && receiver.attempts().size() == 1);

    assertThat(producer.completeNext()).isTrue();
    awaitCommitted(1);
  }

  @Test
  void aReceiverThatWantsAPauseGetsNoOtherAlertMeanwhile() {
    receiver.answer(
        user ->
            CompletableFuture.completedFuture(
                new Outcome.Failed("the answer was 429", Duration.ofSeconds(2))));
    add(0, "anna");
    start(Duration.ofDays(1), Duration.ofSeconds(5));
    awaitProblem("the answer was 429");

    receiver.answer(user -> CompletableFuture.completedFuture(new Outcome.Delivered()));
    add(1, "ben");
    await()
        .during(Duration.ofMillis(800))
        .atMost(LIMIT)
        .until(() -> receiver.attempts().size() == 1);
    awaitCommitted(2);
    assertThat(receiver.attempts()).containsExactlyInAnyOrder("anna", "anna", "ben");
  }

  @Test
  void alertsThatAreTooOldForAReceiverThatIsDownAreGivenUpWithoutAnAttemptOfEach()
      throws Exception {
    receiver.answer(
        user -> CompletableFuture.completedFuture(new Outcome.Failed("the answer was 500")));
    for (int i = 0; i < 40; i++) {
      byte[] alert = AlertCodec.value(TestAlert.of("user-" + i).alert());
      kafka.add(i, alert, start.minusSeconds(90_000));
    }
    start(Duration.ofDays(1), Duration.ofSeconds(30));

    awaitCommitted(40);
    // Each of the first eight, and those after pauses that double.
    assertThat(receiver.attempts()).hasSizeBetween(8, 24);
    assertThat(producer.history()).hasSize(40);
    for (ProducerRecord<byte[], byte[]> one : producer.history()) {
      assertThat(UndeliveredCodec.read(one.value()).get(0).reason())
          .isEqualTo("the answer was 500");
    }

    receiver.answer(user -> CompletableFuture.completedFuture(new Outcome.Delivered()));
    kafka.add(40, AlertCodec.value(TestAlert.of("anna").alert()), Instant.now());
    awaitCommitted(41);
    assertThat(receiver.attempts()).contains("anna");
  }

  @Test
  void whatCannotBeReadIsGivenUpByOneLane_WithActionsOfALaterRelease() {
    receiver.takeUnreadable();
    byte[] later =
        new String(AlertCodec.value(TestAlert.of("anna").alert()), UTF_8)
            .replace("{\"webhook\"", "{\"pager\":1},{\"webhook\"")
            .getBytes(UTF_8);
    kafka.add(0, "no JSON".getBytes(UTF_8), start);
    kafka.add(1, later, start);
    start();

    awaitCommitted(2);
    assertThat(receiver.attempts()).containsExactly("anna");
    assertThat(count("undelivered")).isEqualTo(2);
    assertThat(count("unreadable")).isEqualTo(1);
    assertThat(written(0))
        .startsWith("{\"message\":\"bm8gSlNPTg==\",\"partition\":0,\"offset\":0,")
        .contains("\"reason\":\"the value is no JSON\"");
    assertThat(written(1))
        .contains("\"offset\":1,", "\"reason\":\"then has an action of an unknown kind\"");
  }

  @Test
  void whatKafkaRefusesAsTooLargeIsGivenUpByItsPlace() {
    producer =
        new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> message, Callback callback) {
            Future<RecordMetadata> sent = super.send(message, callback);
            if (message.value().length > 200) {
              var unused = errorNext(new RecordTooLargeException("too large"));
            } else {
              var unused = completeNext();
            }
            return sent;
          }
        };
    receiver.answer(
        user -> CompletableFuture.completedFuture(new Outcome.Refused("the answer was 400")));
    add(0, "anna");
    start();

    awaitCommitted(1);
    assertThat(written(1))
        .startsWith(
            "{\"partition\":0,\"offset\":0,"
                + "\"reason\":\"webhook-dispatch: the answer was 400; it is too large\"");
  }

  @Test
  void aMessageThatIsNoAlertIsCountedAndSkipped() {
    kafka.add(0, "no JSON".getBytes(UTF_8), start);
    kafka.add(1, null, start);
    add(2, "anna");
    start();

    awaitCommitted(3);
    assertThat(count("unreadable")).isEqualTo(2);
    assertThat(receiver.attempts()).containsExactly("anna");
  }

  @Test
  void aReceiverThatThrowsIsTriedAgain() {
    receiver.answer(
        user -> {
          receiver.answer(again -> CompletableFuture.completedFuture(new Outcome.Delivered()));
          throw new IllegalStateException("a bug");
        });
    add(0, "anna");
    start();

    awaitCommitted(1);
    assertThat(receiver.attempts()).containsExactly("anna", "anna");
    assertThat(count("attempts.failed")).isEqualTo(1);
  }

  @Test
  void anErrorThatQuotesTheAlertIsPrintable() {
    receiver.answer(
        user -> {
          throw new IllegalStateException("no topic a\nb");
        });
    add(0, "anna");
    start();

    awaitProblem("an error of the server: java.lang.IllegalStateException: no topic a\\u000ab");
  }

  @Test
  void aRevokedPartitionIsNotCommitted_AndDeliveredByItsNextConsumer() {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    receiver.answer(user -> answer);
    add(0, "anna");
    start();
    await().atMost(LIMIT).until(() -> receiver.attempts().size() == 1);

    kafka.schedulePollTask(() -> kafka.rebalance(Set.of()));
    await().atMost(LIMIT).until(() -> kafka.assignment().isEmpty());
    answer.complete(new Outcome.Delivered());
    await().atMost(LIMIT).until(() -> count("delivered") == 1);

    kafka.schedulePollTask(() -> kafka.rebalance(Set.of(PARTITION)));
    add(0, "anna");
    awaitCommitted(1);
    assertThat(receiver.attempts()).containsExactly("anna", "anna");
  }

  @Test
  void aRevokedPartitionIsCommittedOnceItsAttemptsHaveEnded() {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    receiver.answer(user -> answer);
    add(0, "anna");
    add(1, "anna");
    start();
    await().atMost(LIMIT).until(() -> receiver.attempts().size() == 1);

    kafka.schedulePollTask(
        () -> {
          CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
              .execute(() -> answer.complete(new Outcome.Delivered()));
          kafka.rebalance(Set.of());
        });
    awaitCommitted(1);
    assertThat(receiver.attempts()).containsExactly("anna");
  }

  @Test
  void atAStopAttemptsInFlightEnd_AndAreCommitted() {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    receiver.answer(user -> answer);
    add(0, "anna");
    add(1, "anna");
    start();
    await().atMost(LIMIT).until(() -> receiver.attempts().size() == 1);

    lane.stop();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(lane::close);
    answer.complete(new Outcome.Delivered());
    await().atMost(LIMIT).until(closed::isDone);

    assertThat(kafka.closed()).isTrue();
    assertThat(receiver.attempts()).hasSize(1);
    assertThat(lane.isAlive()).isFalse();
    assertThat(registry.get("lastfix.notify.reading").gauge().value()).isZero();
    assertThat(kafka.offset()).isEqualTo(1);
  }

  @Test
  void aCommitThatKafkaRefusesIsNamed_AndRepeated() {
    kafka.refusesCommits = true;
    add(0, "anna");
    start();
    awaitProblem("the group's offsets are not committed: too large");
    assertThat(registry.get("lastfix.notify.reading").gauge().value()).isEqualTo(1);

    kafka.refusesCommits = false;
    awaitCommitted(1);
    await().atMost(LIMIT).until(() -> lane.problem().isEmpty());
  }

  @Test
  void aConsumerThatFailsIsReplaced() {
    Kafka next = new Kafka();
    consumers.add(next);
    next.add(0, AlertCodec.value(TestAlert.of("anna").alert()), start);
    kafka.schedulePollTask(
        () -> {
          throw new KafkaException("not authorized");
        });
    start();

    await().atMost(LIMIT).until(() -> next.offset() == 1);
    assertThat(kafka.closed()).isTrue();
    assertThat(lane.problem()).isEmpty();
  }
}
