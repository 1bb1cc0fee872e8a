package io.lastfix.gateway.mqtt;

import io.lastfix.gateway.clients.OwnTracksPayload;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.devices.AuthenticatedDevice;
import io.lastfix.gateway.devices.SignedRequestAuthenticator;
import io.lastfix.gateway.heartbeats.HeartbeatRequest;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.http.RecordChecks;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.SdkCheck;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.service.RecordHeaders;
import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.SignatureRefusedException;
import io.lastfix.gateway.signature.SignedMessage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a message, as the HTTP routes do with a request: profile, release of the
 * client, encoding, sizes, and sender.
 *
 * @param services of all routes
 * @param records access to the topics of devices: unsigned, signed, or closed
 * @param owntracks access to OwnTracks' topics: unsigned or closed
 * @param devices that may sign; null only if records need no signature
 */
record MqttAdmission(
    RecordServices services,
    AccessMode records,
    AccessMode owntracks,
    @Nullable SignedRequestAuthenticator devices) {
  /** Names of routes, in metrics and as {@code via} in Kafka. */
  static final String RECORDS = "mqtt-records";

  static final String HEARTBEAT = "mqtt-heartbeat";
  static final String BYE = "mqtt-bye";
  static final String OWNTRACKS = "mqtt-owntracks";
  static final String OTHER = "mqtt-other";

  /** The limit of a request's head, too: the job keeps what is written of it beside a record. */
  private static final int MAX_HEAD_LENGTH = 16 * 1024;

  private static final String OWNTRACKS_PROFILE = "owntracks";

  /** Decides. */
  Admission admit(MqttMessage message) {
    if (message.headLength() > MAX_HEAD_LENGTH) {
      return new Admission.Refused(
          OTHER,
          "head-too-large",
          "User properties and content type may have %d KiB together."
              .formatted(MAX_HEAD_LENGTH / 1024));
    }
    MqttTopic topic = MqttTopic.parse(message.topic());
    if (topic instanceof MqttTopic.Records to) {
      return records(message, to);
    }
    if (topic instanceof MqttTopic.OwnTracks to) {
      return owntracks(message, to);
    }
    if (topic instanceof MqttTopic.Heartbeat to) {
      return heartbeat(message, to.device());
    }
    if (topic instanceof MqttTopic.Bye to) {
      return ofDevice(
          BYE,
          message,
          to.device(),
          evidence -> new Admission.Sign(signs -> signs.byeBeside(to.device())));
    }
    return new Admission.Refused(OTHER, "topic", "Publish to lastfix/v1/DEVICE/records/PROFILE.");
  }

  private Admission records(MqttMessage message, MqttTopic.Records to) {
    Problem problem = records == AccessMode.CLOSED ? null : check(message, to.profile(), true);
    if (problem != null) {
      return Admission.Refused.of(RECORDS, problem);
    }
    return ofDevice(
        RECORDS,
        message,
        to.device(),
        evidence ->
            accepted(
                RECORDS,
                to.profile(),
                to.device(),
                records,
                message,
                message.payload(),
                evidence,
                false));
  }

  private Admission heartbeat(MqttMessage message, String device) {
    String sdk = message.property(SdkCheck.HEADER);
    Problem problem =
        records == AccessMode.CLOSED
            ? null
            : checks()
                .refuseHeartbeat(
                    sdk, message.property(MqttMessage.CONTENT_ENCODING), message.payload().length);
    if (problem != null) {
      return Admission.Refused.of(HEARTBEAT, problem);
    }
    return ofDevice(
        HEARTBEAT,
        message,
        device,
        evidence -> {
          try {
            Heartbeat heartbeat = HeartbeatRequest.parse(message.payload(), sdk);
            return new Admission.Sign(signs -> signs.heartbeatBeside(device, heartbeat));
          } catch (IllegalArgumentException e) {
            return new Admission.Refused(HEARTBEAT, "bad-request", String.valueOf(e.getMessage()));
          }
        });
  }

  /**
   * Determines the sender of a message to a device's topic.
   *
   * @param taken what becomes of it then, with the headers that prove the signature
   */
  private Admission ofDevice(
      String route,
      MqttMessage message,
      String deviceOfTopic,
      Function<Map<String, String>, Admission> taken) {
    if (records == AccessMode.CLOSED) {
      return closed(route, "mqtt.records");
    }
    SignedRequestAuthenticator signers = devices;
    if (records != AccessMode.SIGNED || signers == null) {
      return taken.apply(Map.of());
    }
    AuthenticatedDevice device;
    try {
      device =
          signers.authenticate(
              SignedMessage.head(message.topic(), message.headers()),
              message.payload(),
              message.received());
    } catch (SignatureRefusedException e) {
      RefusalReason reason = e.reason();
      Admission.Refused refusal =
          new Admission.Refused(route, reason.code(), String.valueOf(e.getMessage()));
      return reason.isTemporary()
          ? new Admission.Undecided(
              reason == RefusalReason.GROUP_KEY_ABSENT, refusal.detail(), refusal)
          : refusal;
    }
    if (!device.device().toString().equals(deviceOfTopic)) {
      return new Admission.Refused(
          route,
          "other-device",
          "The signature is that of another device than the topic names: publish to"
              + " lastfix/v1/DEVICE/ with the device's own id.");
    }
    return taken.apply(device.headers());
  }

  private Admission owntracks(MqttMessage message, MqttTopic.OwnTracks to) {
    if (owntracks == AccessMode.CLOSED) {
      return closed(OWNTRACKS, "mqtt.owntracks");
    }
    Problem problem = check(message, OWNTRACKS_PROFILE, false);
    if (problem != null) {
      return Admission.Refused.of(OWNTRACKS, problem);
    }
    byte[] value = OwnTracksPayload.withTopic(message.payload(), to.topic());
    if (value == null) {
      return new Admission.Refused(
          OWNTRACKS,
          "not-its-topic",
          "Expected one JSON object, whose topic, if it has one, is that of the message.");
    }
    return accepted(
        OWNTRACKS,
        OWNTRACKS_PROFILE,
        to.topic(),
        owntracks,
        message,
        value,
        Map.of(),
        OwnTracksPayload.isWill(value));
  }

  private @Nullable Problem check(MqttMessage message, String profile, boolean checksSdk) {
    Problem problem =
        checks()
            .refuseHead(
                profile,
                message.property(SdkCheck.HEADER),
                checksSdk,
                message.property(MqttMessage.CONTENT_ENCODING),
                message.payload().length);
    if (problem != null) {
      return problem;
    }
    return message.payload().length == 0
        ? services.problems().empty()
        : checks().refuseOpened(message.payload());
  }

  private RecordChecks checks() {
    return new RecordChecks(services);
  }

  /** What becomes of a message that Kafka's topic does not take. */
  Admission.Refused tooLargeForTopic(String route) {
    return Admission.Refused.of(route, services.problems().tooLargeForTopic());
  }

  /** Refuses a record beyond its device's quota: over MQTT, no answer can make the device wait. */
  Admission.Refused overQuota(String route, Quota.Refused refused, int bytes) {
    Problem problem = services.problems().quota(refused, bytes);
    return new Admission.Refused(
        route,
        problem.code(),
        "A device may push %d bytes a UTC day (quota.bytes-per-day), %d are left, and this message has %d. It is dropped: publish less, or raise the quota."
            .formatted(refused.limit(), Math.max(0, refused.limit() - refused.used()), bytes));
  }

  private static Admission closed(String route, String key) {
    return new Admission.Refused(
        route, "closed", "The gateway's configuration opens it with %s.".formatted(key));
  }

  private Admission accepted(
      String route,
      String profile,
      String device,
      AccessMode auth,
      MqttMessage message,
      byte[] value,
      Map<String, String> evidence,
      boolean isFarewell) {
    Map<String, String> headers =
        RecordHeaders.of(
            device,
            route,
            auth,
            message.received(),
            null,
            route.equals(RECORDS) ? message.property(SdkCheck.HEADER) : null,
            message.property(MqttMessage.CONTENT_ENCODING),
            evidence);
    return new Admission.Accepted(
        route,
        profile,
        new OutgoingRecord(String.valueOf(services.topics().get(profile)), device, value, headers),
        isFarewell);
  }
}
