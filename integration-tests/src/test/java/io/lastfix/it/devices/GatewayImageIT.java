package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.Capability;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.it.harness.NeedsDockerImage;
import io.lastfix.it.harness.TestImage;
import io.lastfix.it.harness.TestStack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.opentest4j.TestAbortedException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The image of {@code docker/gateway.Dockerfile}, built from this build's jars, in front of a real
 * Kafka. On Linux, where a container reaches this machine's loopback.
 */
@NeedsDockerImage(TestImage.JAVA)
@EnabledOnOs(OS.LINUX)
class GatewayImageIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration PROBE = Duration.ofSeconds(5);
  private static final String NAME = "lastfix-gateway:test";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static boolean isBuilt;

  /** As docs/operate/docker.md says. */
  @BeforeAll
  static void build() throws Exception {
    Process build;
    try {
      build =
          new ProcessBuilder(
                  "docker",
                  "build",
                  "--file=docker/gateway.Dockerfile",
                  "--build-arg=JAVA_IMAGE=" + TestImage.JAVA.reference(),
                  "--tag=" + NAME,
                  ".")
              .directory(Installation.root().toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new TestAbortedException("needs the command docker", e);
    }
    String said = new String(build.getInputStream().readAllBytes(), UTF_8);
    assertThat(build.waitFor()).as(said).isZero();
    isBuilt = true;
  }

  @AfterAll
  static void remove() {
    if (isBuilt) {
      DockerClientFactory.instance().client().removeImageCmd(NAME).exec();
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aContainerTakesARecordAsAUserWithoutRightsAndEndsInOrder() throws Exception {
    int port = freePort();
    try (GenericContainer<?> gateway =
        new GenericContainer<>(DockerImageName.parse(NAME))
            .withNetworkMode("host")
            .withCreateContainerCmdModifier(
                command -> command.getHostConfig().withCapDrop(Capability.ALL))
            .withCommand(
                "--set", "http.port=" + port,
                "--set", "http.lame-duck=1 ms",
                "--set", "access.records=unsigned",
                "--set", "profiles.names=json",
                "--set", "kafka.location-topic-prefix=gateway-image.location.",
                "--set", "heartbeats.topic=gateway-image.heartbeats",
                "--set", "kafka.bootstrap-servers=" + TestStack.shared().kafka())) {
      gateway.start();
      String endpoint = "http://127.0.0.1:" + port;
      await("the gateway is ready")
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> GatewayClient.isReady(CLIENT, endpoint, PROBE));

      HttpResponse<String> answer =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(endpoint + "/v1/records/json"))
                  .timeout(LIMIT)
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"user\":\"u\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":1795176001001}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
      assertThat(answer.body()).contains("gateway-image.location.json");
      assertThat(gateway.execInContainer("id", "-u").getStdout()).isEqualTo("9999\n");

      DockerClientFactory.instance()
          .client()
          .stopContainerCmd(gateway.getContainerId())
          .withTimeout((int) LIMIT.toSeconds())
          .exec();
      assertThat(gateway.getCurrentContainerInfo().getState().getExitCodeLong())
          .as(gateway.getLogs())
          .isZero();
    }
  }
}
