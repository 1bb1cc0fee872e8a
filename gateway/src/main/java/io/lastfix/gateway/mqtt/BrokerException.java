package io.lastfix.gateway.mqtt;

import org.jspecify.annotations.Nullable;

/** There is no connection to the broker. The message is one line for the user, without secrets. */
final class BrokerException extends Exception {
  private final boolean isRefusal;

  private BrokerException(String message, @Nullable Throwable cause, boolean isRefusal) {
    super(message, cause);
    this.isRefusal = isRefusal;
  }

  /**
   * The broker answers, but does not grant what the gateway needs: the operator has to change that.
   */
  static BrokerException refusal(String message) {
    return new BrokerException(message, null, true);
  }

  /** It does not answer, which may pass. */
  static BrokerException away(String message, Throwable cause) {
    return new BrokerException(message, cause, false);
  }

  /** Whether waiting does not help. */
  boolean isRefusal() {
    return isRefusal;
  }
}
