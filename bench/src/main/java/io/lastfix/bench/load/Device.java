package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.signature.HmacSha256;
import io.lastfix.gateway.signature.SignedMessage;
import io.lastfix.kit.digest.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A registered device, which writes and signs its requests.
 *
 * @param name its id
 * @param keyid of its signatures
 * @param secret to sign with
 */
// Used by its owner alone, and never compared.
@SuppressWarnings("ArrayRecordComponent")
record Device(String name, String keyid, byte[] secret) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> JSON_TYPE = Map.of("content-type", "application/json");

  /** Reads the answer to a registration. */
  static Device of(byte[] answer) throws IOException {
    JsonNode json = JSON.readTree(answer);
    return new Device(
        json.path("device").asText(),
        json.path("keyid").asText(),
        Base64.getDecoder().decode(json.path("secret").asText()));
  }

  /** A device that never signs. */
  static Device unsigned(String name) {
    return new Device(name, name, new byte[1]);
  }

  /** A signed request as bytes on the wire. */
  byte[] request(String path, byte[] body, Instant created) {
    Map<String, String> headers = new LinkedHashMap<>(JSON_TYPE);
    headers.putAll(signature("POST", path, JSON_TYPE, body, created));
    return request(path, headers, body);
  }

  /** The user properties of a signed message. */
  Map<String, String> properties(String topic, byte[] body, Instant created) {
    return signature(SignedMessage.METHOD, "/" + topic, Map.of(), body, created);
  }

  /** The headers that sign a request without a query by RFC 9421 and RFC 9530. */
  private Map<String, String> signature(
      String method, String path, Map<String, String> headers, byte[] body, Instant created) {
    Map<String, String> covered = new LinkedHashMap<>();
    covered.put("@method", method);
    covered.put("@path", path);
    covered.put("@query", "?");
    covered.put("content-digest", "sha-256=" + base64(Sha256.create().digest(body)));
    covered.putAll(headers);
    String parameters =
        covered.keySet().stream()
            .map(name -> '"' + name + '"')
            .collect(
                Collectors.joining(
                    " ",
                    "(",
                    ");created=%d;keyid=\"%s\"".formatted(created.getEpochSecond(), keyid)));
    StringBuilder base = new StringBuilder();
    covered.forEach(
        (name, value) -> base.append('"').append(name).append("\": ").append(value).append('\n'));
    base.append("\"@signature-params\": ").append(parameters);
    byte[] code = HmacSha256.of(secret, base.toString().getBytes(US_ASCII));
    return Map.of(
        "content-digest", covered.get("content-digest"),
        "signature-input", "lastfix=" + parameters,
        "signature", "lastfix=" + base64(code));
  }

  private static String base64(byte[] bytes) {
    return ":" + Base64.getEncoder().encodeToString(bytes) + ":";
  }

  /** A request as bytes on the wire. */
  static byte[] request(String path, Map<String, String> headers, byte[] body) {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nhost: bench\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("content-length: ").append(body.length).append("\r\n\r\n");
    ByteArrayOutputStream out = new ByteArrayOutputStream(head.length() + body.length);
    out.writeBytes(head.toString().getBytes(US_ASCII));
    out.writeBytes(body);
    return out.toByteArray();
  }
}
