package io.lastfix.gateway.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.GatewayConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class KafkaSenderTest {
  private static final Duration DELIVERY = Duration.ofSeconds(20);

  private final AtomicLong now = new AtomicLong();

  private static OutgoingRecord record(String topic) {
    return new OutgoingRecord(topic, "device", "{}".getBytes(UTF_8), Map.of("via", "records"));
  }

  /** Acknowledges when the test says so. */
  private static final class WaitingProducer extends MockProducer<byte[], byte[]> {
    private WaitingProducer() {
      super(false, new ByteArraySerializer(), new ByteArraySerializer());
    }

    void awaitSent(int records) {
      await().until(() -> history().size() == records);
    }
  }

  /** Blocks in {@code send} as a real one does without metadata, then fails. */
  private static final class BlockingProducer extends MockProducer<byte[], byte[]> {
    private final CountDownLatch metadata = new CountDownLatch(1);
    private final AtomicLong attempts = new AtomicLong();

    private BlockingProducer() {
      super(true, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (record.topic().equals("known")) {
        return super.send(record, callback);
      }
      attempts.incrementAndGet();
      try {
        metadata.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      TimeoutException failure = new TimeoutException("Topic lost not present in metadata");
      callback.onCompletion(null, failure);
      return CompletableFuture.failedFuture(failure);
    }
  }

  private KafkaSender sender(MockProducer<byte[], byte[]> producer) {
    return new KafkaSender(producer, DELIVERY, now::get);
  }

  @Test
  void aRecordIsStoredWhenKafkaHasAcknowledgedItAndNotBefore() throws Exception {
    WaitingProducer producer = new WaitingProducer();
    try (KafkaSender sender = sender(producer)) {
      CompletableFuture<Stored> answer = sender.send(record("known"));
      producer.awaitSent(1);
      assertThat(answer).isNotDone();

      producer.completeNext();

      assertThat(answer.get()).isEqualTo(new Stored("known", 0, 0));
      ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
      assertThat(sent.key()).asString(UTF_8).isEqualTo("device");
      assertThat(sent.value()).asString(UTF_8).isEqualTo("{}");
      assertThat(sent.headers().lastHeader("via").value()).asString(UTF_8).isEqualTo("records");
    }
  }

  @Test
  void aFailureSaysWhichTopicAndWhetherTheRecordIsTooLarge() throws Exception {
    WaitingProducer producer = new WaitingProducer();
    try (KafkaSender sender = sender(producer)) {
      CompletableFuture<Stored> late = sender.send(record("known"));
      producer.awaitSent(1);
      producer.errorNext(new TimeoutException("Expiring 1 record(s)"));
      CompletableFuture<Stored> large = sender.send(record("known"));
      producer.awaitSent(2);
      producer.errorNext(new RecordTooLargeException("too large"));

      assertThat(late)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .withMessage("Kafka did not acknowledge a record of topic known: TimeoutException")
          .asInstanceOf(InstanceOfAssertFactories.type(NotStoredException.class))
          .returns(false, NotStoredException::isTooLarge);
      assertThat(large)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .asInstanceOf(InstanceOfAssertFactories.type(NotStoredException.class))
          .returns(true, NotStoredException::isTooLarge);
    }
  }

  @Test
  void sendReturnsAtOnceWhileTheProducerBlocks() throws Exception {
    BlockingProducer producer = new BlockingProducer();
    try (KafkaSender sender = sender(producer)) {
      CompletableFuture<Stored> lost = sender.send(record("lost"));
      await().until(() -> producer.attempts.get() == 1);
      // The sending thread is blocked now, and this one is not.
      CompletableFuture<Stored> known = sender.send(record("known"));
      assertThat(lost).isNotDone();
      assertThat(known).isNotDone();

      producer.metadata.countDown();

      assertThat(known.get(5, TimeUnit.SECONDS).topic()).isEqualTo("known");
      assertThat(lost).failsWithin(Duration.ofSeconds(5));
    }
  }

  @Test
  void aTopicWithoutMetadataDoesNotDelayTheOthersAgain() throws Exception {
    BlockingProducer producer = new BlockingProducer();
    producer.metadata.countDown();
    try (KafkaSender sender = sender(producer)) {
      assertThat(sender.send(record("lost"))).failsWithin(Duration.ofSeconds(5));
      assertThat(sender.send(record("lost"))).failsWithin(Duration.ofSeconds(5));
      assertThat(producer.attempts).hasValue(1);

      now.addAndGet(KafkaSender.METADATA_PAUSE.toNanos());

      assertThat(sender.send(record("lost"))).failsWithin(Duration.ofSeconds(5));
      assertThat(producer.attempts).hasValue(2);
    }
  }

  @Test
  void aRecordThatWaitedTooLongIsNotSentAnyMore() throws Exception {
    BlockingProducer producer = new BlockingProducer();
    try (KafkaSender sender = sender(producer)) {
      CompletableFuture<Stored> lost = sender.send(record("lost"));
      await().until(() -> producer.attempts.get() == 1);
      CompletableFuture<Stored> known = sender.send(record("known"));
      now.addAndGet(DELIVERY.toNanos() + 1);
      producer.metadata.countDown();

      assertThat(known)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .withMessage("the record waited 20 s to be sent to topic known");
      assertThat(lost).isCompletedExceptionally();
      assertThat(producer.history()).isEmpty();
    }
  }

  @Test
  void aSendingThreadThatHasEndedIsAProblemAndAStopIsNone() {
    MockProducer<byte[], byte[]> interrupting =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            Thread.currentThread().interrupt();
            return super.send(record, callback);
          }
        };
    try (KafkaSender sender = sender(interrupting)) {
      assertThat(sender.problem()).isEmpty();
      var unused = sender.send(record("known"));

      await()
          .untilAsserted(
              () ->
                  assertThat(sender.problem())
                      .hasValue("the thread kafka-send has ended: restart the gateway"));
    }
    KafkaSender stopped =
        sender(new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer()));
    stopped.close();
    assertThat(stopped.problem()).isEmpty();
  }

  @Test
  void whatWasAcceptedBeforeAStopIsSent() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());
    KafkaSender sender = sender(producer);
    List<CompletableFuture<Stored>> answers =
        IntStream.range(0, 500).mapToObj(i -> sender.send(record("known"))).toList();

    sender.close();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
    assertThat(producer.closed()).isTrue();
    assertThat(sender.send(record("known"))).isCompletedExceptionally();
  }

  @Test
  void theProducerPromisesWhatTheAnswerSays() {
    GatewayConfig config =
        GatewayConfig.load(
            null, List.of("kafka.properties.linger.ms=7", "kafka.properties.client.id=mine"));

    Properties properties =
        KafkaSender.producerProperties(
            config.kafka(), config.limits(), config.limits().budgetBytes());

    assertThat(properties)
        .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
        .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true")
        .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "20000")
        .containsEntry(ProducerConfig.LINGER_MS_CONFIG, "7")
        .containsEntry(ProducerConfig.CLIENT_ID_CONFIG, "mine");
    assertThat(Long.parseLong(properties.getProperty(ProducerConfig.BUFFER_MEMORY_CONFIG)))
        .isGreaterThan(2L * config.limits().budgetBytes());
    assertThat(Integer.parseInt(properties.getProperty(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)))
        .isGreaterThan(config.limits().maxBytes());
    assertThat(KafkaSender.longestAnswer(config.kafka())).isEqualTo(Duration.ofSeconds(41));
  }
}
