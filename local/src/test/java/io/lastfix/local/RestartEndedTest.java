package io.lastfix.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.Restarts;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestartEndedTest {
  private static final String NAME = "kafka";
  private static final String FLINK = FlinkCluster.JOB_MANAGER;

  @TempDir private Path directory;

  @Test
  void aProcessThatASupervisorStartedAndCouldNotWriteDownIsAdopted() throws Exception {
    StackHome home = new StackHome(directory);
    String marker = "-Dlastfix.process=" + home.root() + "/" + NAME;
    // It waits for input that never arrives, and has the marker as its name.
    Process stray = new ProcessBuilder("sh", "-c", "read line", marker).start();
    try {
      Awaitility.await()
          .until(
              () -> !RecordedProcess.withArgument(argument -> argument.equals(marker)).isEmpty());
      RecordedProcess ended = new RecordedProcess(NAME, stray.pid(), 0, "/log");
      new StackState(List.of(ended), Map.of(), Map.of(NAME, "127.0.0.1:9092")).write(home);

      Restarts restarted = new LocalStack(home, line -> {}).restartEnded(name -> false);

      assertThat(restarted.started()).containsExactly(new Restarts.Restart(NAME, stray.pid(), ""));
      List<RecordedProcess> recorded = StackState.read(home).orElseThrow().processes();
      assertThat(recorded).extracting(RecordedProcess::pid).containsExactly(stray.pid());
      assertThat(recorded.get(0).find()).isPresent();
    } finally {
      stray.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {GatewayServer.NAME, NotifyServer.NAME})
  void aServerThatReportsThatItIsStuckIsStoppedAndOneThatIsBusyIsNot(String name) throws Exception {
    StackHome home = new StackHome(directory);
    Process server = new ProcessBuilder("sh", "-c", "read line").start();
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    AtomicReference<String> health = new AtomicReference<>("");
    http.createContext(
        "/health",
        exchange -> {
          byte[] body = health.get().getBytes(UTF_8);
          exchange.sendResponseHeaders(503, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    http.start();
    try {
      RecordedProcess recorded = RecordedProcess.of(name, server.toHandle(), Path.of("/log"));
      String endpoint = "http://127.0.0.1:" + http.getAddress().getPort();
      new StackState(List.of(recorded), Map.of(), Map.of(name, endpoint)).write(home);
      LocalStack stack = new LocalStack(home, line -> {});

      health.set("{\"status\":\"busy\"}");
      assertThat(stack.restartEnded(other -> false).allRan()).isTrue();
      assertThat(server.isAlive()).isTrue();
      health.set("{\"status\":\"stuck\",\"reason\":\"nothing comes\"}");
      assertThat(stack.restartEnded(other -> false).allRan()).isTrue();
      assertThat(server.isAlive()).as("it may not start yet, so it keeps running").isTrue();
      assertThat(stack.restartEnded(name::equals).allRan()).isFalse();

      assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(60));
    } finally {
      http.stop(0);
      server.destroyForcibly();
    }
  }

  @Test
  void aServerIsTriedThoughAnotherCannotBeStarted() throws Exception {
    StackHome home = new StackHome(directory);
    try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      new StackState(
              List.of(ended(PrometheusServer.NAME), ended(AlertmanagerServer.NAME), ended(FLINK)),
              Map.of(
                  PrometheusServer.NAME,
                  first.getLocalPort(),
                  AlertmanagerServer.NAME,
                  second.getLocalPort()),
              Map.of(FlinkCluster.NAME, "", PrometheusServer.NAME, "", AlertmanagerServer.NAME, ""))
          .write(home);

      Restarts restarts =
          new LocalStack(home, line -> {}).restartEnded(name -> !name.equals(FLINK));

      assertThat(restarts.allRan()).isFalse();
      assertThat(restarts.started()).isEmpty();
      assertThat(restarts.failures())
          .hasEntrySatisfying(
              PrometheusServer.NAME,
              failure -> assertThat(failure).contains("its port " + first.getLocalPort()))
          .hasEntrySatisfying(
              AlertmanagerServer.NAME,
              failure -> assertThat(failure).contains("its port " + second.getLocalPort()));
    }
  }

  /** A process of no running process id. */
  private static RecordedProcess ended(String name) {
    return new RecordedProcess(name, Long.MAX_VALUE, 0, "/log");
  }

  @Test
  void besideServersThatRunNoneIsStartedOnAnotherPort() throws Exception {
    StackHome home = new StackHome(directory);
    Process flink = new ProcessBuilder("sh", "-c", "read line").start();
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      new StackState(
              List.of(RecordedProcess.of("jobmanager", flink.toHandle(), Path.of("/log"))),
              Map.of(NAME, other.getLocalPort()),
              Map.of(NAME, "127.0.0.1:" + other.getLocalPort()))
          .write(home);
      StackOptions defaults = StackOptions.defaults(home);
      StackOptions kafkaOnly =
          new StackOptions(
              home,
              new EndpointOverrides(
                  Optional.of("mongodb://127.0.0.1:1"),
                  Optional.empty(),
                  Optional.of("http://127.0.0.1:1")),
              defaults.mongo(),
              1,
              1,
              Set.of(),
              defaults.readyLimit());

      assertThatThrownBy(() -> new LocalStack(home, line -> {}).up(kafkaOnly))
          .isInstanceOf(StackException.class)
          .hasMessageContaining(
              "another program has taken its port %d (kafka)", other.getLocalPort());
      assertThat(flink.isAlive()).isTrue();
    } finally {
      flink.destroyForcibly();
    }
  }
}
