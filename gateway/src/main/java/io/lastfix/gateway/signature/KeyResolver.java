package io.lastfix.gateway.signature;

/** Finds the secret for a {@code keyid}. */
@FunctionalInterface
public interface KeyResolver {
  /**
   * Returns the secret.
   *
   * @throws SignatureRefusedException if there is none, with {@link RefusalReason#UNKNOWN_KEY}
   */
  byte[] secret(String keyid) throws SignatureRefusedException;
}
