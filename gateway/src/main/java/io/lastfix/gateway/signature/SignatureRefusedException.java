package io.lastfix.gateway.signature;

/**
 * A request's signature is refused. The message says what was found and what to do; it never holds
 * a secret, a signature or a digest. There is no stack trace: refusals are an answer to a client,
 * and an attacker may cause many of them.
 */
public final class SignatureRefusedException extends Exception {
  private final RefusalReason reason;

  /** A refusal with the message that the client gets. */
  public SignatureRefusedException(RefusalReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Why. */
  public RefusalReason reason() {
    return reason;
  }
}
