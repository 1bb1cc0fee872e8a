package io.lastfix.gateway.signature;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC with SHA-256 (RFC 2104). */
public final class HmacSha256 {
  /** The bytes of a result. */
  public static final int LENGTH = 32;

  private static final String NAME = "HmacSHA256";

  private HmacSha256() {}

  /** Computes the code of a message. */
  public static byte[] of(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(NAME);
      mac.init(new SecretKeySpec(key, NAME));
      return mac.doFinal(message);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("Every Java has " + NAME, e);
    }
  }
}
