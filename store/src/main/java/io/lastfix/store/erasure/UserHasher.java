package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.kit.digest.Sha256;
import java.security.MessageDigest;

/** Computes {@link UserHash}es. Not thread-safe: it reuses one digest. */
public final class UserHasher {
  private final MessageDigest sha256 = Sha256.create();

  /**
   * Returns the hash of a user.
   *
   * @param storedAs name in both collections: the pseudonym if the job uses pseudonyms
   */
  public UserHash hash(String storedAs) {
    return UserHash.ofBytes(sha256.digest(storedAs.getBytes(UTF_8)));
  }
}
