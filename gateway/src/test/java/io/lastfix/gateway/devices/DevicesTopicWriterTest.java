package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicesTopicWriterTest {
  private final MockProducer<byte[], byte @Nullable []> producer =
      new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());
  private final DevicesTopicWriter writer = new DevicesTopicWriter("lastfix.devices", producer);
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

  @Test
  void afterItsEndItRefusesMessages() {
    writer.close();

    assertThat(writer.write(message)).isCompletedExceptionally();
  }
}
