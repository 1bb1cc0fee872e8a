package io.lastfix.gateway.signature;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Signs requests as a device does, for tests, examples and load generators. */
public final class RequestSigner {
  private final String label;
  private final String keyid;
  private final byte[] secret;
  private final SignaturePolicy policy;

  /**
   * A signer with a device's secret.
   *
   * @param label name of the signature
   */
  public RequestSigner(String label, String keyid, byte[] secret, SignaturePolicy policy) {
    this.label = label;
    this.keyid = keyid;
    this.secret = secret.clone();
    this.policy = policy;
  }

  /**
   * Returns the headers to add to a request: {@code content-digest}, {@code signature-input} and
   * {@code signature}.
   *
   * @param head the request with all its other headers
   */
  public Map<String, String> sign(
      RequestHead head, byte[] content, DigestAlgorithm algorithm, Instant created)
      throws SignatureRefusedException {
    String digest = ContentDigest.header(algorithm, content);
    RequestHeaders headers =
        name ->
            name.equals(Component.CONTENT_DIGEST) ? List.of(digest) : head.headers().values(name);
    Map<String, String> signed = new LinkedHashMap<>();
    signed.put(Component.CONTENT_DIGEST, digest);
    signed.putAll(
        signOver(
            new RequestHead(head.method(), head.path(), head.query(), headers),
            policy.components(headers),
            created));
    return signed;
  }

  /** Returns the headers of a signature over these components. */
  Map<String, String> signOver(RequestHead head, List<String> components, Instant created)
      throws SignatureRefusedException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put(SignatureInput.CREATED, created.getEpochSecond());
    parameters.put(SignatureInput.KEYID, keyid);
    SignatureInput input = new SignatureInput(label, new ArrayList<>(components), parameters);
    byte[] base = input.base(head).getBytes(StandardCharsets.US_ASCII);
    Map<String, String> signed = new LinkedHashMap<>();
    signed.put(SignatureVerifier.SIGNATURE_INPUT, label + "=" + input.canonical());
    signed.put(
        SignatureVerifier.SIGNATURE,
        "%s=:%s:"
            .formatted(label, Base64.getEncoder().encodeToString(HmacSha256.of(secret, base))));
    return signed;
  }
}
