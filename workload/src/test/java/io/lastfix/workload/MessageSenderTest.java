package io.lastfix.workload;

import static io.lastfix.workload.Examples.NOW;
import static io.lastfix.workload.Examples.generated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class MessageSenderTest {

  @Test
  void everyMessageGoesToItsTopicAndIsCounted() throws PushException {
    List<OutgoingMessage> messages =
        generated(
            new GeneratorOptionsBuilder().count(300).malformed(0.1).duplicates(0.1).build(NOW));
    try (MockProducer<byte[], byte[]> producer = acceptingProducer();
        MessageSender sender = new MessageSender(producer, message -> message.format().topic())) {
      PushSummary summary = sender.send(messages.iterator(), Pacer.unlimited(), sent -> {});

      assertThat(producer.history())
          .hasSize(300)
          .allSatisfy(sent -> assertThat(sent.topic()).isEqualTo("lastfix.location.arcanum"));
      assertThat(summary.messages()).isEqualTo(300);
      assertThat(summary.records()).isEqualTo(300);
      assertThat(summary.rejected())
          .isEqualTo(messages.stream().filter(message -> message.rejected() > 0).count())
          .isPositive();
      assertThat(summary.duplicates())
          .isEqualTo(messages.stream().filter(OutgoingMessage::resent).count())
          .isPositive();
      assertThat(summary.bytes())
          .isEqualTo(messages.stream().mapToLong(message -> message.value().length).sum());
    }
  }

  @Test
  void oneMessageThatIsNotTakenFailsThePush() {
    List<OutgoingMessage> messages = generated(new GeneratorOptionsBuilder().count(10).build(NOW));
    try (MessageSender sender =
        new MessageSender(new ProducerThatRefusesTheFifth(), message -> "topic")) {
      assertThatThrownBy(() -> sender.send(messages.iterator(), Pacer.unlimited(), sent -> {}))
          .isInstanceOf(PushException.class)
          .hasMessage("Kafka did not accept every message (5 were sent): too large");
    }
  }

  private static MockProducer<byte[], byte[]> acceptingProducer() {
    return new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static final class ProducerThatRefusesTheFifth extends MockProducer<byte[], byte[]> {
    ProducerThatRefusesTheFifth() {
      super(false, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> message, Callback callback) {
      Future<RecordMetadata> outcome = super.send(message, callback);
      if (history().size() == 5) {
        errorNext(new RecordTooLargeException("too large"));
      } else {
        completeNext();
      }
      return outcome;
    }
  }
}
