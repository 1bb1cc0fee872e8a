package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleCodec;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
  private static final RuleFollower.Options OPTIONS =
      new RuleFollower.Options(
          "rules",
          "applied",
          "devices",
          device -> device,
          new Properties(),
          Duration.ofSeconds(10));

  private static final Instant BEGIN = Instant.parse("2026-11-20T12:00:00Z");

  private static final RuleMessage.OfPause PAUSE =
      new RuleMessage.OfPause("left", 4, "job", "failed");

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());

  private Duration time = Duration.ZERO;

  private final Acknowledgements acknowledgements =
      new Acknowledgements(OPTIONS, "job", producer, () -> BEGIN.plus(time), () -> time.toNanos());

  AcknowledgementsTest() {
    acknowledgements.read(book(rule(4)));
  }

  private static RuleMessage rule(long version) {
    return new RuleMessage.OfRule(
        "left", version, new RuleMessage.Content("{id: left, when: {expr: far}}", "anna", BEGIN));
  }

  private static RuleBook book(RuleMessage... messages) {
    RuleBook.Builder book = RuleBook.EMPTY.toBuilder();
    for (int offset = 0; offset < messages.length; offset++) {
      book.add(new StoredMessage(offset, messages[offset]));
    }
    return book.build();
  }

  @AfterEach
  void close() {
    if (!producer.closed()) {
      acknowledgements.close();
    }
  }

  /** Writes what is due after that time. */
  private void after(Duration pause) {
    time = time.plus(pause);
    acknowledgements.write();
  }

  private static Applied applied(int subtask, long offset, Duration at) {
    return new Applied("job", subtask, 2, 0, offset, BEGIN.plus(at));
  }

  private List<Applied> written() {
    return producer.history().stream()
        .filter(message -> message.topic().equals("applied"))
        .map(
            message -> {
              Applied applied = AppliedCodec.read(message.value()).orElseThrow();
              assertThat(message.key()).asString(UTF_8).isEqualTo(applied.key());
              return applied;
            })
        .toList();
  }

  @Test
  void offsetsBetweenTwoTicksAreOneMessage() {
    Acknowledgements.OfSubtask first = acknowledgements.add(0, 2, 0);
    Acknowledgements.OfSubtask second = acknowledgements.add(1, 2, 0);
    after(Duration.ZERO);
    assertThat(written()).as("nothing is applied yet").isEmpty();

    first.applied(0);
    first.applied(4);
    first.applied(7);
    after(Duration.ZERO);
    after(Acknowledgements.TICK);
    second.applied(7);
    after(Acknowledgements.TICK);

    assertThat(written())
        .containsExactly(
            applied(0, 7, Duration.ZERO), applied(1, 7, Acknowledgements.TICK.multipliedBy(2)));
  }

  @Test
  void anAcknowledgementIsRepeated() {
    acknowledgements.add(0, 2, 0).applied(7);
    after(Duration.ZERO);
    after(Acknowledgements.REPEAT.minus(Acknowledgements.TICK));
    assertThat(written()).hasSize(1);

    after(Acknowledgements.TICK);

    assertThat(written())
        .containsExactly(applied(0, 7, Duration.ZERO), applied(0, 7, Acknowledgements.REPEAT));
  }

  @Test
  void aSubtaskThatHasEndedAcknowledgesNothing() {
    Acknowledgements.OfSubtask first = acknowledgements.add(0, 2, 0);
    first.applied(7);
    acknowledgements.remove(first);
    after(Acknowledgements.REPEAT);

    assertThat(written()).isEmpty();
  }

  @Test
  void whatKafkaHasNotStoredIsWrittenAgain() {
    acknowledgements.add(0, 2, 0).applied(7);
    acknowledgements.pause(PAUSE);
    after(Duration.ZERO);
    assertThat(producer.history())
        .extracting(message -> message.topic() + " " + new String(message.key(), UTF_8))
        .containsExactly("applied job/0", "rules pause/left");

    while (producer.errorNext(new TimeoutException("away"))) {
      // Each of them.
    }
    after(Acknowledgements.TICK);
    assertThat(producer.history()).hasSize(2);
    after(Acknowledgements.RETRY);
    assertThat(producer.history())
        .extracting(message -> new String(message.value(), UTF_8))
        .endsWith(
            "{\"job\":\"job\",\"subtask\":0,\"of\":2,\"attempt\":0,\"offset\":7,\"at\":\"2026-11-20T12:00:01.100Z\"}",
            "{\"id\":\"left\",\"version\":4,\"by\":\"job\",\"reason\":\"failed\"}")
        .hasSize(4);

    assertThat(producer.completeNext()).isTrue();
    assertThat(producer.completeNext()).isTrue();
    after(Acknowledgements.RETRY);
    assertThat(producer.history()).as("stored now").hasSize(4);
  }

  @Test
  void aProducerThatThrowsIsTriedAgain() {
    acknowledgements.add(0, 2, 0).applied(7);
    producer.sendException = new IllegalStateException("broken");
    after(Duration.ZERO);
    assertThat(producer.history()).isEmpty();

    producer.sendException = null;
    after(Acknowledgements.RETRY);

    assertThat(written()).containsExactly(applied(0, 7, Acknowledgements.RETRY));
  }

  @Test
  void aPauseIsDroppedIfTheRuleWasPutAgainMeanwhile() {
    acknowledgements.pause(PAUSE);
    after(Duration.ZERO);
    assertThat(producer.errorNext(new TimeoutException("away"))).isTrue();

    acknowledgements.read(book(rule(4), rule(5)));
    after(Acknowledgements.RETRY);

    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void aPauseIsDroppedIfAnOperatorHasPausedTheVersion_AndThatOneMayBeRepeated() {
    RuleMessage.OfPause byAnna = new RuleMessage.OfPause("left", 4, "anna", "at night");
    acknowledgements.read(book(rule(4), byAnna));

    acknowledgements.pause(PAUSE);
    acknowledgements.pause(byAnna);
    after(Duration.ZERO);

    assertThat(producer.history())
        .extracting(message -> new String(message.value(), UTF_8))
        .containsExactly(new String(RuleCodec.value(byAnna), UTF_8));
  }

  @Test
  void aTaskThatThrowsIsRunAgain() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Acknowledgements once =
        new Acknowledgements(
            OPTIONS,
            "job",
            producer,
            () -> {
              if (isBroken.getAndSet(false)) {
                throw new StackOverflowError();
              }
              return BEGIN;
            },
            System::nanoTime);
    once.add(0, 2, 0).applied(7);

    once.start();

    await().untilAsserted(() -> assertThat(written()).hasSize(1));
    assertThat(isBroken).isFalse();
    once.close();
  }

  @Test
  void theProducerIsClosedEvenIfTheLastTaskThrows() {
    Acknowledgements broken =
        new Acknowledgements(
            OPTIONS,
            "job",
            producer,
            () -> {
              throw new IllegalStateException("no clock");
            },
            System::nanoTime);
    broken.add(0, 2, 0).applied(7);

    broken.close();

    assertThat(producer.closed()).isTrue();
  }

  @Test
  void thePausesAreWrittenBeforeTheEnd() {
    acknowledgements.pause(PAUSE);

    acknowledgements.close();

    assertThat(producer.history()).hasSize(1);
    assertThat(producer.closed()).isTrue();
  }
}
