package io.lastfix.gateway.mqtt;

import com.linecorp.armeria.common.util.Exceptions;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.kafka.NotStoredException;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.gateway.tracing.RequestTracing;
import io.lastfix.model.SenderHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the messages of all connections, one after the other.
 *
 * <p>Each record ends in one of three ways. If Kafka has acknowledged it, it is acknowledged to the
 * broker. If it can never be stored, it is counted, logged and acknowledged, too. If Kafka has not
 * acknowledged it, or its signature cannot be checked at present, its connection has to end. Only
 * then does the broker deliver it again. Heartbeats and byes are acknowledged at once.
 */
final class MqttHandler {
  /** What a connection offers for one of its messages. */
  interface Delivery {
    /** Tells the broker that it need not deliver the message again. */
    void acknowledge();

    /** Ends the connection, so that the broker delivers the message again. */
    void abandon(String reason);

    /**
     * Is called once the connection no longer keeps the message, which may be after its
     * acknowledgement.
     */
    void whenReleased(Runnable release);

    /** Whether the connection has ended or ends soon, so that waiting is of no use. */
    boolean isEnding();
  }

  private static final Logger LOG = LoggerFactory.getLogger(MqttHandler.class);
  private static final Duration WAIT_STEP = Duration.ofMillis(200);

  private final MqttAdmission admission;
  private final RecordServices services;
  private final InFlightBytes budget;
  private final Duration keyWait;

  /** When each key was missed first, by a text that names it. No more than the groups' keys. */
  private final Map<String, Instant> waits = new ConcurrentHashMap<>();

  private final RefusalLog refusals = new RefusalLog(System::nanoTime);
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * A handler.
   *
   * @param keyWait how long the broker is kept waiting for an absent key of a group
   */
  MqttHandler(
      MqttAdmission admission, RecordServices services, InFlightBytes budget, Duration keyWait) {
    this.admission = admission;
    this.services = services;
    this.budget = budget;
    this.keyWait = keyWait;
  }

  /** Messages that wait for Kafka. */
  int inFlight() {
    return inFlight.get();
  }

  /**
   * Takes a message. Waits while the budget is used up, and so keeps its connection waiting. Also
   * one that will be refused has its part: the client keeps it until all before it are
   * acknowledged.
   */
  void handle(MqttMessage message, Delivery delivery) throws InterruptedException {
    services.metrics().mqttReceived();
    int cost = budget.cost((long) message.payload().length + message.headLength());
    if (!take(cost, delivery)) {
      return;
    }
    delivery.whenReleased(() -> budget.giveBack(cost));
    Admission admitted = admission.admit(message);
    if (admitted instanceof Admission.Undecided undecided) {
      undecided(message.topic(), undecided, delivery);
    } else if (admitted instanceof Admission.Refused refused) {
      refuse(message.topic(), refused, delivery);
    } else if (admitted instanceof Admission.Sign sign) {
      // A topic of heartbeats that cannot be written holds back no records.
      sign.writer().accept(services.signs());
      delivery.acknowledge();
    } else if (admitted instanceof Admission.Accepted accepted) {
      send(message, accepted, delivery);
    }
  }

  private void send(MqttMessage message, Admission.Accepted accepted, Delivery delivery) {
    int bytes = message.payload().length;
    Quota.Decision quotas = count(accepted, bytes);
    if (quotas instanceof Quota.Refused refused) {
      refuse(message.topic(), admission.overQuota(accepted.route(), refused, bytes), delivery);
      return;
    }
    inFlight.incrementAndGet();
    // Without the message: its user properties are of no more use.
    String topic = message.topic();
    Instant received = message.received();
    var unused =
        send(accepted, bytes, (Quota.Granted) quotas)
            .whenComplete(
                (stored, failure) -> {
                  try {
                    decide(topic, received, accepted, delivery, stored, failure);
                  } catch (RuntimeException | Error e) {
                    // Otherwise the message would stay without an acknowledgement.
                    LOG.error("cannot decide about a message; the broker will deliver it again", e);
                    delivery.abandon("a message could not be decided");
                  } finally {
                    // After the acknowledgement: a stop waits for the last of these.
                    inFlight.decrementAndGet();
                  }
                });
  }

  /**
   * Keeps the broker waiting, but not for ever: every client that may publish can name an absent
   * key.
   */
  private void undecided(String topic, Admission.Undecided undecided, Delivery delivery) {
    if (!undecided.isOfOneKey()) {
      notStored(delivery, undecided.reason());
    } else if (isWaitOver(undecided.reason())) {
      refuse(topic, undecided.refused(), delivery);
    } else {
      services.metrics().mqttWaitsForKey();
      delivery.abandon(undecided.reason());
    }
  }

  private boolean isWaitOver(String reason) {
    Instant first = waits.computeIfAbsent(reason, none -> now());
    return Duration.between(first, now()).compareTo(keyWait) >= 0;
  }

  /** Last of all checks, because it counts; null if nothing is to be counted. */
  private Quota.@Nullable Decision count(Admission.Accepted accepted, int bytes) {
    Quota quota = services.quota();
    String device = accepted.record().key();
    return quota == null || device == null ? null : quota.requestUnshared(device, bytes);
  }

  /** A sender that throws gets the same treatment as one that fails. */
  private CompletableFuture<Stored> send(
      Admission.Accepted accepted, int bytes, Quota.@Nullable Granted granted) {
    RequestTracing tracing = services.tracing();
    return tracing == null
        ? send(accepted.isFarewell(), accepted.record(), bytes, granted)
        : tracing.receive(
            accepted.route(),
            accepted.record(),
            record -> send(accepted.isFarewell(), record, bytes, granted));
  }

  private CompletableFuture<Stored> send(
      boolean isFarewell, OutgoingRecord record, int bytes, Quota.@Nullable Granted granted) {
    try {
      return isFarewell
          ? services.signs().sendFarewell(record, granted)
          : services
              .signs()
              .sendRecord(record, bytes, record.headers().get(SenderHeaders.SDK), granted);
    } catch (RuntimeException e) {
      if (granted != null) {
        granted.notAccepted();
      }
      return CompletableFuture.failedFuture(e);
    }
  }

  private boolean take(int cost, Delivery delivery) throws InterruptedException {
    // Each message that holds a part has its answer by then.
    long deadline = System.nanoTime() + services.longestAnswer().plus(WAIT_STEP).toNanos();
    while (!budget.take(cost, WAIT_STEP)) {
      if (delivery.isEnding()) {
        notStored(delivery, "its connection ends");
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
      String topic,
      Instant received,
      Admission.Accepted accepted,
      Delivery delivery,
      @Nullable Stored stored,
      @Nullable Throwable failure) {
    if (stored != null) {
      services
          .metrics()
          .stored(accepted.route(), accepted.profile(), accepted.record().value().length);
      services.metrics().mqttAcknowledged(Duration.between(received, now()));
      delivery.acknowledge();
      return;
    }
    Throwable cause = failure == null ? null : Exceptions.peel(failure);
    if (cause instanceof NotStoredException notStored && notStored.isTooLarge()) {
      refuse(topic, admission.tooLargeForTopic(accepted.route()), delivery);
      return;
    }
    notStored(delivery, cause == null ? "no answer of Kafka" : String.valueOf(cause.getMessage()));
  }

  private Instant now() {
    return services.clock().instant();
  }

  private void refuse(String topic, Admission.Refused refused, Delivery delivery) {
    services.metrics().refused(refused.route(), refused.reason());
    refusals.log(topic, refused.reason(), refused.detail());
    delivery.acknowledge();
  }

  private void notStored(Delivery delivery, String reason) {
    services.metrics().mqttNotStored();
    delivery.abandon(reason);
  }
}
