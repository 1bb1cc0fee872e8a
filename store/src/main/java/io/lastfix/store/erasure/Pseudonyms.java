package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes pseudonyms: the first {@value #BYTES} bytes of HMAC-SHA-256 (RFC 2104) of the user id in
 * UTF-8, as 32 lower-case hexadecimal digits. Without the key nobody can tell whose one is, nor
 * make one; with it, nobody can compute the id back, but whoever has a list of all ids can look it
 * up.
 *
 * <p>Not thread-safe: it goes on using one {@link Mac}.
 */
public final class Pseudonyms {
  private static final String ALGORITHM = "HmacSHA256";

  /** Among a billion users, the odds that any two share one are 1 to 10^21. */
  private static final int BYTES = 16;

  private final Mac mac;

  /** With that key. */
  public Pseudonyms(PseudonymKey key) {
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.bytes(), ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
    }
  }

  /** The pseudonym of that user. */
  public String of(String user) {
    return HexFormat.of().formatHex(mac.doFinal(user.getBytes(UTF_8)), 0, BYTES);
  }
}
