package io.lastfix.gateway.signature;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Signs requests as a device does, also for tests of other modules. */
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
    String digest = contentDigest(algorithm, content);
    List<Map.Entry<String, String>> headers = new ArrayList<>(head.headers());
    headers.removeIf(line -> line.getKey().equalsIgnoreCase(Component.CONTENT_DIGEST));
    headers.add(Map.entry(Component.CONTENT_DIGEST, digest));
    RequestHead withDigest = new RequestHead(head.method(), head.path(), head.query(), headers);
    Map<String, String> signed = new LinkedHashMap<>();
    signed.put(Component.CONTENT_DIGEST, digest);
    signed.putAll(signOver(withDigest, policy.components(withDigest), created));
    return signed;
  }

  /** Returns the header {@code Content-Digest} of a content. */
  static String contentDigest(DigestAlgorithm algorithm, byte[] content) {
    return "%s=:%s:"
        .formatted(
            algorithm.headerName(),
            Base64.getEncoder().encodeToString(algorithm.start().digest(content)));
  }

  /** Returns the head of a request whose target, with its query, is in origin form. */
  public static RequestHead head(
      String method, String target, List<Map.Entry<String, String>> headers) {
    int question = target.indexOf('?');
    return question < 0
        ? new RequestHead(method, target, null, headers)
        : new RequestHead(
            method, target.substring(0, question), target.substring(question + 1), headers);
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
