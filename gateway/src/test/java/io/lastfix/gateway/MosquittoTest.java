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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Mosquitto with the settings and the access list of docs/operate/mqtt.md. */
class MosquittoTest {
  private static final String PASSWORD = "correct-horse-battery";
  private static final String PAYLOAD = "{\"user\":\"d\"}";
  private static final String TOPIC = "lastfix/v1/phone/records/json";
  private static final int MESSAGES = 20;
  private static final String OWN_IDS = "use_username_as_clientid true\n";

  @TempDir private Path directory;
  private final RecordingSender sender = new RecordingSender();
  private int port;
  private @Nullable Process broker;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Stream.of(
                "/usr/sbin/mosquitto",
                "/usr/bin/mosquitto_pub",
                "/usr/bin/mosquitto_sub",
                "/usr/bin/openssl")
            .allMatch(program -> Files.isExecutable(Path.of(program))),
        "needs mosquitto, mosquitto-clients and openssl");
    certificate("broker", "/CN=127.0.0.1", "subjectAltName=IP:127.0.0.1");
    certificate("other", "/CN=other", "subjectAltName=DNS:other");
    Files.writeString(directory.resolve("acl"), block("acl"));
    run("mosquitto_passwd", "-c", "-b", file("users"), "gateway", PASSWORD);
    run("mosquitto_passwd", "-b", file("users"), "phone", PASSWORD);
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    startBroker(block("mosquitto"));
  }

  /** Of the page, which names files as they are on an operator's machine. */
  private static String block(String kind) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operate", "mqtt.md"));
    String start = "```" + kind + "\n";
    int begin = page.indexOf(start) + start.length();
    return page.substring(begin, page.indexOf("```", begin));
  }

  private void startBroker(String settings) throws Exception {
    Files.writeString(
        directory.resolve("mosquitto.conf"),
        "user %s\n".formatted(System.getProperty("user.name"))
            + settings
                .replace("listener 8883", "listener %d 127.0.0.1".formatted(port))
                .replace("/etc/mosquitto/", directory + "/")
                .replace("/var/lib/mosquitto/", directory + "/"));
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
        TestGateway.clientIdFile(),
        "mqtt.records=unsigned",
        "mqtt.user=gateway",
        "mqtt.password=" + password,
        "mqtt.tls.ca=" + file(ca));
  }

  private void publish(String topic) throws Exception {
    asPhone(
        "mosquitto_pub",
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

  /** Connects with the gateway's client id and a clean start, and leaves at once. */
  private void takeOver() throws Exception {
    asPhone("mosquitto_sub", "-i", "id-of-the-test", "-t", "lastfix/v1/phone/commands", "-E");
  }

  private void asPhone(String program, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
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
                PASSWORD));
    command.addAll(List.of(arguments));
    run(command.toArray(String[]::new));
  }

  @Test
  void aUserWhoHasTheGatewaysClientIdTakesNothing() throws Exception {
    try (TestGateway gateway = gateway(PASSWORD, "broker.pem")) {
      await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    }
    for (int message = 0; message < MESSAGES; message++) {
      publish(TOPIC);
    }

    takeOver();
    try (TestGateway gateway = gateway(PASSWORD, "broker.pem")) {
      takeOver();

      await().until(() -> sender.records().size() == MESSAGES);
      assertThat(gateway.metric("lastfix_gateway_mqtt_taken_over_total")).isZero();
      assertThat(gateway.get("/ready").body()).doesNotContain("mqttTakenOver");
    }
  }

  @Test
  void withoutTheSettingOrAboveTheListenerATakeoverIsCountedAndSeen() throws Exception {
    broker.destroy();
    broker.waitFor();
    String above = OWN_IDS + block("mosquitto").replace(OWN_IDS, "");
    startBroker(above);
    try (TestGateway gateway = gateway(PASSWORD, "broker.pem")) {
      await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);

      takeOver();

      await().until(() -> gateway.metric("lastfix_gateway_mqtt_taken_over_total") == 1);
      await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
      assertThat(gateway.get("/ready").body())
          .contains("\"mqtt\":\"ready\"")
          .contains("\"mqttTakenOver\":\"20");
    }
  }

  @Test
  void aMessageOfAUserArrivesOverTlsAndOneToAnothersTopicDoesNot() throws Exception {
    try (TestGateway gateway = gateway(PASSWORD, "broker.pem")) {
      publish("lastfix/v1/another/records/json");
      publish(TOPIC);

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
        .hasMessageContaining("does not accept user 'gateway' (not authorized)")
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
