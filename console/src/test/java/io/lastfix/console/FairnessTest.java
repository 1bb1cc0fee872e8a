package io.lastfix.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.console.live.LiveHub;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No client of the console takes from the others what they need. */
@Timeout(60)
class FairnessTest {
  private static final String WHERE = "/v1/where/350000000007919";
  private static final String LIVE = "/v1/live?bbox=-123,37,-122,38";
  private static final String GREEDY = "127.0.0.2";
  private static final String OTHER = "127.0.0.3";
  private static final int MAX_QUERIES = 64;

  /** As many of one client run, so two places are left. */
  private static final int OF_ONE_CLIENT = 6;

  private final List<Request> open = new ArrayList<>();
  private final CountDownLatch hold = new CountDownLatch(1);
  private TestConsole console = TestConsole.start(new LiveHub(4));

  @AfterEach
  void stop() throws IOException {
    hold.countDown();
    for (Request request : open) {
      request.close();
    }
    console.close();
  }

  /** One request on a connection of its own. */
  private static final class Request implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    private Request(URI console, String from, String path, String headers) throws IOException {
      socket = new Socket();
      socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
      socket.connect(new InetSocketAddress(console.getHost(), console.getPort()));
      socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                  .formatted(path, headers)
                  .getBytes(UTF_8));
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    private int status() throws IOException {
      return Integer.parseInt(line("HTTP/1.1 ").substring(9, 12));
    }

    /** The next line that begins so. */
    private String line(String beginning) throws IOException {
      while (true) {
        String line = in.readLine();
        assertThat(line).as("the answer continues").isNotNull();
        if (line.startsWith(beginning)) {
          return line;
        }
      }
    }

    /** What comes after the headers; it ends without a line break. */
    private String body() throws IOException {
      char[] body = new char[Integer.parseInt(line("content-length: ").substring(16))];
      while (!in.readLine().isEmpty()) {
        // Further headers.
      }
      for (int read = 0; read < body.length; ) {
        read += in.read(body, read, body.length - read);
      }
      return String.valueOf(body);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Request send(String from, String path, String... headers) throws IOException {
    Request request =
        new Request(
            URI.create(console.endpoint()),
            from,
            path,
            headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n");
    open.add(request);
    return request;
  }

  /** Sends as many queries as may wait, and returns once one more is refused. */
  private List<Request> takeAllQueries() throws IOException {
    console.store.hold = hold;
    List<Request> all = new ArrayList<>();
    for (int i = 0; i < MAX_QUERIES; i++) {
      all.add(send(GREEDY, WHERE));
    }
    await().untilAsserted(() -> assertThat(console.store.begun).hasValue(OF_ONE_CLIENT));
    await("all have come")
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              try (Request more = send(GREEDY, WHERE)) {
                more.socket.setSoTimeout(500);
                assertThat(more.body())
                    .contains("64 queries wait already, 64 of them from your address");
              }
            });
    return all;
  }

  @Test
  void aClientWithAllQueriesGivesAPlaceToAnotherWhoseQueryRunsAtOnce() throws Exception {
    List<Request> all = takeAllQueries();

    Request other = send(OTHER, WHERE);

    await().untilAsserted(() -> assertThat(console.store.begun).hasValue(OF_ONE_CLIENT + 1));
    hold.countDown();
    assertThat(other.status()).isEqualTo(200);
    List<String> given = new ArrayList<>();
    for (Request request : all) {
      if (request.status() == 503) {
        given.add(request.body());
      }
    }
    assertThat(given)
        .filteredOn(it -> it.contains("Another client needs a place, and most queries were from"))
        .hasSize(1);
    assertThat(console.store.interrupted).as("only one that waited has left").hasValue(0);
  }

  @Test
  void queriesEndOnceTheirClientHasGone() throws Exception {
    List<Request> all = takeAllQueries();
    // Those first that wait: one of them begins whenever one that runs has ended.
    Collections.reverse(all);
    for (Request request : all) {
      request.close();
    }

    await()
        .untilAsserted(
            () ->
                assertThat(console.store.interrupted.get())
                    .isPositive()
                    .isEqualTo(console.store.begun.get()));
    assertThat(console.store.begun.get()).as("some never begin").isLessThan(MAX_QUERIES);
    console.store.hold = null;
    assertThat(send(GREEDY, WHERE).status()).isEqualTo(200);
  }

  /** Two are made at once, the second one for another client only. */
  @Test
  void aClientWithLargeQueriesLeavesOneToAnother() throws Exception {
    String large = "/v1/within?bbox=-123,37,-122,38&limit=20000";
    console.store.hold = hold;
    send(GREEDY, large);
    send(GREEDY, large);
    await().untilAsserted(() -> assertThat(console.store.begun).hasValue(1));

    Request other = send(OTHER, large);

    await().untilAsserted(() -> assertThat(console.store.begun).hasValue(2));
    hold.countDown();
    assertThat(other.status()).isEqualTo(200);
  }

  @Test
  void theServerIsReadyWhileAllQueriesRun() throws Exception {
    takeAllQueries();
    send(OTHER, WHERE);
    send("127.0.0.4", WHERE);
    await().untilAsserted(() -> assertThat(console.store.begun).hasValue(OF_ONE_CLIENT + 2));

    assertThat(send(OTHER, "/ready").status()).isEqualTo(200);
  }

  @Test
  void aClientWithAllStreamsGivesOneToAnotherAndReadsWhy() throws Exception {
    List<Request> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(send(GREEDY, LIVE));
      all.get(i).line("event: state");
    }

    Request other = send(OTHER, LIVE);

    assertThat(other.status()).isEqualTo(200);
    other.line("event: state");
    all.get(3).line("event: refused");
    assertThat(all.get(3).line("data: ")).contains("Another client needs a place");
    Request again = send(GREEDY, LIVE);
    assertThat(again.status()).isEqualTo(503);
    assertThat(again.body()).contains("4 clients listen already, 3 of them from your address");
  }

  @Test
  void withATokenThoseBehindAProxyOnThisMachineAreClientsOfTheirOwn() throws Exception {
    try (TestConsole closed = TestConsole.start("0123456789abcdef", new LiveHub(4))) {
      console.close();
      console = closed;
      String token = "Authorization: Bearer 0123456789abcdef";
      for (int i = 0; i < 4; i++) {
        send("127.0.0.1", LIVE, token, "X-Forwarded-For: 198.51.100.%d, 192.0.2.1".formatted(i))
            .line("event: state");
      }

      assertThat(send("127.0.0.1", LIVE, token, "X-Forwarded-For: 192.0.2.1").status())
          .isEqualTo(503);
      assertThat(send("127.0.0.1", LIVE, token, "X-Forwarded-For: 192.0.2.2").status())
          .isEqualTo(200);
    }
  }

  /** More than the console takes of all. */
  @Test
  void aClientWithManyConnectionsLeavesSomeToAnother() throws Exception {
    URI endpoint = URI.create(console.endpoint());
    List<Socket> all = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        all.add(
            new Socket(endpoint.getHost(), endpoint.getPort(), InetAddress.getByName(GREEDY), 0));
      }

      await("those beyond its share are closed")
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(() -> assertThat(send(OTHER, "/health").status()).isEqualTo(200));
    } finally {
      for (Socket socket : all) {
        socket.close();
      }
    }
  }

  /** Any program here could write it. */
  @Test
  void withoutATokenNoHeaderMakesAnotherClient() throws Exception {
    for (int i = 0; i < 4; i++) {
      send("127.0.0.1", LIVE).line("event: state");
    }

    assertThat(send("127.0.0.1", LIVE, "X-Forwarded-For: 192.0.2.2").status()).isEqualTo(503);
    assertThat(send("127.0.0.1", LIVE, "Forwarded: for=192.0.2.2").status()).isEqualTo(503);
  }
}
