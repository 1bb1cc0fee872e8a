package io.lastfix.gateway.signature;

import static io.lastfix.gateway.signature.SignedRequests.KEYID;
import static io.lastfix.gateway.signature.SignedRequests.NOW;
import static io.lastfix.gateway.signature.SignedRequests.json;
import static io.lastfix.gateway.signature.SignedRequests.verify;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lastfix.gateway.signature.SignedRequests.Wire;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureVerifierTest {
  private static final Wire SIGNED = json().signed(DigestAlgorithm.SHA_256);

  @ParameterizedTest
  @EnumSource
  void aSignedRequestIsAcceptedWithEachDigest(DigestAlgorithm algorithm)
      throws SignatureRefusedException {
    for (Wire wire : List.of(json(), SignedRequests.gzipWithQuery(), SignedRequests.empty())) {
      VerifiedSignature verified = verify(wire.signed(algorithm));

      assertThat(verified.keyid()).isEqualTo(KEYID);
      assertThat(verified.created()).isEqualTo(NOW);
    }
  }

  @Test
  void bothDigestsMayBeSentAndBothHaveToMatch() throws SignatureRefusedException {
    String both =
        RequestSigner.contentDigest(DigestAlgorithm.SHA_256, SIGNED.content)
            + ", "
            + RequestSigner.contentDigest(DigestAlgorithm.SHA_512, SIGNED.content);

    ContentDigest.parse(both).require(SIGNED.content);
    assertThat(
            refusal(
                () ->
                    ContentDigest.parse(
                            RequestSigner.contentDigest(DigestAlgorithm.SHA_256, SIGNED.content)
                                + ", "
                                + RequestSigner.contentDigest(DigestAlgorithm.SHA_512, new byte[1]))
                        .require(SIGNED.content)))
        .hasMessageContaining("does not have the sha-512 of Content-Digest");
  }

  @ParameterizedTest
  @ValueSource(longs = {-300, 0, 300})
  void aClockMayDifferByFiveMinutes(long seconds) {
    Wire wire = json().signed(DigestAlgorithm.SHA_256, NOW.plusSeconds(seconds));

    assertThatCode(() -> verify(wire)).doesNotThrowAnyException();
  }

  @Test
  void theMessageOfAStaleRequestSaysByHowMuchAndWhatToDo() {
    assertThat(refusal(() -> verify(json().signed(DigestAlgorithm.SHA_256, NOW.minusSeconds(301)))))
        .hasMessage(
            "created is 301 s ago, and may differ from the server's clock by 300 s: sign each try anew, and correct the device's clock; an answer over HTTP has the server's time in its header Date")
        .extracting(SignatureRefusedException::reason)
        .isEqualTo(RefusalReason.STALE);
  }

  @Test
  void aRequestFromTheFutureIsRefused() {
    assertThat(refusal(() -> verify(json().signed(DigestAlgorithm.SHA_256, NOW.plusSeconds(301)))))
        .hasMessageStartingWith("created is 301 s ahead")
        .extracting(SignatureRefusedException::reason)
        .isEqualTo(RefusalReason.AHEAD);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aChangedRequestIsRefusedWithItsReason(
      String change, UnaryOperator<Wire> changed, RefusalReason reason, String words) {
    SignatureRefusedException refused = refusal(() -> verify(changed.apply(SIGNED)));

    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused).hasMessageContaining(words);
    assertThat(refused.getStackTrace()).isEmpty();
  }

  private static Stream<Arguments> changes() {
    return Stream.of(
        change(
            "no signature",
            w -> w.without("signature"),
            RefusalReason.NOT_SIGNED,
            "has no header signature: sign it by RFC 9421"),
        change(
            "no input",
            w -> w.without("signature-input"),
            RefusalReason.NOT_SIGNED,
            "has no header signature-input"),
        change(
            "no digest",
            w -> w.without("content-digest"),
            RefusalReason.MISSING_COMPONENT,
            "no such header"),
        change(
            "another method",
            w -> method(w, "PUT"),
            RefusalReason.WRONG_SIGNATURE,
            "check the secret"),
        change(
            "another path",
            w -> target(w, "/v1/records/xml"),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"),
        change(
            "a query", w -> target(w, w.target + "?a"), RefusalReason.WRONG_SIGNATURE, "RFC 9421"),
        change(
            "another type",
            w -> w.with("Content-Type", "text/plain"),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"),
        change(
            "no type",
            w -> w.without("Content-Type"),
            RefusalReason.MISSING_COMPONENT,
            "covers content-type, but the request has no such header"),
        change(
            "an encoding that is not covered",
            w -> w.also("Content-Encoding", "gzip"),
            RefusalReason.MISSING_COMPONENT,
            "does not cover content-encoding: cover @method, @path, @query, content-digest, content-type, content-encoding"),
        change(
            "two types",
            w -> w.also("content-type", "text/plain"),
            RefusalReason.REPEATED_HEADER,
            "content-type is there 2 times"),
        change(
            "two digests",
            w -> w.also("content-digest", w.header("content-digest")),
            RefusalReason.REPEATED_HEADER,
            "send it once"),
        change(
            "two signature headers",
            w -> w.also("signature", w.header("signature")),
            RefusalReason.REPEATED_HEADER,
            "send it once"),
        change(
            "two inputs",
            w -> w.also("signature-input", w.header("signature-input")),
            RefusalReason.REPEATED_HEADER,
            "send it once"),
        change(
            "a folded header",
            w -> w.with("Content-Type", "application/\r\n json"),
            RefusalReason.UNPRINTABLE,
            "content-type has a character at index 12"),
        change(
            "a header with an umlaut",
            w -> w.with("Content-Type", "ä"),
            RefusalReason.UNPRINTABLE,
            "not printable ASCII"),
        change(
            "one label twice",
            w -> edit(w, "signature", s -> s + ", " + s),
            RefusalReason.SEVERAL_SIGNATURES,
            "send one signature"),
        change(
            "a second signature",
            w -> edit(w, "signature-input", s -> s + ", b=(\"@method\");created=1;keyid=\"x\""),
            RefusalReason.SEVERAL_SIGNATURES,
            "send one signature"),
        change(
            "another label",
            w -> edit(w, "signature", s -> s.replace("lastfix=", "other=")),
            RefusalReason.LABEL_MISMATCH,
            "use one label"),
        change(
            "the path left out",
            w -> edit(w, "signature-input", s -> s.replace(" \"@path\"", "")),
            RefusalReason.MISSING_COMPONENT,
            "does not cover @path"),
        change(
            "a component twice",
            w -> edit(w, "signature-input", s -> s.replace("\"@path\"", "\"@path\" \"@path\"")),
            RefusalReason.REPEATED_COMPONENT,
            "twice"),
        change(
            "a component with a parameter",
            w -> edit(w, "signature-input", s -> s.replace("\"@path\"", "\"@path\";req")),
            RefusalReason.UNSUPPORTED_COMPONENT,
            "without any"),
        change(
            "one component more",
            w ->
                edit(w, "signature-input", s -> s.replace("\"@path\"", "\"@path\" \"user-agent\"")),
            RefusalReason.UNSUPPORTED_COMPONENT,
            "cover exactly @method"),
        change(
            "another order",
            w ->
                edit(
                    w,
                    "signature-input",
                    s -> s.replace("\"@path\" \"@query\"", "\"@query\" \"@path\"")),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"),
        change(
            "no created",
            w -> edit(w, "signature-input", s -> s.replaceFirst(";created=\\d+", "")),
            RefusalReason.MISSING_PARAMETER,
            "has no created"),
        change(
            "no keyid",
            w -> edit(w, "signature-input", s -> s.replaceFirst(";keyid=.*", "")),
            RefusalReason.MISSING_PARAMETER,
            "has no keyid"),
        change(
            "another keyid",
            w -> edit(w, "signature-input", s -> s.replace("fleet-a", "fleet-b")),
            RefusalReason.UNKNOWN_KEY,
            "no such key"),
        change(
            "created as a string",
            w ->
                edit(w, "signature-input", s -> s.replaceFirst("created=(\\d+)", "created=\"$1\"")),
            RefusalReason.UNSUPPORTED_PARAMETER,
            "created has to be a whole number"),
        change(
            "created twice",
            w -> edit(w, "signature-input", s -> s + ";created=1"),
            RefusalReason.UNSUPPORTED_PARAMETER,
            "created twice"),
        change(
            "an unknown parameter",
            w -> edit(w, "signature-input", s -> s + ";x=1"),
            RefusalReason.UNSUPPORTED_PARAMETER,
            "unknown parameter"),
        change(
            "another algorithm",
            w -> edit(w, "signature-input", s -> s + ";alg=\"ed25519\""),
            RefusalReason.UNSUPPORTED_ALGORITHM,
            "use hmac-sha256"),
        change(
            "the algorithm added",
            w -> edit(w, "signature-input", s -> s + ";alg=\"hmac-sha256\""),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"),
        change(
            "expired",
            w -> edit(w, "signature-input", s -> s + ";expires=" + (NOW.getEpochSecond() - 1)),
            RefusalReason.EXPIRED,
            "sign each request when you send it"),
        change(
            "blanks after a semicolon",
            w -> edit(w, "signature-input", s -> s.replace(";", "; ")),
            RefusalReason.MALFORMED,
            "canonical form of RFC 8941"),
        change(
            "two blanks",
            w -> edit(w, "signature-input", s -> s.replace(" ", "  ")),
            RefusalReason.MALFORMED,
            "expected '\"' at index 19"),
        change(
            "no closing quote",
            w -> edit(w, "signature-input", s -> s.substring(0, s.length() - 1)),
            RefusalReason.MALFORMED,
            "a closing quote"),
        change(
            "a long input",
            w -> edit(w, "signature-input", s -> s + ";nonce=\"" + "x".repeat(5_000) + "\""),
            RefusalReason.MALFORMED,
            "at most 4096 characters"),
        change(
            "no base64",
            w -> w.with("signature", "lastfix=:!:"),
            RefusalReason.MALFORMED,
            "base64 between two colons"),
        change(
            "unused bits set",
            w -> edit(w, "signature", s -> s.replaceFirst(".=:$", "B=:")),
            RefusalReason.MALFORMED,
            "unused bits zero"),
        change(
            "an empty signature",
            w -> w.with("signature", "lastfix=::"),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"),
        change(
            "a truncated signature",
            w -> w.with("signature", "lastfix=:AAAA:"),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"),
        change(
            "other content",
            SignatureVerifierTest::otherContent,
            RefusalReason.WRONG_DIGEST,
            "over the bytes as sent, after compression"),
        change(
            "other content and its digest",
            w -> redigested(otherContent(w)),
            RefusalReason.WRONG_SIGNATURE,
            "RFC 9421"));
  }

  @Test
  void aDigestOfAnotherAlgorithmIsRefused() {
    assertThat(refusal(() -> ContentDigest.parse("md5=:AAAA:")))
        .hasMessage("Content-Digest has an unsupported algorithm: send sha-256, sha-512 or both")
        .extracting(SignatureRefusedException::reason)
        .isEqualTo(RefusalReason.UNSUPPORTED_DIGEST);
    assertThat(refusal(() -> ContentDigest.parse("sha-256=:AAAA:")))
        .hasMessageContaining("sha-256 has to have 32 bytes");
  }

  @Test
  void whatIsKeptOnTheRecordProvesTheSignatureLater() throws SignatureRefusedException {
    Wire wire = SignedRequests.gzipWithQuery().signed(DigestAlgorithm.SHA_512);
    SignatureEvidence evidence = verify(wire).evidence();

    assertThat(evidence.headers().keySet())
        .containsExactly(
            "method",
            "path",
            "query",
            "signature-input",
            "signature",
            "content-digest",
            "content-type",
            "content-encoding");
    SignatureEvidence read = new SignatureEvidence(evidence.headers());
    assertThatCode(() -> SignedRequests.verify(read.head(), wire.content))
        .doesNotThrowAnyException();
    wire.content[0]++;
    assertThat(refusal(() -> SignedRequests.verify(read.head(), wire.content)))
        .extracting(SignatureRefusedException::reason)
        .isEqualTo(RefusalReason.WRONG_DIGEST);
  }

  @Test
  void aQuoteInAKeyidIsEscapedAsTheRfcSays() throws SignatureRefusedException {
    String text = "a=(\"@method\");created=0;keyid=\"a\\\"b\\\\\"";
    SignatureInput input = new FieldParser("Signature-Input", text).signatureInput();

    assertThat(input.string("keyid")).isEqualTo("a\"b\\");
    assertThat("a=" + input.canonical()).isEqualTo(text);
  }

  @Test
  void aReasonIsAWordAndAStatus() {
    assertThat(RefusalReason.WRONG_DIGEST.code()).isEqualTo("wrong-digest");
    assertThat(RefusalReason.WRONG_DIGEST.status()).isEqualTo(401);
    assertThat(RefusalReason.DEVICE_DISABLED.status()).isEqualTo(403);
  }

  private static Arguments change(
      String name, UnaryOperator<Wire> change, RefusalReason reason, String words) {
    return Arguments.of(name, change, reason, words);
  }

  private static Wire method(Wire wire, String method) {
    Wire copy = new Wire(wire);
    copy.method = method;
    return copy;
  }

  private static Wire target(Wire wire, String target) {
    Wire copy = new Wire(wire);
    copy.target = target;
    return copy;
  }

  private static Wire edit(Wire wire, String header, UnaryOperator<String> edit) {
    return wire.with(header, edit.apply(wire.header(header)));
  }

  private static Wire otherContent(Wire wire) {
    Wire copy = new Wire(wire);
    copy.content[5] ^= 1;
    return copy;
  }

  private static Wire redigested(Wire wire) {
    return wire.with(
        "content-digest", RequestSigner.contentDigest(DigestAlgorithm.SHA_256, wire.content));
  }

  private static SignatureRefusedException refusal(ThrowingCallable call) {
    return catchThrowableOfType(SignatureRefusedException.class, call);
  }
}
