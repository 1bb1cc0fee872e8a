package io.lastfix.store.digest;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 (FIPS 180-4), which every Java platform provides ({@link MessageDigest}). The stack has
 * its own copy of this line, because it depends on no other module; the audit's {@code
 * HistoryLayout} has one, because a proof shares no code with what it proves.
 */
public final class Sha256 {
  private Sha256() {}

  /**
   * Creates a digest of nothing yet; it is for one thread, and can be used again after a result.
   */
  public static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
