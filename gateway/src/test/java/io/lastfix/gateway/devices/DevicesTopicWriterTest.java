package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.kafka.KafkaSender;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicesTopicWriterTest {
  private static final Duration DELIVERY = Duration.ofSeconds(20);

  private final AtomicLong now = new AtomicLong();
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());
  private final DevicesTopicWriter writer =
      new DevicesTopicWriter("lastfix.devices", new KafkaSender(producer, DELIVERY, now::get));
  private final DevicesMessage message = new DevicesMessage.OfGroup("fleet-a", Fleet.A);

  @AfterEach
  void close() {
    writer.close();
  }

  @Test
  void aMessageIsWrittenOnceKafkaHasAcknowledgedIt() {
    CompletableFuture<Void> written = writer.write(message);
    await().until(() -> !producer.history().isEmpty());

    assertThat(written).isNotDone();
    producer.completeNext();
    assertThat(written).isCompleted();
    assertThat(producer.history().get(0).topic()).isEqualTo("lastfix.devices");
    assertThat(producer.history().get(0).value()).isEqualTo(DevicesCodec.value(message));
  }

  @Test
  void aMessageThatKafkaRefusesFails() {
    CompletableFuture<Void> written = writer.write(message);
    await().until(() -> !producer.history().isEmpty());
    producer.errorNext(new NotEnoughReplicasException("one of three"));

    assertThat(written).isCompletedExceptionally();
  }

  /** Blocks in {@code send}, then fails as without metadata. */
  private static final class NoMetadata extends MockProducer<byte[], byte[]> {
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();

    private NoMetadata() {
      super(false, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      attempts.incrementAndGet();
      blocked.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      TimeoutException failure = new TimeoutException("no metadata");
      callback.onCompletion(null, failure);
      return CompletableFuture.failedFuture(failure);
    }
  }

  @Test
  void aMessageThatWaitedTooLongIsNotSentAnyMoreAndOthersFailAtOnceForAWhile() throws Exception {
    NoMetadata lost = new NoMetadata();
    try (DevicesTopicWriter slow =
        new DevicesTopicWriter("lastfix.devices", new KafkaSender(lost, DELIVERY, now::get))) {
      CompletableFuture<Void> first = slow.write(message);
      lost.blocked.await();
      CompletableFuture<Void> second = slow.write(message);
      now.addAndGet(DELIVERY.toNanos() + 1);
      lost.released.countDown();

      assertThat(second)
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("the record waited 20 s to be sent to topic lastfix.devices");
      assertThat(first).isCompletedExceptionally();
      assertThat(slow.write(message))
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("Kafka has no topic lastfix.devices");
      assertThat(lost.attempts).hasValue(1);

      now.addAndGet(KafkaSender.METADATA_PAUSE.toNanos() + 1);
      assertThat(slow.write(message)).failsWithin(Duration.ofSeconds(10));
      assertThat(lost.attempts).hasValue(2);
    }
  }

  @Test
  void metadataOfTheTopicIsKeptForADay() {
    assertThat(DevicesTopicWriter.producerProperties(Map.of()))
        .containsEntry("metadata.max.idle.ms", 86_400_000);
  }

  @Test
  void afterItsEndItRefusesMessages() {
    writer.close();

    assertThat(writer.write(message)).isCompletedExceptionally();
  }
}
