package io.lastfix.gateway.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The algorithms of {@code Content-Digest} that RFC 9530 calls active. */
public enum DigestAlgorithm {
  SHA_256("sha-256"),
  SHA_512("sha-512");

  private final String headerName;

  DigestAlgorithm(String headerName) {
    this.headerName = headerName;
  }

  /** Its name in the header, which is also that in Java, where case does not matter. */
  public String headerName() {
    return headerName;
  }

  MessageDigest start() {
    try {
      return MessageDigest.getInstance(headerName);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has " + headerName, e);
    }
  }
}
