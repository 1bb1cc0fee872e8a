package io.lastfix.gateway.signature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that a signature covers apart from the content, and the signature: as headers of the
 * Kafka record, it proves later who sent the record's bytes.
 *
 * @param headers names and values, in a fixed order
 */
public record SignatureEvidence(Map<String, String> headers) {
  /** The headers' names are those of the request, but for the three parts of its first line. */
  public static final String METHOD = "method";

  public static final String PATH = "path";
  public static final String QUERY = "query";

  private static final List<String> KEPT =
      List.of(
          SignatureVerifier.SIGNATURE_INPUT,
          SignatureVerifier.SIGNATURE,
          Component.CONTENT_DIGEST,
          Component.CONTENT_TYPE,
          Component.CONTENT_ENCODING);

  /** The evidence of a request. */
  static SignatureEvidence of(RequestHead head) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(METHOD, head.method());
    headers.put(PATH, head.path());
    if (head.query() != null) {
      headers.put(QUERY, head.query());
    }
    for (String name : KEPT) {
      List<String> values = head.values(name);
      if (!values.isEmpty()) {
        headers.put(name, values.get(0));
      }
    }
    return new SignatureEvidence(headers);
  }

  /**
   * The head of the request, to be verified again; at the instant when it was received, since a
   * signature gets too old.
   */
  public RequestHead head() {
    List<Map.Entry<String, String>> lines = new ArrayList<>(headers.entrySet());
    lines.removeIf(line -> !KEPT.contains(line.getKey()));
    return new RequestHead(
        headers.getOrDefault(METHOD, ""),
        headers.getOrDefault(PATH, ""),
        headers.get(QUERY),
        lines);
  }
}
