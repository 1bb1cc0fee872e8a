package io.lastfix.gateway.mqtt;

import io.lastfix.gateway.kafka.NotStoredException;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.gateway.metrics.GatewayMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the messages of all connections, one after the other.
 *
 * <p>Each message ends in one of three ways: Kafka has acknowledged it; or it can never be stored,
 * is counted and logged; both are then acknowledged to the broker. Or Kafka has not acknowledged
 * it, or nobody here can judge its signature at present, and its connection has to end: only then
 * does the broker deliver it again.
 */
final class MqttHandler {
  /** What a connection offers for one of its messages. */
  interface Delivery {
    /** Tells the broker that it need not deliver the message again. */
    void acknowledge();

    /** Ends the connection, so that the broker delivers the message again. */
    void abandon(String reason);

    /** Whether the connection has ended or ends soon, so that waiting is of no use. */
    boolean isEnding();
  }

  private static final Logger LOG = LoggerFactory.getLogger(MqttHandler.class);
  private static final Duration WAIT_STEP = Duration.ofMillis(200);

  private final MqttAdmission admission;
  private final RecordSender sender;
  private final InFlightBytes budget;
  private final Duration longestAnswer;
  private final GatewayMetrics metrics;
  private final RefusalLog refusals;
  private final InstantSource clock;
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * A handler.
   *
   * @param longestAnswer of the sender
   */
  MqttHandler(
      MqttAdmission admission,
      RecordSender sender,
      InFlightBytes budget,
      Duration longestAnswer,
      GatewayMetrics metrics,
      RefusalLog refusals,
      InstantSource clock) {
    this.admission = admission;
    this.sender = sender;
    this.budget = budget;
    this.longestAnswer = longestAnswer;
    this.metrics = metrics;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** Messages that wait for Kafka. */
  int inFlight() {
    return inFlight.get();
  }

  /** Takes a message. Waits while the budget is used up, and so keeps its connection waiting. */
  void handle(MqttMessage message, Delivery delivery) throws InterruptedException {
    metrics.mqttReceived();
    Admission admitted = admission.admit(message);
    if (admitted instanceof Admission.Refused refused) {
      refuse(message, refused, delivery);
      return;
    }
    if (admitted instanceof Admission.Undecided undecided) {
      notStored(delivery, undecided.reason());
      return;
    }
    Admission.Accepted accepted = (Admission.Accepted) admitted;
    int cost = budget.cost(bytes(accepted.record()));
    if (!take(cost, delivery)) {
      return;
    }
    inFlight.incrementAndGet();
    var unused =
        send(accepted)
            .whenComplete(
                (stored, failure) -> {
                  try {
                    decide(message, accepted, delivery, stored, failure);
                  } catch (RuntimeException | Error e) {
                    // Otherwise the message would stay without an acknowledgement.
                    LOG.error("cannot decide about a message; the broker will deliver it again", e);
                    delivery.abandon("a message could not be decided");
                  } finally {
                    // After the acknowledgement: a stop waits for the last of these.
                    inFlight.decrementAndGet();
                    budget.giveBack(cost);
                  }
                });
  }

  private static long bytes(OutgoingRecord record) {
    long bytes = record.value().length;
    for (String value : record.headers().values()) {
      bytes += value.length();
    }
    return bytes;
  }

  /** A sender that throws gets the same treatment as one that fails. */
  private CompletableFuture<Stored> send(Admission.Accepted accepted) {
    try {
      return sender.send(accepted.record());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private boolean take(int cost, Delivery delivery) throws InterruptedException {
    // Each message that holds a part has its answer by then.
    long deadline = System.nanoTime() + longestAnswer.plus(WAIT_STEP).toNanos();
    while (!budget.take(cost, WAIT_STEP)) {
      if (delivery.isEnding()) {
        metrics.mqttNotStored();
        return false;
      }
      if (System.nanoTime() - deadline > 0) {
        notStored(delivery, "Kafka has acknowledged nothing for a long time");
        return false;
      }
    }
    return true;
  }

  private void decide(
      MqttMessage message,
      Admission.Accepted accepted,
      Delivery delivery,
      @Nullable Stored stored,
      @Nullable Throwable failure) {
    if (stored != null) {
      metrics.stored(accepted.route(), accepted.profile(), accepted.record().value().length);
      metrics.mqttAcknowledged(Duration.between(message.received(), now()));
      delivery.acknowledge();
      return;
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof NotStoredException notStored && notStored.isTooLarge()) {
      refuse(message, admission.tooLargeForTopic(accepted.route()), delivery);
      return;
    }
    notStored(delivery, cause == null ? "no answer of Kafka" : String.valueOf(cause.getMessage()));
  }

  private Instant now() {
    return clock.instant();
  }

  private void refuse(MqttMessage message, Admission.Refused refused, Delivery delivery) {
    metrics.refused(refused.route(), refused.reason());
    refusals.log(message.topic(), refused.reason(), refused.detail());
    delivery.acknowledge();
  }

  private void notStored(Delivery delivery, String reason) {
    metrics.mqttNotStored();
    delivery.abandon(reason);
  }
}
