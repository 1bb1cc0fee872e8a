package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.gateway.signature.SignedMessage;
import io.lastfix.gateway.signature.VerifiedSignature;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodiesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DEVICE = "00000000000000000000000000000001";

  @ParameterizedTest
  @ValueSource(ints = {500, 1_000, 33_000})
  void aBodyHasItsSizeAndRecordsOfItsDevice(int bytes) throws IOException {
    byte[] body = Bodies.records(DEVICE, bytes, 1_764_000_000_000L, new SplittableRandom(1));

    assertThat(body).hasSize(bytes);
    JsonNode records = JSON.readTree(body);
    assertThat(records).hasSizeGreaterThanOrEqualTo(bytes / 130);
    assertThat(records)
        .allSatisfy(record -> assertThat(record.path("user").asText()).isEqualTo(DEVICE));
    assertThat(records.findValuesAsText("ts")).doesNotHaveDuplicates();
  }

  @Test
  void allRegistrationsHaveOneManifest() throws IOException {
    JsonNode first = JSON.readTree(Bodies.registration("uuid-1"));
    JsonNode second = JSON.readTree(Bodies.registration("uuid-2"));

    assertThat(first.path("uuid").asText()).isEqualTo("uuid-1");
    assertThat(first.path("manifest").path("components")).hasSize(20);
    assertThat(first.path("manifest")).isEqualTo(second.path("manifest"));
  }

  @Test
  void aRequestHasTheLengthOfItsBodyAndASignature() throws IOException {
    Device device =
        Device.of(
            "{\"device\":\"%s\",\"keyid\":\"bench/k1/%s/1\",\"secret\":\"c2VjcmV0\"}"
                .formatted(DEVICE, DEVICE)
                .getBytes(UTF_8));
    byte[] body = Bodies.heartbeat(3, 60);

    String request =
        new String(
            device.request("/v1/heartbeat", body, Instant.ofEpochSecond(1_764_000_000L)), UTF_8);

    assertThat(request)
        .startsWith("POST /v1/heartbeat HTTP/1.1\r\n")
        .containsIgnoringCase("\r\ncontent-length: " + body.length + "\r\n")
        .containsIgnoringCase("\r\nsignature-input: lastfix=")
        .containsIgnoringCase("\r\nsignature: lastfix=")
        .containsIgnoringCase("\r\ncontent-digest: sha-256=")
        .endsWith("\r\n\r\n" + new String(body, UTF_8));
  }

  @Test
  void aMessageIsSignedAsTheGatewayVerifiesIt() throws Exception {
    Instant created = Instant.ofEpochSecond(1_764_000_000L);
    Device device = new Device(DEVICE, "k1", new byte[] {1, 2, 3});
    byte[] body = Bodies.heartbeat(3, 60);

    Map<String, String> properties = device.properties("a/topic", body, created);

    VerifiedSignature verified =
        new SignatureVerifier(SignaturePolicy.OF_DEVICES)
            .verifyHead(
                SignedMessage.head("a/topic", List.copyOf(properties.entrySet())),
                keyid -> device.secret(),
                created);
    verified.digest().require(body);
    assertThat(verified.keyid()).isEqualTo("k1");
  }
}
