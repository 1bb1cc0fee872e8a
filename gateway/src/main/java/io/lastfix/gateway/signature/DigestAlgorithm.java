package io.lastfix.gateway.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The algorithms of {@code Content-Digest} that RFC 9530 calls active. */
public enum DigestAlgorithm {
  SHA_256("sha-256", "SHA-256"),
  SHA_512("sha-512", "SHA-512");

  private final String headerName;
  private final String javaName;

  DigestAlgorithm(String headerName, String javaName) {
    this.headerName = headerName;
    this.javaName = javaName;
  }

  /** Its name in the header. */
  public String headerName() {
    return headerName;
  }

  MessageDigest start() {
    try {
      return MessageDigest.getInstance(javaName);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has " + javaName, e);
    }
  }
}
