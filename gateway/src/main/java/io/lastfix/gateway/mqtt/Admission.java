package io.lastfix.gateway.mqtt;

import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.kafka.OutgoingRecord;

/** What becomes of a message. */
sealed interface Admission {
  /**
   * It goes to Kafka.
   *
   * @param route for metrics
   * @param profile for metrics
   */
  record Accepted(String route, String profile, OutgoingRecord record) implements Admission {}

  /**
   * Nobody here can say at present, so the broker has to keep it.
   *
   * @param reason one line for the user
   */
  record Undecided(String reason) implements Admission {}

  /**
   * It can never be stored, so it is acknowledged, counted and logged.
   *
   * @param route for metrics
   * @param reason short and stable
   * @param detail says what to do; holds no secret
   */
  record Refused(String route, String reason, String detail) implements Admission {
    static Refused of(String route, Problem problem) {
      return new Refused(route, problem.code(), problem.detail());
    }
  }
}
