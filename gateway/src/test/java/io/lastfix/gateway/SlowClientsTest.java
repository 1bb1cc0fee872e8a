package io.lastfix.gateway;

import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that take their time, or never end what they began. */
class SlowClientsTest {
  private final RecordingSender sender = new RecordingSender();

  @Test
  void aBodyThatDripsIs408AndHoldsTheBudgetOnlyUntilThen() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "http.request-timeout=500 ms");
        Socket socket = RawClient.connect(gateway.port());
        Dripping dripping =
            new Dripping(
                socket,
                "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
                "x")) {
      await().until(() -> gateway.gateway().budget().used() > 0);
      assertThat(gateway.gateway().budget().used())
          .as("for a hundred kilobytes that were only announced")
          .isLessThanOrEqualTo(24 * 1024);

      assertThat(RawClient.read(socket))
          .startsWith("HTTP/1.1 408")
          .contains("urn:lastfix:problem:timeout");
      await().until(() -> gateway.gateway().budget().used() == 0);
      assertThat(dripping.isCutOff()).isTrue();
      assertThat(gateway.post("/v1/records/json", JSON_RECORD).statusCode()).isEqualTo(202);
    }
    assertThat(sender.records()).hasSize(1);
  }

  @Test
  void aHeadThatDripsIsCutOff() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "http.idle-timeout=500 ms");
        Socket socket = RawClient.connect(gateway.port());
        Dripping dripping =
            new Dripping(
                socket, "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\n", "X: y\r\n")) {
      assertThat(dripping.isCutOff()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST /v1/records/json, Content-Length: 900000000000, 413",
    "POST /v1/records/nonsense, Transfer-Encoding: chunked, 404",
    "POST /nothing, Transfer-Encoding: chunked, 404",
    "POST /health, Transfer-Encoding: chunked, 405",
    "GET /health, Transfer-Encoding: chunked, 200",
    "POST /osmand, Transfer-Encoding: chunked, 413"
  })
  void aBodyThatNobodyReadsIsNotReadForEver(String line, String length, int status)
      throws Exception {
    byte[] part = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(UTF_8);
    try (TestGateway gateway = TestGateway.start(sender);
        Socket socket = RawClient.connect(gateway.port())) {
      socket
          .getOutputStream()
          .write((line + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n\r\n").getBytes(UTF_8));
      if (!line.contains("/osmand")) {
        assertThat(RawClient.read(socket))
            .startsWith("HTTP/1.1 " + status)
            .containsIgnoringCase("connection: close");
      }

      assertThatThrownBy(
              () -> {
                for (int parts = 0; parts < 4_000; parts++) {
                  socket.getOutputStream().write(part);
                }
              })
          .as("the connection ends long before 250 MB")
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST /v1/records/nonsense, 404",
    "POST /nothing, 404",
    "POST /health, 405",
    "GET /health, 200"
  })
  void aBodyThatDripsAfterTheAnswerIsCutOff(String line, int status) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender);
        Socket socket = RawClient.connect(gateway.port());
        Dripping dripping =
            new Dripping(
                socket,
                line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
                "x")) {
      assertThat(RawClient.read(socket)).startsWith("HTTP/1.1 " + status);
      assertThat(dripping.isCutOff()).isTrue();
    }
  }

  @Test
  void aClientThatAsksBeforeItSendsABodyIsAskedForItOnlyIfItIsWanted() throws Exception {
    String head = " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ";
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String refused :
          List.of(
              "POST /v1/records/json" + head + "5000000\r\n\r\n",
              "POST /v1/records/nonsense" + head + "5\r\n\r\n",
              "POST /nothing" + head + "5\r\n\r\n")) {
        assertThat(RawClient.exchange(gateway.port(), refused)).startsWith("HTTP/1.1 4");
      }
      try (Socket socket = RawClient.connect(gateway.port())) {
        String wanted = "POST /osmand" + head + "4\r\n\r\n";
        for (int round = 0; round < 2; round++) {
          socket.getOutputStream().write(wanted.getBytes(UTF_8));
          byte[] asked =
              socket.getInputStream().readNBytes("HTTP/1.1 100 Continue\r\n\r\n".length());
          assertThat(asked).asString(UTF_8).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
          socket.getOutputStream().write("id=1".getBytes(UTF_8));
          byte[] answer = new byte[8192];
          int length = socket.getInputStream().read(answer);
          assertThat(new String(answer, 0, length, UTF_8)).startsWith("HTTP/1.1 200");
        }
      }
    }
    assertThat(sender.records()).hasSize(2);
  }

  @Test
  void aConnectionThatSaysNothingIsClosedAndSoIsOneThatIsDone() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "http.idle-timeout=500 ms");
        Socket silent = RawClient.connect(gateway.port())) {
      assertThat(silent.getInputStream().read()).as("the connection's end").isEqualTo(-1);
    }
    try (TestGateway gateway = TestGateway.start(sender, "http.idle-timeout=500 ms");
        Socket done = RawClient.connect(gateway.port())) {
      done.getOutputStream()
          .write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
      assertThat(RawClient.read(done)).startsWith("HTTP/1.1 200");
      assertThat(done.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @Test
  void connectionsBeyondTheLimitAreClosedAndTheOthersWorkOn() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "http.max-connections=20")) {
      List<Socket> idle = new ArrayList<>();
      try {
        // The client of the test has one of them.
        assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
        for (int i = 0; i < 19; i++) {
          idle.add(RawClient.connect(gateway.port()));
        }
        await()
            .untilAsserted(
                () -> assertThat(gateway.metric("lastfix_gateway_connections")).isEqualTo(20));

        try (Socket further = RawClient.connect(gateway.port())) {
          assertThat(isClosed(further)).isTrue();
        }

        assertThat(gateway.post("/v1/records/json", JSON_RECORD).statusCode()).isEqualTo(202);
      } finally {
        for (Socket socket : idle) {
          socket.close();
        }
      }
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aClientThatGoesAwayLeavesNothingBehind() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      try (Socket socket = RawClient.connect(gateway.port())) {
        socket
            .getOutputStream()
            .write(
                ("POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
                        + "x".repeat(500))
                    .getBytes(UTF_8));
        await().until(() -> gateway.gateway().budget().used() > 0);
      }
      await().until(() -> gateway.gateway().budget().used() == 0);
      await()
          .untilAsserted(
              () ->
                  assertThat(gateway.metric("lastfix_gateway_abandoned_total{route=\"records\"}"))
                      .isEqualTo(1));
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void aClientThatGoesAwayBeforeKafkaHasAnsweredHoldsItsBudgetUntilThen() throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender)) {
      try (Socket socket = RawClient.connect(gateway.port())) {
        socket
            .getOutputStream()
            .write(
                "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"
                    .getBytes(UTF_8));
        await().until(() -> sender.records().size() == 1);
      }
      await()
          .untilAsserted(
              () -> assertThat(gateway.metric("lastfix_gateway_connections")).isEqualTo(1));
      assertThat(gateway.gateway().budget().used()).isGreaterThan(16 * 1024);

      sender.acknowledge(0);

      await().until(() -> gateway.gateway().budget().used() == 0);
    }
  }

  /** Writes a beginning, and then a little every 50 ms, until the connection ends. */
  private static final class Dripping implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    Dripping(Socket socket, String beginning, String drop) throws IOException {
      socket.getOutputStream().write(beginning.getBytes(UTF_8));
      var unused =
          timer.scheduleWithFixedDelay(
              () -> {
                try {
                  socket.getOutputStream().write(drop.getBytes(UTF_8));
                } catch (IOException e) {
                  timer.shutdown();
                }
              },
              50,
              50,
              TimeUnit.MILLISECONDS);
    }

    /** Waits until a write fails. */
    boolean isCutOff() throws InterruptedException {
      return timer.awaitTermination(RawClient.LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }
}
