package io.lastfix.gateway.mqtt;

import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;

/** What becomes of a message. */
sealed interface Admission {
  /** It goes to Kafka. */
  sealed interface Taken extends Admission {
    /** For metrics. */
    String route();
  }

  /**
   * A record.
   *
   * @param profile for metrics
   * @param isFarewell whether it says that its device is gone
   */
  record Accepted(String route, String profile, OutgoingRecord record, boolean isFarewell)
      implements Taken {}

  /** A device says that it is there. */
  record Alive(String route, String device, Heartbeat heartbeat) implements Taken {}

  /** A device says that it is gone, or the broker in its name. */
  record Gone(String route, String device) implements Taken {}

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
