package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Serializable;

/**
 * The secret that pseudonyms are made with. It travels to the cluster with the job, so {@link
 * #toString()} leaves it out.
 *
 * @param secret at least {@value #MIN_BYTES} bytes in UTF-8; with another one every user gets
 *     another pseudonym
 */
public record PseudonymKey(String secret) implements Serializable {
  /** As many as a pseudonym has: a shorter key would be guessed before it. */
  public static final int MIN_BYTES = 16;

  public PseudonymKey {
    if (secret.getBytes(UTF_8).length < MIN_BYTES) {
      // Without the number found, which would say something of a secret.
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
