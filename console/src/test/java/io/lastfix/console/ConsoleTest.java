package io.lastfix.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoTimeoutException;
import io.lastfix.store.query.QueryTimeLimitException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String SIGHTING =
      "{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:00Z\",\"cell\":\"311-480-1-2\","
          + "\"loc\":{\"lon\":-122.4,\"lat\":37.8},\"src\":\"gnss\",\"acc\":6.5";
  private static TestConsole console;

  @BeforeAll
  static void start() {
    console = TestConsole.start();
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  @BeforeEach
  void answerAgain() {
    console.store.devices = 1;
    console.store.failure = null;
    console.store.problem = Optional.empty();
    console.store.hasCounts = true;
  }

  @Test
  void whereAnswersLikeTheCommand() {
    HttpResponse<String> response = console.get("/v1/where/350000000007919");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.headers().firstValue("cache-control")).hasValue("no-store");
    assertThat(response.body())
        .isEqualTo(
            SIGHTING
                + ",\"fix\":{\"ts\":\"2026-11-20T12:00:00Z\",\"cell\":\"311-480-1-2\","
                + "\"loc\":{\"lon\":-122.4,\"lat\":37.8},\"src\":\"gnss\",\"acc\":6.5}}");
  }

  @Test
  void anUnknownDeviceIsAProblem() {
    HttpResponse<String> response = console.get("/v1/where/nobody");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(TestConsole.problem(response)).isEqualTo("unknown");
  }

  @Test
  void historyPagesByToken() {
    String path = "/v1/history/350000000007919";

    assertThat(console.get(path).body()).isEqualTo("{\"sightings\":[" + SIGHTING + "}]}");
    assertThat(console.get(path + "?order=oldest-first").body())
        .isEqualTo("{\"sightings\":[" + SIGHTING + "}],\"next\":\"next\"}");
    assertThat(console.get(path + "?token=next").body()).isEqualTo("{\"sightings\":[]}");
  }

  @Test
  void placesAnswerLikeTheCommands() {
    assertThat(console.get("/v1/within?bbox=-123,37,-122,38").body())
        .isEqualTo("{\"sightings\":[" + SIGHTING + "}],\"more\":false}");
    assertThat(console.get("/v1/near?lat=37.8&lon=-122.4").body())
        .isEqualTo("{\"sightings\":[" + SIGHTING + ",\"distance\":12.5}],\"more\":true}");
  }

  /** MongoDB's polygon is larger than the box. */
  @Test
  void withinLeavesOutWhatIsBesideTheBox() {
    assertThat(console.get("/v1/within?bbox=-123,37.9,-122,38").body())
        .isEqualTo("{\"sightings\":[],\"more\":false}");
  }

  @Test
  void aPolygonIsAnAreaToo() {
    assertThat(console.get("/v1/within?polygon=-123,37,-122,37,-122,38").body())
        .isEqualTo("{\"sightings\":[" + SIGHTING + "}],\"more\":false}");
  }

  @Test
  void aGridHasTheNumberOfDevicesInEachSquare() {
    assertThat(console.get("/v1/grid?bbox=170,37,-170,38&columns=4&rows=8").body())
        .isEqualTo(
            "{\"west\":170.0,\"south\":37.0,\"width\":20.0,\"height\":1.0,\"columns\":4,"
                + "\"rows\":8,\"devices\":42,\"squares\":[{\"c\":2,\"r\":3,\"n\":41,"
                + "\"newest\":\"2026-11-20T12:00:00Z\"},{\"c\":0,\"r\":0,\"n\":1,"
                + "\"newest\":\"2026-11-20T12:00:00Z\"}]}");
  }

  @Test
  void visitorsOfAnAreaHaveTheirFirstAndLastTime() {
    String path = "/v1/visitors?polygon=-123,37,-122,37,-122,38&from=2026-11-20T00:00:00Z";

    assertThat(console.get(path + "&to=2026-11-21T00:00:00Z&limit=1").body())
        .isEqualTo(
            "{\"from\":\"2026-11-20T00:00:00Z\",\"to\":\"2026-11-21T00:00:00Z\",\"more\":true,"
                + "\"visitors\":[{\"user\":\"350000000007919\",\"records\":3,"
                + "\"first\":\"2026-11-20T12:00:00Z\",\"last\":\"2026-11-20T12:00:00Z\"}]}");
    assertThat(TestConsole.json(console.get(path)).path("more").asBoolean()).isFalse();
  }

  /** What the numbers lack, by the fake store. */
  private static final String LATE =
      "\"tooLate\":5,\"tooLateFrom\":\"2026-11-20T12:00:00Z\","
          + "\"tooLateTo\":\"2026-11-20T13:00:00Z\",";

  /** Of windows, what is shown is not the sums of the groups, which may be many. */
  @Test
  void countsAnswerLikeTheCommand() {
    assertThat(console.get("/v1/counts?last=1h").body())
        .isEqualTo(
            "{\"from\":\"2026-11-20T12:00:00Z\",\"to\":\"2026-11-20T13:00:00Z\",\"by\":\"cell\","
                + "\"more\":false,\"results\":2,\"open\":1,\"batch\":0,"
                + "\"newest\":\"2026-11-20T12:00:00Z\","
                + LATE
                + "\"groups\":[{\"k\":\"311-480-1-2\",\"n\":7,\"windows\":2,\"open\":1,"
                + "\"batch\":0,\"newest\":\"2026-11-20T12:00:00Z\"}]}");
    assertThat(console.get("/v1/counts?windows=true&limit=1").body())
        .isEqualTo(
            "{\"from\":\"2026-11-20T12:00:00Z\",\"to\":\"2026-11-20T12:10:00Z\",\"by\":\"cell\","
                + "\"more\":true,\"results\":3,\"open\":1,\"batch\":1,"
                + "\"newest\":\"2026-11-20T12:00:00Z\","
                + LATE
                + "\"windows\":[{\"w\":\"2026-11-20T12:00:00Z\",\"k\":\"311-480-1-2\",\"n\":7,"
                + "\"state\":\"closed\",\"rev\":1}]}");
  }

  @Test
  void withoutCountsThereIsAProblemThatSaysWhatToDo() {
    console.store.hasCounts = false;

    HttpResponse<String> response = console.get("/v1/counts");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("lastfix submit analytics");
  }

  @Test
  void numbersAnswerLikeTheCommands() {
    assertThat(console.get("/v1/density?by=area&limit=1").body())
        .isEqualTo(
            "{\"at\":\"2026-11-20T12:00:00Z\",\"lookBackSeconds\":86400,\"by\":\"area\","
                + LATE.replace("20T", "19T")
                + "\"more\":true,\"results\":2,\"open\":0,\"batch\":1,\"withheld\":1,"
                + "\"newest\":\"2026-11-20T12:00:00Z\","
                + "\"density\":[{\"w\":\"2026-11-20T12:00:00Z\",\"k\":\"808f7e\",\"n\":17,"
                + "\"state\":\"closed\"}]}");
    assertThat(console.get("/v1/density?last=1h&limit=1").body())
        .startsWith("{\"from\":\"2026-11-20T12:00:00Z\",\"to\":\"2026-11-20T13:00:00Z\"");
    assertThat(console.get("/v1/flows?limit=1").body())
        .contains("\"from\":\"2026-11-20T12:00:00Z\",\"to\":\"2026-11-21T12:00:00Z\"")
        .endsWith(
            "\"flows\":[{\"w\":\"2026-11-20T12:00:00Z\",\"from\":\"808f7e\","
                + "\"to\":\"808f7c\",\"state\":\"closed\",\"withheld\":true}]}");
    assertThat(console.get("/v1/stays/x?limit=2").body())
        .contains(
            "\"more\":false,\"results\":2,\"open\":0,\"batch\":1,\"newest\":\"2026-11-20T12:00:00Z\",\"stays\":[")
        .endsWith(
            "{\"user\":\"x\",\"k\":\"808f7e\",\"begin\":\"2026-11-20T12:00:00Z\","
                + "\"end\":\"2026-11-20T12:00:00Z\",\"ended\":\"left\",\"state\":\"closed\"}]}");
    assertThat(console.get("/v1/trips/x").body())
        .contains("{\"user\":\"x\",\"from\":\"808f7e\",\"to\":\"808f7c\",")
        .contains("\"via\":3,\"state\":\"closed\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/density", "/v1/flows", "/v1/stays/x", "/v1/trips/x"})
  void withoutNumbersThereIsAProblemThatSaysWhatToDo(String path) {
    console.store.hasCounts = false;

    HttpResponse<String> response = console.get(path);

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("lastfix submit analytics");
  }

  @Test
  void theHealthHasAStateForEachPart() {
    console.store.failure = new MongoTimeoutException("no server");

    HttpResponse<String> response = console.get("/v1/health");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(TestConsole.json(response).path("mongodb").path("state").asText())
        .isEqualTo("unavailable");
    assertThat(TestConsole.json(response).path("flink").path("state").asText()).isEqualTo("off");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/where/x?color=red",
        "/v1/history/x?limit=0",
        "/v1/history/x?limit=10001",
        "/v1/history/x?limit=1&limit=2",
        "/v1/history/x?order=up",
        "/v1/history/x?from=yesterday",
        "/v1/history/x?from=2026-11-20T12:00:00Z&to=2026-11-20T12:00:00Z",
        "/v1/history/x?token=damaged",
        "/v1/history/x?token=next&from=2026-11-20T12:00:00Z",
        "/v1/within",
        "/v1/within?bbox=1,2,3",
        "/v1/within?bbox=1,2,3,x",
        "/v1/within?bbox=1,2,3,NaN",
        "/v1/within?bbox=1,2,3,91",
        "/v1/within?bbox=-181,2,3,4",
        "/v1/within?bbox=1,4,3,2",
        "/v1/within?bbox=1,2,1,4",
        "/v1/grid?bbox=180,2,-180,4",
        "/v1/within?bbox=1,2,3,4&limit=25001",
        "/v1/within?bbox=1,2,3,4&newer-than=soon",
        "/v1/within?bbox=1,2,3,4&fix=yes",
        "/v1/near?lat=1",
        "/v1/near?lat=91&lon=1",
        "/v1/near?lat=1&lon=1&radius=0",
        "/v1/near?lat=1&lon=1&radius=Infinity",
        "/v1/counts?by=colour",
        "/v1/counts?last=-1m",
        "/v1/counts?limit=10001",
        "/v1/counts?windows=1",
        "/v1/density?by=network",
        "/v1/density?at=2026-11-20T12:00:00Z&last=1h",
        "/v1/density?limit=0",
        "/v1/flows?from=2026-11-20T12:00:00Z&to=2026-11-20T12:00:00Z",
        "/v1/stays/x?last=soon",
        "/v1/trips/x?user=y",
        "/v1/health?verbose=true",
        "/v1/within?polygon=1,2,3,4,5,6&bbox=1,2,3,4",
        "/v1/within?polygon=1,2,3,4",
        "/v1/within?polygon=1,2,3,4,5",
        "/v1/within?polygon=1,2,3,4,5,91",
        "/v1/within?polygon=1,2,1,2,1,2",
        "/v1/grid",
        "/v1/grid?bbox=1,2,3,4&columns=65",
        "/v1/grid?bbox=1,2,3,4&rows=0",
        "/v1/visitors?from=2026-11-20T00:00:00Z",
        "/v1/visitors?polygon=1,2,3,4,5,6",
        "/v1/visitors?polygon=1,2,3,4,5,6&from=2026-11-21T00:00:00Z",
        "/v1/visitors?polygon=1,2,3,4,5,6&from=2026-11-20T00:00:00Z&limit=10001",
      })
  void anInvalidParameterIsRefused(String path) {
    HttpResponse<String> response = console.get(path);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(TestConsole.problem(response)).isEqualTo("parameter");
    assertThat(response.body())
        .as("a name once")
        .contains("\"detail\":\"")
        .doesNotContainPattern("\"detail\":\"(\\S+): \\1: ");
  }

  @Test
  void aUserLongerThanAnyIsRefused() {
    assertThat(console.get("/v1/where/" + "1".repeat(513)).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({"/v1/nothing,404,not-found", "/v1/,404,not-found"})
  void anUnknownAddressIsAProblem(String path, int status, String code) {
    HttpResponse<String> response = console.get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(TestConsole.problem(response)).isEqualTo(code);
  }

  @Test
  void otherMethodsAreRefused() {
    HttpResponse<String> response = console.send("/v1/within?bbox=1,2,3,4", "POST");

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("allow")).hasValue("GET");
  }

  @Test
  void withoutMongoDbRequestsFailSoonAndSucceedLater() {
    console.store.failure = new MongoTimeoutException("no server");

    HttpResponse<String> response = console.get("/v1/where/350000000007919");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(TestConsole.problem(response)).isEqualTo("store-unavailable");
    assertThat(response.headers().firstValue("retry-after")).isPresent();
    console.store.failure = null;
    assertThat(console.get("/v1/where/350000000007919").statusCode()).isEqualTo(200);
  }

  @Test
  void aQueryThatMongoDbAbortsIsAProblem() {
    console.store.failure =
        new QueryTimeLimitException("history", Duration.ofSeconds(10), new IOException());

    HttpResponse<String> response = console.get("/v1/within?bbox=1,2,3,4");

    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(TestConsole.problem(response)).isEqualTo("time-limit");
  }

  /** Its message may name servers. */
  @Test
  void aFaultShowsNothingOfItsCause() {
    console.store.failure = new IllegalStateException("secret");

    HttpResponse<String> response = console.get("/v1/where/350000000007919");

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body()).doesNotContain("secret");
  }

  @Test
  void onlySoManyQueriesWait() throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    console.store.hold = hold;
    try {
      List<CompletableFuture<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < 70; i++) {
        statuses.add(
            CompletableFuture.supplyAsync(
                () -> console.get("/v1/where/350000000007919").statusCode(), threads));
      }
      // The refused ones are answered while the others wait.
      CompletableFuture.anyOf(statuses.toArray(CompletableFuture[]::new)).join();
      console.store.hold = null;
      hold.countDown();
      List<Integer> found = statuses.stream().map(CompletableFuture::join).toList();

      assertThat(found).contains(200, 503).containsOnly(200, 503);
      assertThat(found).filteredOn(it -> it == 200).hasSizeGreaterThanOrEqualTo(64);
    } finally {
      console.store.hold = null;
      hold.countDown();
      threads.shutdown();
    }
  }

  /** Each answer has 3 MB; without a limit, some hundred of them would end the console. */
  @Test
  void readersThatDoNotReadFillNoMemory() throws IOException {
    console.store.devices = 25_000;
    URI endpoint = URI.create(console.endpoint());
    String query = "/v1/within?bbox=-123,37,-122,38&limit=25000";
    List<Socket> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        Socket reader = new Socket();
        readers.add(reader);
        reader.setReceiveBufferSize(8 * 1024);
        reader.connect(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()));
        reader
            .getOutputStream()
            // The system's buffers take the first one.
            .write(
                "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .formatted(query)
                    .repeat(3)
                    .getBytes(UTF_8));
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                HttpResponse<String> refused = console.get(query);
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.body()).contains("overloaded", "have not read their answers");
              });
      assertThat(console.get("/v1/where/350000000007919").statusCode()).isEqualTo(200);
      String request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(query);
      assertThat(statusOf("127.0.0.2", request)).as("another client").isEqualTo(200);
    } finally {
      for (Socket reader : readers) {
        reader.close();
      }
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(console.get(query).statusCode()).isEqualTo(200));
  }

  @Test
  void readinessIsMongoDbs() {
    assertThat(console.get("/health").statusCode()).isEqualTo(200);
    assertThat(console.get("/ready").body())
        .isEqualTo("{\"status\":\"ready\",\"mongodb\":\"ready\",\"draining\":false}");
    console.store.problem = Optional.of("MongoDB does not answer");
    assertThat(console.get("/ready").statusCode()).isEqualTo(503);
    assertThat(console.get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void thePageIsServedWithAPolicyThatNamesNobodyElse() {
    HttpResponse<String> page = console.get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<title>Lastfix console</title>");
    assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'self';")
        .doesNotContain("unsafe", "blob:", "data:", "http");
    assertThat(page.headers().firstValue("x-content-type-options")).hasValue("nosniff");
    for (String path : List.of("/base/region.json", "/base/world.json", "/icon.svg")) {
      assertThat(console.get(path).statusCode()).as(path).isEqualTo(200);
    }
  }

  @Test
  void aMapOfTheUsersIsServedInRanges(@TempDir Path directory) throws IOException {
    Path map = Files.writeString(directory.resolve("map.pmtiles"), "PMTiles0123456789");
    assertThat(console.get("/map.json").body()).isEqualTo("{\"pmtiles\":false}");
    assertThat(console.get("/map.pmtiles").statusCode()).isEqualTo(404);
    try (TestConsole withMap = TestConsole.startWithMap(map)) {
      assertThat(withMap.get("/map.json").body()).isEqualTo("{\"pmtiles\":true}");
      HttpResponse<String> part = withMap.get("/map.pmtiles", "Range", "bytes=7-9");
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo("012");
      assertThat(part.headers().firstValue("content-range")).hasValue("bytes 7-9/17");
      String before = part.headers().firstValue("etag").orElseThrow();
      assertThat(withMap.get("/map.pmtiles", "Range", "bytes=15-99999").body()).isEqualTo("89");
      for (String range : List.of("bytes=17-20", "bytes=5-4", "bytes=0-1,3-4", "bytes=-5")) {
        assertThat(withMap.get("/map.pmtiles", "Range", range).statusCode()).isEqualTo(416);
      }
      assertThat(withMap.get("/map.pmtiles").statusCode()).isEqualTo(416);
      Files.writeString(map, "PMTiles, another one");
      assertThat(
              withMap
                  .get("/map.pmtiles", "Range", "bytes=0-6")
                  .headers()
                  .firstValue("etag")
                  .orElseThrow())
          .isNotEqualTo(before);
    }
    Path absent = directory.resolve("absent.pmtiles");
    assertThatThrownBy(() -> TestConsole.startWithMap(absent)).hasMessageContaining("cannot read");
  }

  /** A page that is open while a console is started again so knows that it shows other data. */
  @Test
  void answersNameAnotherConsoleIfItsConfigurationIsAnotherOne(@TempDir Path directory)
      throws IOException {
    Path map = Files.writeString(directory.resolve("map.pmtiles"), "PMTiles0123456789");
    String first = generation(console);
    try (TestConsole same = TestConsole.start();
        TestConsole withToken = TestConsole.start("0123456789abcdef");
        TestConsole other = TestConsole.startWithMap(map)) {
      assertThat(generation(same)).isEqualTo(first);
      assertThat(generation(withToken)).isEqualTo(first);
      assertThat(generation(other)).isNotEqualTo(first);
    }
  }

  private static String generation(TestConsole of) {
    return of.get("/v1/health").headers().firstValue("lastfix-console").orElseThrow();
  }

  @Test
  void answersOfTheApiHaveThePolicyToo() {
    assertThat(console.get("/v1/nothing").headers().firstValue("content-security-policy"))
        .isPresent();
  }

  /** A page of another name, which its owner makes stand for this machine. */
  @Test
  void withoutATokenAnotherHostIsRefused() throws IOException {
    assertThat(statusOf("GET /v1/where/350000000007919 HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
        .isEqualTo(421);
    assertThat(statusOf("GET /v1/where/350000000007919 HTTP/1.1\r\nHost: localhost:8490\r\n\r\n"))
        .isEqualTo(200);
  }

  @Test
  void withoutATokenAPageOfAnotherSiteRunsNoQuery() throws IOException {
    String start = "GET /v1/where/350000000007919 HTTP/1.1\r\nHost: localhost:8490\r\n";
    String image =
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n\r\n";
    assertThat(statusOf(start + image)).isEqualTo(403);
    assertThat(statusOf(start + "Origin: https://page.example\r\n\r\n")).isEqualTo(403);
    assertThat(statusOf(start + "Origin: http://localhost:8490\r\n\r\n")).isEqualTo(200);
    assertThat(statusOf(start + "Sec-Fetch-Site: same-origin\r\n\r\n")).isEqualTo(200);
    assertThat(statusOf(start + image.replace("no-cors", "navigate").replace("image", "document")))
        .as("a user who follows a link")
        .isEqualTo(200);
  }

  private static int statusOf(String request) throws IOException {
    return statusOf("127.0.0.1", request);
  }

  private static int statusOf(String from, String request) throws IOException {
    URI endpoint = URI.create(console.endpoint());
    InetAddress own = InetAddress.getByName(from);
    try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort(), own, 0)) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      String head = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
      return Integer.parseInt(head.substring(9));
    }
  }

  @Test
  void aTokenIsNeededForTheApiOnly() {
    try (TestConsole closed = TestConsole.start(TOKEN)) {
      HttpResponse<String> refused = closed.get("/v1/where/350000000007919");
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.headers().firstValue("www-authenticate")).isPresent();
      assertThat(
              closed
                  .get("/v1/where/350000000007919", "Authorization", "Bearer " + TOKEN + "0")
                  .statusCode())
          .isEqualTo(401);
      assertThat(
              closed
                  .get("/v1/where/350000000007919", "Authorization", "Bearer " + TOKEN)
                  .statusCode())
          .isEqualTo(200);
      assertThat(closed.get("/").statusCode()).isEqualTo(200);
      assertThat(closed.get("/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aTakenPortIsNamed() {
    int port = URI.create(console.endpoint()).getPort();
    FakeStore store = new FakeStore();
    assertThatThrownBy(() -> Console.start(TestConsole.config(port, null), store, null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1 port " + port);
  }
}
