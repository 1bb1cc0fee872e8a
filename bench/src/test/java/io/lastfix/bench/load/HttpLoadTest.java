package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpLoadTest {
  private final Queue<String> received = new ConcurrentLinkedQueue<>();
  private final Queue<InetSocketAddress> clients = new ConcurrentLinkedQueue<>();
  private final AtomicInteger delayMillis = new AtomicInteger();
  private final AtomicInteger status = new AtomicInteger(202);
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
  private HttpServer server;
  private final List<String> window = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          received.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          clients.add(exchange.getRemoteAddress());
          var unused =
              threads.schedule(() -> answer(exchange), delayMillis.get(), TimeUnit.MILLISECONDS);
        });
    server.start();
  }

  private @Nullable Void answer(HttpExchange exchange) throws IOException {
    byte[] answer = "{\"ok\":true}".getBytes(UTF_8);
    exchange.sendResponseHeaders(status.get(), answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
    return null;
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void eachRequestIsSentOnceAndItsAnswerIsHandedOver() throws IOException {
    Map<Long, String> answers = new TreeMap<>();

    LoadResult result =
        run(
            load(3, false),
            number -> request("body-" + number),
            (number, code, body) -> answers.put(number, code + " " + UTF_8.decode(body)),
            20,
            0);

    assertThat(received).hasSize(20).doesNotHaveDuplicates().contains("body-0", "body-19");
    assertThat(answers).hasSize(20).containsEntry(7L, "202 {\"ok\":true}");
    assertThat(result.answers()).isEqualTo(20);
    assertThat(result.failures()).isZero();
    assertThat(clients.stream().distinct()).hasSizeLessThanOrEqualTo(3);
    assertThat(window).containsExactly("begins", "ends");
  }

  @Test
  void latencyCountsFromTheInstantAtWhichARequestWasDue() throws IOException {
    // One connection, requests due each 10 ms, answers after 50: the queue grows by 40 ms each.
    delayMillis.set(50);

    LoadResult result =
        run(load(1, false), number -> request("x"), HttpLoad.Answers.IGNORED, 20, 100);

    assertThat(result.maxMillis()).isGreaterThan(500);
    assertThat(result.p50Millis()).isGreaterThan(250);
  }

  @Test
  void anAnswerWithoutSuccessIsAFailure() throws IOException {
    status.set(503);

    LoadResult result = run(load(2, false), number -> request("x"), HttpLoad.Answers.IGNORED, 5, 0);

    assertThat(result.answers()).isZero();
    assertThat(result.failures()).isEqualTo(5);
    assertThat(result.statuses()).containsExactly(Map.entry(503, 5L));
  }

  @Test
  void aRequestThatIsLeftOutIsNotSent() throws IOException {
    var unused =
        run(
            load(1, false),
            number -> number % 2 == 0 ? request("even") : null,
            HttpLoad.Answers.IGNORED,
            10,
            0);

    assertThat(received).hasSize(5);
  }

  @Test
  void ifConfiguredEachRequestHasAConnectionOfItsOwn() throws IOException {
    var unused = run(load(1, true), number -> request("x"), HttpLoad.Answers.IGNORED, 5, 0);

    assertThat(clients.stream().distinct()).hasSize(5);
  }

  private LoadResult run(
      HttpLoad load,
      HttpLoad.Requests requests,
      HttpLoad.Answers answers,
      long count,
      double perSecond)
      throws IOException {
    try (load) {
      return load.run(
          requests, answers, count, perSecond, 0, TimeUnit.SECONDS.toNanos(60), recorded());
    }
  }

  private HttpLoad load(int connections, boolean isFresh) throws IOException {
    return new HttpLoad(
        server.getAddress().getHostString(), server.getAddress().getPort(), connections, isFresh);
  }

  private static byte[] request(String body) {
    return Device.request("/", Map.of("content-type", "text/plain"), body.getBytes(UTF_8));
  }

  private HttpLoad.Window recorded() {
    return new HttpLoad.Window() {
      @Override
      public void begins() {
        window.add("begins");
      }

      @Override
      public void ends() {
        window.add("ends");
      }
    };
  }
}
