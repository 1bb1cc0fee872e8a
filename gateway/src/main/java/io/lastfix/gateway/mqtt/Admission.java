package io.lastfix.gateway.mqtt;

import io.lastfix.gateway.heartbeats.SignsOfLife;
import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.kafka.OutgoingRecord;
import java.util.function.Consumer;

/** What becomes of a message. */
sealed interface Admission {
  /**
   * A record, which goes to Kafka.
   *
   * @param route for metrics
   * @param profile for metrics
   * @param isFarewell whether it reports that its device is gone
   */
  record Accepted(String route, String profile, OutgoingRecord record, boolean isFarewell)
      implements Admission {}

  /**
   * A sign of life, or of its end, from the device or from the broker in its name. No client waits
   * until it is stored.
   *
   * @param writer writes it
   */
  record Sign(Consumer<SignsOfLife> writer) implements Admission {}

  /**
   * This gateway cannot decide at present, so the broker has to keep the message.
   *
   * @param isOfOneKey whether only messages with a certain key are concerned, which the reason
   *     names
   * @param reason one line for the user
   * @param refused what becomes of it if waiting does not help
   */
  record Undecided(boolean isOfOneKey, String reason, Refused refused) implements Admission {}

  /**
   * It can never be stored, so it is acknowledged, counted and logged.
   *
   * @param route for metrics
   * @param reason short and stable
   * @param detail says what to do; holds no secret
   */
  record Refused(String route, String reason, String detail) implements Admission {
    static Refused of(String route, Problem problem) {
      return new Refused(
          route,
          problem.code(),
          problem
              .detail()
              .replace(
                  "the header Content-Encoding: gzip", "the user property content-encoding: gzip")
              .replace("POST /v1/records/PROFILE", "the topic lastfix/v1/DEVICE/records/PROFILE"));
    }
  }
}
