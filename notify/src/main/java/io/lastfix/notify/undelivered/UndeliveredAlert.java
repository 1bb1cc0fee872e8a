package io.lastfix.notify.undelivered;

import io.lastfix.kit.text.PrintableText;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.receiver.Receiver;
import java.time.Instant;

/**
 * An alert that a receiver did not get.
 *
 * @param alert as the rules job wrote it
 * @param receiver that did not get it, as in the alert's {@code then}
 * @param reason of the last attempt, without anything that the receiver answered but its status
 * @param attempts how many there were; 0 if its time was over while no attempt of others succeeded,
 *     or if it waited for an earlier alert of its user
 * @param at when it was given up
 */
public record UndeliveredAlert(
    Alert alert, Action receiver, String reason, int attempts, Instant at) {
  /** Of each text of a line. */
  private static final int MOST_CHARACTERS = 200;

  /** Returns the receiver's name, as in consumer groups and metrics. */
  public String receiverName() {
    return Receiver.nameOf(receiver);
  }

  /** Returns a line for the user, whatever another program has written to the topic. */
  public String line() {
    return "%s %s, rule %s, %s: %s"
        .formatted(
            at, shown(alert.user()), shown(alert.rule()), shown(receiverName()), shown(reason));
  }

  private static String shown(String text) {
    return PrintableText.of(text, MOST_CHARACTERS);
  }
}
