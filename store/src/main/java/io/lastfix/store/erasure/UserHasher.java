package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes {@link UserHash}es. Not thread-safe: it reuses one digest. */
public final class UserHasher {
  private final MessageDigest sha256;

  public UserHasher() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /**
   * Returns the hash of a user.
   *
   * @param storedAs name in both collections: the pseudonym if the job uses pseudonyms
   */
  public UserHash hash(String storedAs) {
    return UserHash.ofBytes(sha256.digest(storedAs.getBytes(UTF_8)));
  }
}
