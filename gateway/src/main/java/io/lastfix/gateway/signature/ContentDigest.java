package io.lastfix.gateway.signature;

import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.Map;

/**
 * The header {@code Content-Digest} (RFC 9530): digests of the content as it is on the wire, so
 * still compressed if it has a content encoding.
 */
public final class ContentDigest {
  private static final String FIELD = "Content-Digest";

  private final Map<DigestAlgorithm, byte[]> expected;

  private ContentDigest(Map<DigestAlgorithm, byte[]> expected) {
    this.expected = expected;
  }

  /** Reads the header: sha-256, sha-512 or both. */
  static ContentDigest parse(String value) throws SignatureRefusedException {
    Map<DigestAlgorithm, byte[]> expected = new EnumMap<>(DigestAlgorithm.class);
    for (Map.Entry<String, byte[]> digest : new FieldParser(FIELD, value).digests().entrySet()) {
      DigestAlgorithm algorithm = algorithm(digest.getKey());
      if (digest.getValue().length != algorithm.start().getDigestLength()) {
        throw new SignatureRefusedException(
            RefusalReason.MALFORMED,
            "%s: %s has to have %d bytes"
                .formatted(FIELD, algorithm.headerName(), algorithm.start().getDigestLength()));
      }
      expected.put(algorithm, digest.getValue());
    }
    return new ContentDigest(expected);
  }

  private static DigestAlgorithm algorithm(String name) throws SignatureRefusedException {
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      if (algorithm.headerName().equals(name)) {
        return algorithm;
      }
    }
    throw new SignatureRefusedException(
        RefusalReason.UNSUPPORTED_DIGEST,
        FIELD + " has an unsupported algorithm: send sha-256, sha-512 or both");
  }

  /**
   * Checks a whole content.
   *
   * @throws SignatureRefusedException if a digest differs
   */
  public void require(byte[] content) throws SignatureRefusedException {
    for (Map.Entry<DigestAlgorithm, byte[]> digest : expected.entrySet()) {
      byte[] found = digest.getKey().start().digest(content);
      if (!MessageDigest.isEqual(found, digest.getValue())) {
        throw new SignatureRefusedException(
            RefusalReason.WRONG_DIGEST,
            "The content does not have the %s of Content-Digest: compute it over the bytes as sent, after compression"
                .formatted(digest.getKey().headerName()));
      }
    }
  }
}
