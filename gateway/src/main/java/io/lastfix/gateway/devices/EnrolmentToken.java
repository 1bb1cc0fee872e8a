package io.lastfix.gateway.devices;

import io.lastfix.kit.digest.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Enrolment tokens: 256 random bits, {@code lfe1.<43 characters>}. The topic holds their SHA-256
 * only. 256 bits cannot be guessed, so no salt or slow hash is needed.
 */
public final class EnrolmentToken {
  private static final String PREFIX = "lfe1.";
  private static final int BYTES = 32;

  private EnrolmentToken() {}

  /** Makes a token. Print it once: only its hash is stored. */
  public static String generate(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The hash of a token, as a group has it. */
  public static String hash(String token) {
    return Sha256.hex(token);
  }
}
