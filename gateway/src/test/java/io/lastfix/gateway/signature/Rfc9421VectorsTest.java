package io.lastfix.gateway.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 9421 (HTTP message signatures) and RFC 9530 (digests). */
class Rfc9421VectorsTest {
  /** RFC 9421 B.1.5, test-shared-secret. */
  private static final byte[] SHARED_SECRET =
      Base64.getDecoder()
          .decode(
              "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==");

  private static final Instant CREATED = Instant.ofEpochSecond(1_618_884_473);
  private static final List<String> COVERED = List.of("date", "@authority", "content-type");
  private static final String INPUT =
      "sig-b25=(\"date\" \"@authority\" \"content-type\");created=1618884473;keyid=\"test-shared-secret\"";
  private static final String SIGNATURE = "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:";
  private static final byte[] CONTENT = "{\"hello\": \"world\"}".getBytes(StandardCharsets.UTF_8);

  /** RFC 9421 B.2, test-request. */
  private static final List<Map.Entry<String, String>> HEADERS =
      List.of(
          Map.entry("Host", "example.com"),
          Map.entry("Date", "Tue, 20 Apr 2021 02:07:55 GMT"),
          Map.entry("Content-Type", "application/json"),
          Map.entry("Content-Length", "18"));

  private static final RequestHead REQUEST =
      RequestSigner.head("POST", "/foo?param=Value&Pet=dog", HEADERS);

  private static final SignatureVerifier VERIFIER =
      new SignatureVerifier(new SignaturePolicy(COVERED, List.of(), Duration.ZERO, Duration.ZERO));

  @Test
  void theSignatureOfB25IsMade() throws SignatureRefusedException {
    RequestSigner signer =
        new RequestSigner(
            "sig-b25", "test-shared-secret", SHARED_SECRET, SignaturePolicy.OF_DEVICES);

    assertThat(signer.signOver(REQUEST, COVERED, CREATED))
        .containsEntry("signature-input", INPUT)
        .containsEntry("signature", SIGNATURE);
  }

  @Test
  void theSignatureOfB25IsAccepted() throws SignatureRefusedException {
    assertThat(VERIFIER.verifyInput(signed(SIGNATURE), keyid -> SHARED_SECRET, CREATED).label())
        .isEqualTo("sig-b25");
  }

  @Test
  void theSignatureOfB25WithOneOtherCharacterIsRefused() {
    assertThatThrownBy(
            () ->
                VERIFIER.verifyInput(
                    signed(SIGNATURE.replace("pxc", "qxc")), keyid -> SHARED_SECRET, CREATED))
        .hasMessageStartingWith("The signature is not that of this request");
  }

  @Test
  void theSignatureBaseOfB25IsThatOfTheRfc() throws SignatureRefusedException {
    assertThat(new FieldParser("Signature-Input", INPUT).signatureInput().base(REQUEST))
        .isEqualTo(
            """
            "date": Tue, 20 Apr 2021 02:07:55 GMT
            "@authority": example.com
            "content-type": application/json
            "@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret\"""");
  }

  /** Sections 2.2.6 and 2.2.7. */
  @ParameterizedTest
  @CsvSource({
    "/path?param=value, /path, ?param=value",
    "/path, /path, ?",
    "/path?, /path, ?",
    "/path?param=value&foo=bar&baz=bat%2Dman, /path, ?param=value&foo=bar&baz=bat%2Dman",
    "/path?queryString, /path, ?queryString",
    "'', /, ?",
  })
  void pathAndQueryAreTakenAsTheyAre(String target, String path, String query)
      throws SignatureRefusedException {
    RequestHead head = RequestSigner.head("POST", target, List.of());

    assertThat(Component.value("@path", head)).isEqualTo(path);
    assertThat(Component.value("@query", head)).isEqualTo(query);
  }

  /** Section 2.1. */
  @Test
  void linesOfOneFieldAreJoinedWithoutTheBlanksAroundThem() throws SignatureRefusedException {
    RequestHead head =
        RequestSigner.head(
            "GET",
            "/",
            List.of(
                Map.entry("Cache-Control", "max-age=60"),
                Map.entry("cache-control", "   must-revalidate ")));

    assertThat(Component.value("cache-control", head)).isEqualTo("max-age=60, must-revalidate");
  }

  /** RFC 9530 appendix D, and RFC 9421 B.2. */
  @ParameterizedTest
  @CsvSource({
    "SHA_256, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
    "SHA_512, sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
  })
  void theDigestsAreThoseOfTheRfc(DigestAlgorithm algorithm, String header)
      throws SignatureRefusedException {
    assertThat(RequestSigner.contentDigest(algorithm, CONTENT)).isEqualTo(header);
    ContentDigest.parse(header).require(CONTENT);
  }

  private static RequestHead signed(String signature) {
    List<Map.Entry<String, String>> headers = new ArrayList<>(HEADERS);
    headers.add(Map.entry("Signature-Input", INPUT));
    headers.add(Map.entry("Signature", signature));
    return RequestSigner.head("POST", "/foo?param=Value&Pet=dog", headers);
  }
}
