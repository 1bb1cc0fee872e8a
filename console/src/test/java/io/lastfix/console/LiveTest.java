package io.lastfix.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.console.live.LiveHub;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveTest {
  private static final String PATH = "/v1/live?bbox=-123,37,-122,38";
  private final LiveHub hub = new LiveHub(3);
  private final TestConsole console = TestConsole.start(hub);
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    clock.shutdownNow();
    console.close();
  }

  private static Sighting sighting(String user, long second) {
    return new Sighting(
        user, Instant.ofEpochSecond(second), "311-480-1-2", new Position(-122.4, 37.8));
  }

  /** A browser's connection, read by hand so that it can be slow. */
  private final class Browser implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader in;

    private Browser(String... headers) throws IOException {
      URI endpoint = URI.create(console.endpoint());
      socket.setReceiveBufferSize(8 * 1024);
      socket.connect(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()));
      socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
      String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
      socket
          .getOutputStream()
          .write(
              ("GET " + PATH + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n")
                  .getBytes(US_ASCII));
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    /** The next line that begins so. */
    private String line(String beginning) throws IOException {
      while (true) {
        String line = in.readLine();
        assertThat(line).as("the stream continues").isNotNull();
        if (line.startsWith(beginning)) {
          return line.substring(beginning.length());
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void aBrowserHearsRecordsAndResumesAfterThem() throws IOException {
    String id;
    try (Browser browser = new Browser()) {
      assertThat(browser.line("content-type: ")).startsWith("text/event-stream");
      assertThat(browser.line("data: ")).isEqualTo("{\"problem\":\"\"}");
      String begun = browser.line("id: ");
      hub.publish(sighting("a", 1));
      id = browser.line("id: ");
      assertThat(id).isNotEqualTo(begun);
      assertThat(browser.line("event: ")).isEqualTo("located");
      assertThat(browser.line("data: "))
          .isEqualTo(
              "[{\"user\":\"a\",\"ts\":\"1970-01-01T00:00:01Z\",\"cell\":\"311-480-1-2\","
                  + "\"loc\":{\"lon\":-122.4,\"lat\":37.8},\"src\":\"cell\"}]");
    }
    hub.publish(sighting("b", 2));
    try (Browser again = new Browser("Last-Event-ID: " + id)) {
      assertThat(again.line("event: ")).isEqualTo("state");
      assertThat(again.line("event: ")).isEqualTo("located");
      assertThat(again.line("data: ")).contains("\"b\"").doesNotContain("\"a\"");
    }
    try (Browser other = new Browser("Last-Event-ID: none")) {
      assertThat(other.line("event: ")).isEqualTo("state");
      assertThat(other.line("event: ")).isEqualTo("reset");
    }
  }

  /** A moved map listens to another box, and what comes between the two is of both. */
  @Test
  void aBrowserThatHasHeardNothingMissesNothingWhenItListensAnew() throws IOException {
    String id;
    try (Browser browser = new Browser()) {
      id = browser.line("id: ");
    }
    hub.publish(sighting("between", 1));
    try (Browser again = new Browser("Last-Event-ID: " + id)) {
      assertThat(again.line("event: ")).isEqualTo("state");
      assertThat(again.line("event: ")).isEqualTo("located");
      assertThat(again.line("data: ")).contains("\"between\"");
    }
  }

  @Test
  void aDeviceIsHeardFourTimesASecondAtMost() throws Exception {
    try (Browser browser = new Browser()) {
      browser.line("data: ");
      long begin = System.nanoTime();
      CompletableFuture<Void> published =
          repeat(200, Duration.ofMillis(10), i -> hub.publish(sighting("a", i)));
      List<String> heard = new ArrayList<>();
      String last = "";
      while (!last.contains(Instant.ofEpochSecond(199).toString())) {
        last = browser.line("data: ");
        heard.add(last);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      published.join();

      assertThat(heard.size()).isLessThanOrEqualTo((int) (4 * seconds) + 1);
    }
  }

  /** What it has not read is replaced by newer, so the last thing that it hears is the newest. */
  @Test
  void aBrowserThatDoesNotReadHearsTheNewestOnceItDoes() throws Exception {
    try (Browser browser = new Browser()) {
      browser.line("data: ");
      int rounds = 40;
      repeat(
              rounds,
              Duration.ofMillis(50),
              i -> {
                for (int user = 0; user < 3_000; user++) {
                  hub.publish(sighting("user" + user, i + 1));
                }
              })
          .join();
      String newest = Instant.ofEpochSecond(rounds).toString();
      int events = 0;
      String line;
      do {
        line = browser.line("data: ");
        events++;
      } while (!line.contains(newest));

      assertThat(events).isLessThan(rounds);
    }
  }

  /** Does something that many times at a steady rate; the result completes after the last time. */
  private CompletableFuture<Void> repeat(int times, Duration interval, IntConsumer action) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    AtomicInteger next = new AtomicInteger();
    ScheduledFuture<?> repeated =
        clock.scheduleAtFixedRate(
            () -> {
              try {
                int i = next.getAndIncrement();
                if (i < times) {
                  action.accept(i);
                } else {
                  done.complete(null);
                }
              } catch (RuntimeException e) {
                done.completeExceptionally(e);
              }
            },
            0,
            interval.toMillis(),
            TimeUnit.MILLISECONDS);
    return done.whenComplete((nothing, failure) -> repeated.cancel(false));
  }

  @Test
  void onlySoManyBrowsersListenAndThoseThatLeaveMakeRoom() throws Exception {
    try (Browser first = new Browser();
        Browser second = new Browser();
        Browser third = new Browser()) {
      first.line("data: ");
      second.line("data: ");
      third.line("data: ");
      HttpResponse<String> refused = console.get(PATH);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(TestConsole.problem(refused)).isEqualTo("overloaded");
    }
    await().untilAsserted(() -> assertThat(hub.subscriptions()).isZero());
  }

  @Test
  void aStopEndsTheStreams() throws IOException {
    try (Browser browser = new Browser()) {
      browser.line("data: ");
      long begin = System.nanoTime();
      console.close();

      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
    }
  }

  @Test
  void withoutATopicThatIsSaid() {
    try (TestConsole off = TestConsole.start()) {
      HttpResponse<String> refused = off.get(PATH);

      assertThat(refused.statusCode()).isEqualTo(404);
      assertThat(TestConsole.problem(refused)).isEqualTo("live-off");
    }
  }

  @Test
  void anAreaIsRequired() {
    assertThat(console.get("/v1/live").statusCode()).isEqualTo(400);
  }
}
