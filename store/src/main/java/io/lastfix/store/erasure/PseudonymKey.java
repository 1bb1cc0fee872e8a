package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Serializable;

/**
 * The secret key of pseudonyms. It travels to the cluster with the job, so {@link #toString()}
 * leaves it out.
 *
 * @param secret at least {@value #MIN_BYTES} bytes in UTF-8; changing it changes every pseudonym
 */
public record PseudonymKey(String secret) implements Serializable {
  /** The length of a pseudonym: a shorter key would be easier to guess than the pseudonym. */
  public static final int MIN_BYTES = 16;

  public PseudonymKey {
    if (secret.getBytes(UTF_8).length < MIN_BYTES) {
      // The message leaves the length found out, which would reveal something about the secret.
      throw new IllegalArgumentException("expected %d bytes or more".formatted(MIN_BYTES));
    }
  }

  byte[] bytes() {
    return secret.getBytes(UTF_8);
  }

  @Override
  public String toString() {
    return "PseudonymKey[***]";
  }
}
