package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes pseudonyms: the first {@value #BYTES} bytes of HMAC-SHA-256 (RFC 2104) of the user id in
 * UTF-8, as 32 lower-case hexadecimal digits. Without the key, a pseudonym can be neither computed
 * nor linked to a user. With the key, the id cannot be computed back, but a list of all ids is
 * enough to look it up.
 *
 * <p>Not thread-safe: it reuses one {@link Mac}.
 */
public final class Pseudonyms {
  private static final String ALGORITHM = "HmacSHA256";

  /** Among a billion users, the probability that any two share a pseudonym is 1 in 10^21. */
  private static final int BYTES = 16;

  private final Mac mac;

  /** Creates pseudonyms with this key. */
  public Pseudonyms(PseudonymKey key) {
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.bytes(), ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
    }
  }

  /** Returns the pseudonym of the user. */
  public String of(String user) {
    return HexFormat.of().formatHex(mac.doFinal(user.getBytes(UTF_8)), 0, BYTES);
  }
}
