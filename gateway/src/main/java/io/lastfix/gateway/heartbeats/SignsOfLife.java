package io.lastfix.gateway.heartbeats;

import io.lastfix.gateway.kafka.NotStoredException;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.gateway.metrics.GatewayMetrics;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.Bye;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes signs of life to {@code lastfix.heartbeats}. Thread-safe, and never blocks.
 *
 * <p>The sign of an accepted record is written beside the answer: a device gets its yes also while
 * that topic cannot be written, and heartbeats of MQTT hold back no records. Such a sign is lost
 * and counted, and its bytes count for the quota at this gateway only; so are signs beyond {@link
 * #MAX_WAITING} that wait for Kafka, because nothing else bounds their memory.
 */
public final class SignsOfLife {
  /** Maximum number of signs without a waiting client that may wait for Kafka's acknowledgement. */
  static final int MAX_WAITING = 20_000;

  /** Devices that got no yes try again sooner. */
  static final Duration RETRIES_WITHIN = Duration.ofMinutes(2);

  private final RecordSender sender;
  private final String topic;
  private final GatewayMetrics metrics;
  private final InstantSource clock;
  private final AtomicInteger waiting = new AtomicInteger();

  /** When the last record was not stored; null if one was stored since. */
  private volatile @Nullable Instant failedAt;

  /** Writes to that topic. */
  public SignsOfLife(
      RecordSender sender, String topic, GatewayMetrics metrics, InstantSource clock) {
    this.sender = sender;
    this.topic = topic;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Returns why devices get no yes to their records although Kafka answers, such as a topic with
   * too few replicas; empty if they do. That is not known once no device has tried for {@link
   * #RETRIES_WITHIN}.
   */
  public Optional<String> recordsProblem() {
    Instant failed = failedAt;
    return failed == null || clock.instant().isAfter(failed.plus(RETRIES_WITHIN))
        ? Optional.empty()
        : Optional.of("the last record was not stored");
  }

  private void heed(@Nullable Throwable failure) {
    if (failure == null) {
      failedAt = null;
    } else if (!(failure instanceof NotStoredException notStored && notStored.isTooLarge())) {
      failedAt = clock.instant();
    }
  }

  /**
   * Sends a record. Once it is stored, its device's sign of life is written.
   *
   * @param bytes of the record's message, as on the wire
   * @param sdk as the client names itself; a text of more than {@link HeartbeatMessage#MAX_TEXT}
   *     characters counts as none
   * @param granted of the quota; null: the record does not count
   * @return as {@link RecordSender#send}
   */
  public CompletableFuture<Stored> sendRecord(
      OutgoingRecord record, int bytes, @Nullable String sdk, Quota.@Nullable Granted granted) {
    return send(record, granted, device -> ofRecord(device, bytes, sdk, granted));
  }

  /**
   * Sends a record in which a device, or the broker in its name, reports that it is gone. Once it
   * is stored, that is written instead of a sign of life. Its bytes count at this gateway only.
   *
   * @param granted of the quota; null: the record does not count
   * @return as {@link RecordSender#send}
   */
  public CompletableFuture<Stored> sendFarewell(
      OutgoingRecord record, Quota.@Nullable Granted granted) {
    return send(
        record,
        granted,
        device -> {
          if (granted != null) {
            granted.countedHereOnly();
          }
          byeBeside(device);
        });
  }

  /**
   * Sends a record.
   *
   * @param stored called with the record's device, if it has one, once Kafka has the record
   */
  private CompletableFuture<Stored> send(
      OutgoingRecord record, Quota.@Nullable Granted granted, Consumer<String> stored) {
    String device = record.key();
    return sender
        .send(record)
        .whenComplete(
            (place, failure) -> {
              heed(failure);
              if (failure != null) {
                if (granted != null) {
                  granted.notAccepted();
                }
              } else if (device != null) {
                stored.accept(device);
              }
            });
  }

  private void ofRecord(
      String device, int bytes, @Nullable String sdk, Quota.@Nullable Granted granted) {
    boolean isUsable = sdk != null && !sdk.isEmpty() && sdk.length() <= HeartbeatMessage.MAX_TEXT;
    beside(
        "record",
        device,
        new RecordSign(bytes, isUsable ? sdk : null),
        granted == null ? place -> {} : granted::stored,
        granted == null ? () -> {} : granted::countedHereOnly);
  }

  /**
   * Asks the devices job to publish a device's usage, because a request waits for that. The device
   * is there, so a sign of life asks: one without bytes.
   */
  public void ofRefused(String device, Quota quota) {
    if (quota.startAsking(device)) {
      beside(
          "record", device, new RecordSign(0, null), place -> {}, () -> quota.askedInVain(device));
    }
  }

  /** Writes a message without a client that waits for it. */
  private void beside(
      String kind,
      String device,
      HeartbeatMessage message,
      Consumer<Stored> stored,
      Runnable lost) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      metrics.signLost();
      lost.run();
      return;
    }
    var unused =
        send(device, message)
            .whenComplete(
                (place, failure) -> {
                  waiting.decrementAndGet();
                  if (failure == null) {
                    metrics.sign(kind);
                    stored.accept(place);
                  } else {
                    metrics.signLost();
                    lost.run();
                  }
                });
  }

  /**
   * Writes a heartbeat.
   *
   * @return as {@link RecordSender#send}
   */
  public CompletableFuture<Stored> ofHeartbeat(String device, Heartbeat heartbeat) {
    return send(device, heartbeat)
        .thenApply(
            place -> {
              metrics.sign("heartbeat");
              return place;
            });
  }

  /**
   * Writes a heartbeat without a client that waits for it. If it cannot be written, it is lost and
   * counted.
   */
  public void heartbeatBeside(String device, Heartbeat heartbeat) {
    beside("heartbeat", device, heartbeat, place -> {}, () -> {});
  }

  /** Writes a device's end, likewise: its connection is gone, or it means to be away. */
  public void byeBeside(String device) {
    beside("bye", device, new Bye(), place -> {}, () -> {});
  }

  private CompletableFuture<Stored> send(String device, HeartbeatMessage message) {
    return sender.send(new OutgoingRecord(topic, device, HeartbeatCodec.write(message), Map.of()));
  }
}
