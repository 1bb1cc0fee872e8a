package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.kafka.NotStored;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MiNiFi agents as they speak the C2 protocol: what they send, and the answer they can read. */
@Execution(ExecutionMode.CONCURRENT)
class C2Test {
  private static final String HEARTBEAT = "/c2-protocol/heartbeat";
  private static final String ACKNOWLEDGE = "/c2-protocol/acknowledge";
  private static final String NO_OPERATIONS = "{\"requestedOperations\":[]}";
  private static final String SHA_256 = "0f".repeat(32);

  /** As an agent in C++ writes it, shortened in its lists. Its manifest's hash is a SHA-512. */
  private static final String OF_CPP =
      """
      {
          "operation": "heartbeat",
          "agentInfo": {
              "agentManifest": {
                  "agentType": "cpp",
                  "identifier": "minifi",
                  "version": "0.99.1",
                  "buildInfo": {"compiler": "/usr/bin/c++", "flags": "-O2", "revision": "cc9aaac3", "timestamp": 1734001238, "version": "0.99.1"},
                  "bundles": [{"group": "org.apache.nifi.minifi", "artifact": "minifi-system", "version": "0.99.1", "identifier": "not the agent's"}],
                  "supportedOperations": [{"type": "acknowledge"}, {"type": "heartbeat"}]
              },
              "agentManifestHash": "%s",
              "agentClass": "sensor-collector",
              "identifier": "edge-0815",
              "status": {"uptime": 61003, "repositories": {"flowfile": {"running": true, "full": false}}}
          },
          "deviceInfo": {"identifier": "12331298441233", "networkInfo": {"hostname": "edge", "ipAddress": "10.0.0.7"}},
          "flowInfo": {"flowId": "8db40550-db5d-11e9-b07d-0242ac110002", "queues": {}}
      }
      """
          .formatted("0f".repeat(64));

  private static final String OF_JAVA =
      """
      {"identifier":null,"created":1795176001001,"deviceInfo":{"identifier":"eth0-02420a","systemInfo":{"vCores":2},"networkInfo":{"deviceId":"eth0","hostname":"edge"}},"agentInfo":{"identifier":"a-java-agent","agentClass":"gateways","agentManifestHash":"%s","agentManifest":{"identifier":"m1","agentType":"minifi-java","version":"1","buildInfo":{"timestamp":1,"version":"2.0.0","revision":"x"},"bundles":[]},"status":{"uptime":1}},"flowInfo":{"flowId":"f"}}"""
          .formatted(SHA_256);

  private final RecordingSender sender = new RecordingSender();

  private HeartbeatMessage onlySign() throws Exception {
    assertThat(sender.records()).isEmpty();
    assertThat(sender.signs()).hasSize(1);
    return HeartbeatCodec.read(sender.signs().get(0).value());
  }

  @Test
  void aHeartbeatOfAnAgentInCppIsOneOfItsAgent() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.c2=unsigned")) {
      HttpResponse<String> answer =
          gateway.post(HEARTBEAT, OF_CPP, "Content-Type", "application/json");

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(NO_OPERATIONS);
      assertThat(onlySign())
          .isEqualTo(new Heartbeat(0, 0, 60, "sensor-collector", "minifi-cpp/0.99.1", null, null));
      assertThat(sender.signs().get(0).key()).isEqualTo("edge-0815");
      assertThat(gateway.metric("lastfix_gateway_signs_total{kind=\"heartbeat\"}")).isEqualTo(1);
    }
  }

  @Test
  void aHeartbeatOfAnAgentInJavaMayBeCompressed() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(sender, "access.c2=unsigned", "heartbeats.c2-interval=5 s")) {
      HttpResponse<String> answer =
          gateway.post(
              HEARTBEAT, TestGateway.gzip(OF_JAVA.getBytes(UTF_8)), "Content-Encoding", "gzip");

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(onlySign())
          .isEqualTo(new Heartbeat(0, 0, 5, "gateways", "minifi-java/2.0.0", SHA_256, null));
      assertThat(sender.signs().get(0).key()).isEqualTo("a-java-agent");
    }
  }

  @Test
  void aHeartbeatWithoutAManifestSaysNoRelease() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.c2=unsigned")) {
      gateway.post(HEARTBEAT, "{\"agentInfo\":{\"identifier\":\"a\"},\"operation\":\"heartbeat\"}");

      assertThat(onlySign()).isEqualTo(new Heartbeat(0, 0, 60, null, null, null, null));
    }
  }

  @Test
  void anAcknowledgementIsASignOfLifeIfItNamesItsAgent() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.c2=unsigned")) {
      HttpResponse<String> ofCpp =
          gateway.post(
              ACKNOWLEDGE,
              "{\"operation\":\"acknowledge\",\"operationId\":\"8\",\"operationState\":{\"state\":\"FULLY_APPLIED\",\"details\":\"\"},\"identifier\":\"8\"}");
      assertThat(ofCpp.statusCode()).isEqualTo(200);
      assertThat(ofCpp.body()).isEqualTo(NO_OPERATIONS);
      assertThat(sender.signs()).isEmpty();

      HttpResponse<String> ofJava =
          gateway.post(
              ACKNOWLEDGE,
              "{\"operationId\":\"8\",\"operationState\":{\"state\":\"FULLY_APPLIED\"},\"agentInfo\":{\"identifier\":\"a\"}}");

      assertThat(ofJava.statusCode()).isEqualTo(200);
      assertThat(sender.signs()).extracting(OutgoingRecord::key).containsExactly("a");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | no JSON object",
        "[] | no JSON object",
        "{\"agentInfo\":{\"identifier\":\"a\"} | no valid JSON",
        "{\"agentInfo\":{\"identifier\":\"a\"}} {} | something after",
        "{\"agentInfo\":{\"identifier\":7}} | agentInfo.identifier",
        "{\"agentInfo\":[{\"identifier\":\"a\"}]} | agentInfo.identifier",
        "{\"identifier\":\"a\",\"deviceInfo\":{\"identifier\":\"a\"}} | agentInfo.identifier",
      })
  void whatNamesNoAgentIsRefused(String body, String detail) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.c2=unsigned")) {
      HttpResponse<String> answer = gateway.post(HEARTBEAT, body);

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains(detail);
      assertThat(sender.signs()).isEmpty();
    }
  }

  @Test
  void theRoutesAreClosedUntilTheyAreOpenedAndHaveTheLimitsOfOthers(@TempDir Path directory)
      throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.post(HEARTBEAT, OF_CPP).statusCode()).isEqualTo(403);
      assertThat(gateway.post(ACKNOWLEDGE, OF_CPP).statusCode()).isEqualTo(403);
    }
    try (TestGateway gateway =
        TestGateway.start(sender, "access.c2=unsigned", "limits.max-bytes=100 kb")) {
      assertThat(gateway.post(HEARTBEAT, " ".repeat(110_000)).statusCode()).isEqualTo(413);
      assertThat(gateway.post(HEARTBEAT, TestGateway.bomb(90 * 1024)).statusCode()).isEqualTo(413);
      assertThat(gateway.post(HEARTBEAT, OF_CPP, "Content-Encoding", "br").statusCode())
          .isEqualTo(415);
    }
    Path users =
        Files.writeString(directory.resolve("users"), "jane:" + RawClient.sha256("secret-of-jane"));
    try (TestGateway gateway =
        TestGateway.start(sender, "access.c2=basic", "access.basic-users=" + users)) {
      assertThat(gateway.post(HEARTBEAT, OF_CPP).statusCode()).isEqualTo(401);
      assertThat(sender.signs()).isEmpty();
      String basic =
          "Basic " + Base64.getEncoder().encodeToString("jane:secret-of-jane".getBytes(UTF_8));
      assertThat(gateway.post(HEARTBEAT, OF_CPP, "Authorization", basic).statusCode())
          .isEqualTo(200);
      assertThat(sender.signs()).extracting(OutgoingRecord::key).containsExactly("jane");
    }
  }

  @Test
  void aHeartbeatThatKafkaDoesNotTakeIs503() throws Exception {
    sender.withoutHeartbeats(NotStored.because("away"));
    try (TestGateway gateway = TestGateway.start(sender, "access.c2=unsigned")) {
      assertThat(gateway.post(HEARTBEAT, OF_CPP).statusCode()).isEqualTo(503);
    }
  }
}
