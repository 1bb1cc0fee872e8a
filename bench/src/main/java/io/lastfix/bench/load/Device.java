package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RequestHead;
import io.lastfix.gateway.signature.RequestHeaders;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureRefusedException;
import io.lastfix.gateway.signature.SignedMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A registered device, which writes and signs its requests.
 *
 * @param name its id
 * @param signer with its secret
 */
record Device(String name, RequestSigner signer) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LABEL = "lastfix";
  private static final Map<String, String> JSON_TYPE = Map.of("content-type", "application/json");

  /** Reads the answer to a registration. */
  static Device of(byte[] answer) throws IOException {
    JsonNode json = JSON.readTree(answer);
    return new Device(
        json.path("device").asText(),
        new RequestSigner(
            LABEL,
            json.path("keyid").asText(),
            Base64.getDecoder().decode(json.path("secret").asText()),
            SignaturePolicy.OF_DEVICES));
  }

  /** A device that never signs. */
  static Device unsigned(String name) {
    return new Device(
        name, new RequestSigner(LABEL, name, new byte[1], SignaturePolicy.OF_DEVICES));
  }

  /** A signed request as bytes on the wire. */
  byte[] request(String path, byte[] body, Instant created) {
    try {
      Map<String, String> headers = new LinkedHashMap<>(JSON_TYPE);
      headers.putAll(
          signer.sign(
              new RequestHead("POST", path, null, headers(headers)),
              body,
              DigestAlgorithm.SHA_256,
              created));
      return request(path, headers, body);
    } catch (SignatureRefusedException e) {
      throw new IllegalStateException("a request of the benchmark cannot be signed", e);
    }
  }

  /** The user properties of a signed message. */
  Map<String, String> properties(String topic, byte[] body, Instant created) {
    try {
      return signer.sign(
          SignedMessage.head(topic, List.of()), body, DigestAlgorithm.SHA_256, created);
    } catch (SignatureRefusedException e) {
      throw new IllegalStateException("a message of the benchmark cannot be signed", e);
    }
  }

  private static RequestHeaders headers(Map<String, String> headers) {
    return RequestHeaders.of(List.copyOf(headers.entrySet()));
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
