package io.lastfix.notify.config;

import java.util.Arrays;
import java.util.Base64;

/** A secret that signs webhooks, as the Standard Webhooks specification writes it. */
public final class WebhookSecret {
  /** Begins each secret. */
  public static final String PREFIX = "whsec_";

  /** What a text has to be. */
  public static final String EXPECTED = PREFIX + " and 24 to 64 bytes as base64";

  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;

  private final byte[] key;

  private WebhookSecret(byte[] key) {
    this.key = key;
  }

  /**
   * Reads a secret.
   *
   * @throws IllegalArgumentException if it is none; the message has no part of it
   */
  public static WebhookSecret parse(String text) {
    byte[] key = text.startsWith(PREFIX) ? decoded(text.substring(PREFIX.length())) : new byte[0];
    if (key.length < SHORTEST || key.length > LONGEST) {
      throw new IllegalArgumentException("expected " + EXPECTED);
    }
    return new WebhookSecret(key);
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // Its message quotes a character.
      return new byte[0];
    }
  }

  /** Returns the key of the HMAC. */
  public byte[] key() {
    return key.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WebhookSecret secret && Arrays.equals(key, secret.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
