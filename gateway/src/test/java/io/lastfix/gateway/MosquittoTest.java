package io.lastfix.gateway;

import static io.lastfix.gateway.FakeBroker.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Mosquitto with TLS, users and an access list. */
class MosquittoTest {
  private static final String PASSWORD = "correct-horse-battery";
  private static final String PAYLOAD = "{\"user\":\"d\"}";

  @TempDir private Path directory;
  private final RecordingSender sender = new RecordingSender();
  private int port;
  private @Nullable Process broker;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Stream.of("/usr/sbin/mosquitto", "/usr/bin/mosquitto_pub", "/usr/bin/openssl")
            .allMatch(program -> Files.isExecutable(Path.of(program))),
        "needs mosquitto, mosquitto-clients and openssl");
    certificate("broker", "/CN=127.0.0.1", "subjectAltName=IP:127.0.0.1");
    certificate("other", "/CN=other", "subjectAltName=DNS:other");
    Files.writeString(
        directory.resolve("acl"),
        """
        user gateway
        topic read #
        user phone
        pattern write lastfix/v1/%u/records/+
        """);
    run("mosquitto_passwd", "-c", "-b", file("users"), "gateway", PASSWORD);
    run("mosquitto_passwd", "-b", file("users"), "phone", PASSWORD);
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Files.writeString(
        directory.resolve("mosquitto.conf"),
        """
        listener %d 127.0.0.1
        certfile %s
        keyfile %s
        user %s
        allow_anonymous false
        password_file %s
        acl_file %s
        """
            .formatted(
                port,
                file("broker.pem"),
                file("broker.key"),
                System.getProperty("user.name"),
                file("users"),
                file("acl")));
    broker =
        new ProcessBuilder("/usr/sbin/mosquitto", "-c", file("mosquitto.conf"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    await().until(this::listens);
  }

  @AfterEach
  void stop() throws Exception {
    if (broker != null) {
      broker.destroy();
      broker.waitFor();
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private void certificate(String name, String subject, String extension) throws Exception {
    run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        subject,
        "-addext",
        extension,
        "-keyout",
        file(name + ".key"),
        "-out",
        file(name + ".pem"));
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private TestGateway gateway(String password, String ca) {
    return TestGateway.start(
        sender,
        "mqtt.broker=mqtts://127.0.0.1:" + port,
        "mqtt.client-id=test",
        "mqtt.records=unsigned",
        "mqtt.user=gateway",
        "mqtt.password=" + password,
        "mqtt.tls.ca=" + file(ca));
  }

  private void publish(String topic) throws Exception {
    run(
        "mosquitto_pub",
        "-V",
        "mqttv5",
        "-h",
        "127.0.0.1",
        "-p",
        Integer.toString(port),
        "--cafile",
        file("broker.pem"),
        "-u",
        "phone",
        "-P",
        PASSWORD,
        "-q",
        "1",
        "-t",
        topic,
        "-m",
        PAYLOAD,
        "-D",
        "publish",
        "content-type",
        "application/json");
  }

  @Test
  void aMessageOfAUserArrivesOverTlsAndOneToAnothersTopicDoesNot() throws Exception {
    try (TestGateway gateway = gateway(PASSWORD, "broker.pem")) {
      publish("lastfix/v1/another/records/json");
      publish("lastfix/v1/phone/records/json");

      await().until(() -> !sender.records().isEmpty());
      assertThat(sender.records()).hasSize(1);
      assertThat(sender.records().get(0).key()).isEqualTo("phone");
      assertThat(sender.records().get(0).value()).isEqualTo(PAYLOAD.getBytes(UTF_8));
      assertThat(gateway.get("/ready").body()).contains("\"mqtt\":\"ready\"");
    }
  }

  @Test
  void aWrongPasswordIsRefusedWithoutShowingIt() {
    assertThatThrownBy(() -> gateway("wrong-horse", "broker.pem"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not accept client 'test' (not authorized)")
        .hasMessageContaining("check mqtt.user, mqtt.password")
        .satisfies(
            failure -> {
              for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain("wrong-horse");
              }
            });
  }

  @Test
  void aBrokerThatNobodyCertifiesIsNotSpokenTo() throws Exception {
    try (TestGateway gateway = gateway(PASSWORD, "other.pem")) {
      assertThat(gateway.get("/ready").body())
          .contains("not connected: the MQTT broker at mqtts://127.0.0.1:" + port)
          .doesNotContain(PASSWORD);
      assertThat(List.copyOf(sender.records())).isEmpty();
    }
  }
}
