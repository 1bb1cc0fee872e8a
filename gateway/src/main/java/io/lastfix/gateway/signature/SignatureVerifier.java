package io.lastfix.gateway.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the signature of a request: RFC 9421 with {@code hmac-sha256}. It is stricter than the
 * RFC: one signature, a fixed set of components, the canonical form only.
 *
 * <p>{@link #verifyHead} needs no content, so a request can be refused before its content is read;
 * the caller then checks {@link VerifiedSignature#digest()}.
 *
 * @param policy what a signature has to cover, and how old it may be
 */
public record SignatureVerifier(SignaturePolicy policy) {
  /** The name of the one algorithm. */
  public static final String ALGORITHM = "hmac-sha256";

  static final String SIGNATURE = "signature";
  static final String SIGNATURE_INPUT = "signature-input";

  private static final Set<String> PARAMETERS =
      Set.of(
          SignatureInput.CREATED,
          SignatureInput.EXPIRES,
          SignatureInput.KEYID,
          SignatureInput.ALG,
          "nonce",
          "tag");

  /**
   * Verifies the signature; the content's digest remains to be checked.
   *
   * @param now the instant that the signature's time is compared with
   */
  public VerifiedSignature verifyHead(RequestHead head, KeyResolver keys, Instant now)
      throws SignatureRefusedException {
    SignatureInput input = verifyInput(head, keys, now);
    return new VerifiedSignature(
        String.valueOf(input.string(SignatureInput.KEYID)),
        created(input),
        ContentDigest.parse(Component.single(Component.CONTENT_DIGEST, head)),
        SignatureEvidence.of(head));
  }

  /** Verifies the signature, whatever the policy says about the content. */
  SignatureInput verifyInput(RequestHead head, KeyResolver keys, Instant now)
      throws SignatureRefusedException {
    SignatureInput input =
        new FieldParser("Signature-Input", header(SIGNATURE_INPUT, head)).signatureInput();
    Map.Entry<String, byte[]> signature =
        new FieldParser("Signature", header(SIGNATURE, head)).signature();
    if (!signature.getKey().equals(input.label())) {
      throw new SignatureRefusedException(
          RefusalReason.LABEL_MISMATCH,
          "Signature and Signature-Input have different labels: use one label for both");
    }
    requireParameters(input);
    policy.require(input.components(), head);
    requireInTime(input, now);
    String keyid = input.string(SignatureInput.KEYID);
    if (keyid == null) {
      throw missing(SignatureInput.KEYID);
    }
    byte[] base = input.base(head).getBytes(StandardCharsets.US_ASCII);
    byte[] expected = HmacSha256.of(keys.secret(keyid), base);
    // Takes the same time wherever the first difference is.
    if (!MessageDigest.isEqual(expected, signature.getValue())) {
      throw new SignatureRefusedException(
          RefusalReason.WRONG_SIGNATURE,
          "The signature is not that of this request: compare your signature base with RFC 9421 section 2.5, and check the secret");
    }
    return input;
  }

  private static String header(String name, RequestHead head) throws SignatureRefusedException {
    if (head.values(name).isEmpty()) {
      throw new SignatureRefusedException(
          RefusalReason.NOT_SIGNED,
          "The request has no header %s: sign it by RFC 9421 with %s".formatted(name, ALGORITHM));
    }
    return Component.single(name, head);
  }

  private static void requireParameters(SignatureInput input) throws SignatureRefusedException {
    if (!PARAMETERS.containsAll(input.parameters().keySet())) {
      throw new SignatureRefusedException(
          RefusalReason.UNSUPPORTED_PARAMETER,
          "Signature-Input has an unknown parameter: send created and keyid, and at most alg, expires, nonce and tag");
    }
    String algorithm = input.string(SignatureInput.ALG);
    if (algorithm != null && !algorithm.equals(ALGORITHM)) {
      throw new SignatureRefusedException(
          RefusalReason.UNSUPPORTED_ALGORITHM,
          "Signature-Input names an unsupported alg: use " + ALGORITHM);
    }
    // Of no meaning here, but of a wrong type they would not be what RFC 9421 says.
    input.string("nonce");
    input.string("tag");
  }

  private void requireInTime(SignatureInput input, Instant now) throws SignatureRefusedException {
    Instant created = created(input);
    if (created.isBefore(now.minus(policy.maxAge()))) {
      throw new SignatureRefusedException(
          RefusalReason.STALE, clocks("created is %d s ago", created, now, policy.maxAge()));
    }
    if (created.isAfter(now.plus(policy.maxAhead()))) {
      throw new SignatureRefusedException(
          RefusalReason.AHEAD, clocks("created is %d s ahead", now, created, policy.maxAhead()));
    }
    Long expires = input.number(SignatureInput.EXPIRES);
    if (expires != null && Instant.ofEpochSecond(expires).isBefore(now)) {
      throw new SignatureRefusedException(
          RefusalReason.EXPIRED, "The signature has expired: sign each request when you send it");
    }
  }

  private static String clocks(String words, Instant earlier, Instant later, Duration tolerance) {
    return (words
            + ", and may differ from the server's clock by %d s: sign each try anew, and correct the device's clock; an answer over HTTP has the server's time in its header Date")
        .formatted(later.getEpochSecond() - earlier.getEpochSecond(), tolerance.toSeconds());
  }

  private static Instant created(SignatureInput input) throws SignatureRefusedException {
    @Nullable Long seconds = input.number(SignatureInput.CREATED);
    if (seconds == null) {
      throw missing(SignatureInput.CREATED);
    }
    return Instant.ofEpochSecond(seconds);
  }

  private static SignatureRefusedException missing(String parameter) {
    return new SignatureRefusedException(
        RefusalReason.MISSING_PARAMETER,
        "Signature-Input has no %s: add it after the components".formatted(parameter));
  }
}
