package io.lastfix.gateway.signature;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Requests as they are on the wire, and the device that signs them. */
final class SignedRequests {
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  static final String KEYID = "k1.fleet-a.00112233445566778899aabbccddeeff.1";
  static final byte[] SECRET = "a secret of exactly 32 characters".getBytes(StandardCharsets.UTF_8);
  static final KeyResolver KEYS =
      keyid -> {
        if (keyid.equals(KEYID)) {
          return SECRET.clone();
        }
        throw new SignatureRefusedException(RefusalReason.UNKNOWN_KEY, "no such key");
      };

  private SignedRequests() {}

  /** A request on the wire; a test changes a copy. */
  static final class Wire {
    String method;
    String target;
    final List<Map.Entry<String, String>> headers = new ArrayList<>();
    byte[] content;

    Wire(String method, String target, byte[] content) {
      this.method = method;
      this.target = target;
      this.content = content;
    }

    Wire(Wire other) {
      this(other.method, other.target, other.content.clone());
      headers.addAll(other.headers);
    }

    Wire with(String name, String value) {
      Wire copy = without(name);
      copy.headers.add(Map.entry(name, value));
      return copy;
    }

    Wire without(String name) {
      Wire copy = new Wire(this);
      copy.headers.removeIf(line -> line.getKey().equalsIgnoreCase(name));
      return copy;
    }

    Wire also(String name, String value) {
      Wire copy = new Wire(this);
      copy.headers.add(Map.entry(name, value));
      return copy;
    }

    String header(String name) {
      return head().values(name).get(0);
    }

    RequestHead head() {
      return RequestSigner.head(method, target, headers);
    }

    Wire signed(DigestAlgorithm algorithm) {
      return signed(algorithm, NOW);
    }

    Wire signed(DigestAlgorithm algorithm, Instant created) {
      Wire copy = new Wire(this);
      try {
        new RequestSigner("lastfix", KEYID, SECRET, SignaturePolicy.OF_DEVICES)
            .sign(head(), content, algorithm, created)
            .forEach((name, value) -> copy.headers.add(Map.entry(name, value)));
      } catch (SignatureRefusedException e) {
        throw new AssertionError(e);
      }
      return copy;
    }
  }

  static Wire json() {
    return new Wire(
            "POST",
            "/v1/records/json",
            "{\"user\":\"350000000007919\",\"ts\":1795176001001}".getBytes(StandardCharsets.UTF_8))
        .also("Host", "gateway.example")
        .also("Content-Type", "application/json")
        .also("User-Agent", "test/1.0");
  }

  /** A body that needs no real compression: nobody opens it here. */
  static Wire gzipWithQuery() {
    return new Wire("PUT", "/v1/records/a%20b?x=1&y=%2F", new byte[] {31, -117, 8, 0, 1, 2, 3})
        .also("Content-Type", "application/json; charset=utf-8")
        .also("Content-Encoding", "gzip");
  }

  static Wire empty() {
    return new Wire("GET", "/", new byte[0]);
  }

  static VerifiedSignature verify(Wire wire) throws SignatureRefusedException {
    return verify(wire.head(), wire.content);
  }

  static VerifiedSignature verify(RequestHead head, byte[] content)
      throws SignatureRefusedException {
    VerifiedSignature verified =
        new SignatureVerifier(SignaturePolicy.OF_DEVICES).verifyHead(head, KEYS, NOW);
    verified.digest().require(content);
    return verified;
  }
}
