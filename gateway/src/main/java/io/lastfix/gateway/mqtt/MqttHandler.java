package io.lastfix.gateway.mqtt;

import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.heartbeats.SignsOfLife;
import io.lastfix.gateway.kafka.NotStoredException;
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
  private final SignsOfLife signs;
  private final @Nullable Quota quota;
  private final InFlightBytes budget;
  private final Duration longestAnswer;
  private final GatewayMetrics metrics;
  private final RefusalLog refusals;
  private final InstantSource clock;
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * A handler.
   *
   * @param signs sends records, and signs of life
   * @param quota of devices; null: none
   * @param longestAnswer of Kafka
   */
  MqttHandler(
      MqttAdmission admission,
      SignsOfLife signs,
      @Nullable Quota quota,
      InFlightBytes budget,
      Duration longestAnswer,
      GatewayMetrics metrics,
      RefusalLog refusals,
      InstantSource clock) {
    this.admission = admission;
    this.signs = signs;
    this.quota = quota;
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
    Admission.Taken taken = (Admission.Taken) admitted;
    int cost = budget.cost(bytes(message, taken));
    if (!take(cost, delivery)) {
      return;
    }
    int bytes = message.payload().length;
    Quota.Decision quotas = count(taken, bytes);
    if (quotas instanceof Quota.Refused refused) {
      budget.giveBack(cost);
      refuse(message, admission.overQuota(taken.route(), refused, bytes), delivery);
      return;
    }
    inFlight.incrementAndGet();
    var unused =
        send(taken, bytes, (Quota.Granted) quotas)
            .whenComplete(
                (stored, failure) -> {
                  try {
                    decide(message, taken, delivery, stored, failure);
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

  private static long bytes(MqttMessage message, Admission.Taken taken) {
    if (!(taken instanceof Admission.Accepted accepted)) {
      return message.payload().length;
    }
    long bytes = accepted.record().value().length;
    for (String value : accepted.record().headers().values()) {
      bytes += value.length();
    }
    return bytes;
  }

  /** Last of all checks, because it counts; null if nothing is to be counted. */
  private Quota.@Nullable Decision count(Admission.Taken taken, int bytes) {
    if (quota == null
        || !(taken instanceof Admission.Accepted accepted)
        || accepted.record().key() == null) {
      return null;
    }
    return quota.requestUnshared(accepted.record().key(), bytes);
  }

  /** A sender that throws gets the same treatment as one that fails. */
  private CompletableFuture<Stored> send(
      Admission.Taken taken, int bytes, Quota.@Nullable Granted granted) {
    try {
      if (taken instanceof Admission.Alive alive) {
        return signs.ofHeartbeat(alive.device(), alive.heartbeat());
      }
      if (taken instanceof Admission.Gone gone) {
        return signs.ofBye(gone.device());
      }
      Admission.Accepted accepted = (Admission.Accepted) taken;
      return accepted.isFarewell()
          ? signs.sendFarewell(accepted.record(), granted)
          : signs.sendRecord(
              accepted.record(), bytes, accepted.record().headers().get("sdk"), granted);
    } catch (RuntimeException e) {
      if (granted != null) {
        granted.notAccepted();
      }
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
      Admission.Taken taken,
      Delivery delivery,
      @Nullable Stored stored,
      @Nullable Throwable failure) {
    if (stored != null) {
      if (taken instanceof Admission.Accepted accepted) {
        metrics.stored(accepted.route(), accepted.profile(), accepted.record().value().length);
      }
      metrics.mqttAcknowledged(Duration.between(message.received(), now()));
      delivery.acknowledge();
      return;
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof NotStoredException notStored && notStored.isTooLarge()) {
      refuse(message, admission.tooLargeForTopic(taken.route()), delivery);
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
