package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.stack.Installation;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console beside real servers: its API, and its page in a browser. */
class ConsoleIT {
  private static final int DEVICES = 40;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern ADDRESS = Pattern.compile("The console is at (\\S+)/");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of a position by satellites, on the map. */
  private static final Color GNSS = new Color(33, 118, 214);

  @TempDir private static Path directory;

  private static TestStack stack;
  private static LocationRun run;
  private static LastfixProcess.Running console;
  private static String address;

  @BeforeAll
  static void start() throws Exception {
    stack = TestStack.shared();
    run =
        new LocationRun(
            stack, directory, "console", "profiles.names=json", "located.topic=console.located");
    String job = run.submit(Installation.jobJar(), null);
    Instant now = Instant.now();
    List<String> messages = new ArrayList<>();
    for (int device = 0; device < DEVICES; device++) {
      for (int minute = 3; minute > 0; minute--) {
        messages.add(
            message(
                "device" + device,
                now.minus(Duration.ofMinutes(minute)).minusSeconds(device),
                -122.5 + device * 0.002,
                37.6 + minute * 0.001));
      }
    }
    send(messages);
    run.drain(job);
    console =
        new LastfixProcess(directory.resolve("home"), directory)
            .start(run.command("console", "--port", "0"));
    await("the console says its address")
        .atMost(LIMIT)
        .until(() -> ADDRESS.matcher(console.out()).find());
    Matcher said = ADDRESS.matcher(console.out());
    assertThat(said.find()).isTrue();
    address = said.group(1);
  }

  @AfterAll
  static void stop() throws Exception {
    if (console != null) {
      console.terminate();
      LastfixProcess.Result result = console.await(LIMIT);
      assertThat(result.exitCode()).as(result.err()).isZero();
    }
    if (run != null) {
      run.close();
    }
  }

  private static String message(String user, Instant at, double lon, double lat) {
    return String.format(
        Locale.ROOT,
        "{\"user\":\"%s\",\"ts\":%d,\"position\":{\"lon\":%.6f,\"lat\":%.6f,\"accuracy\":12}}",
        user,
        at.toEpochMilli(),
        lon,
        lat);
  }

  private static void send(List<String> messages) {
    String topic = run.config().kafka().locationTopic("json");
    for (String message : messages) {
      var unused = run.producer().send(new ProducerRecord<>(topic, message.getBytes(UTF_8)));
    }
    run.producer().flush();
  }

  private static JsonNode get(String path) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private static JsonNode command(String... arguments) throws Exception {
    LastfixProcess.Result result = LastfixInProcess.run(run, arguments);
    result.mustExitWith(0);
    return result.json();
  }

  @Test
  void theApiAnswersLikeTheCommands() throws Exception {
    assertThat(get("/v1/where/device7")).isEqualTo(command("where", "device7", "--json"));
    assertThat(get("/v1/history/device7")).isEqualTo(command("history", "device7", "--json"));
    JsonNode first = get("/v1/history/device7?limit=2&order=oldest-first");
    JsonNode second = get("/v1/history/device7?token=" + first.path("next").asText());
    assertThat(first.path("sightings")).hasSize(2);
    assertThat(second.path("sightings")).hasSize(1);
    assertThat(get("/v1/near?lat=37.601&lon=-122.48&radius=1000"))
        .isEqualTo(
            command("near", "--lat", "37.601", "--lon", "-122.48", "--radius", "1000", "--json"));
    Path area = directory.resolve("area.geojson");
    Files.writeString(
        area,
        "{\"type\":\"Polygon\",\"coordinates\":[[[-122.491,37.5],[-122.451,37.5],"
            + "[-122.451,37.7],[-122.491,37.7],[-122.491,37.5]]]}");
    JsonNode within = get("/v1/within?bbox=-122.491,37.5,-122.451,37.7");
    assertThat(within).isEqualTo(command("within", area.toString(), "--json"));
    assertThat(within.path("sightings")).hasSize(20);

    LastfixInProcess.run(
            run,
            "analyze",
            "counts",
            "--to",
            Instant.now().plusSeconds(60).toString(),
            "--flink",
            stack.flinkUrl())
        .mustExitWith(0);
    JsonNode counts = get("/v1/counts?by=total&last=1h");
    ObjectNode ofCommand =
        (ObjectNode) command("counts", "--by", "total", "--last", "1h", "--json");
    assertThat(ofCommand.path("batch").asLong()).isPositive();
    assertThat(counts)
        .isEqualTo(
            ofCommand.without(List.of("more", "results", "open", "batch", "newest", "tooLate")));
    assertThat(counts.path("groups").path(0).path("n").asLong())
        .isGreaterThanOrEqualTo(DEVICES * 3L);
  }

  @Test
  void aBrowserShowsARecordAtItsPlaceAsItComesAndAsksNoOtherHost() throws Exception {
    Optional<Path> program = Chromium.find();
    Assumptions.assumeTrue(program.isPresent(), "skipped, for it needs chromium on the PATH");
    Path profile = Files.createDirectory(directory.resolve("browser"));
    try (Chromium browser = Chromium.start(program.get(), profile)) {
      browser.open(address + "/#map=15/37.77000/-122.43000");
      await("the page hears what comes")
          .atMost(LIMIT)
          .until(
              () -> text(browser, "#status"),
              status -> status.startsWith("0 devices in view") && status.endsWith("live"));

      long sent = System.nanoTime();
      send(List.of(message("newcomer", Instant.now(), -122.43, 37.77)));
      await("the device is in the list")
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () ->
                  browser
                      .evaluate("document.querySelector('[data-user=newcomer]') !== null")
                      .asBoolean());
      System.out.printf(
          Locale.ROOT,
          "[console] a record was in the page after %.1f s%n",
          (System.nanoTime() - sent) / 1e9);

      JsonNode middle =
          browser.evaluate(
              "(r => ({x: r.x + r.width / 2, y: r.y + r.height / 2}))"
                  + "(document.getElementById('map').getBoundingClientRect())");
      await("its point is on the map")
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                BufferedImage shown = browser.screenshot();
                Color point =
                    new Color(shown.getRGB(middle.path("x").asInt(), middle.path("y").asInt()));
                assertThat(point.getRed()).isCloseTo(GNSS.getRed(), within(12));
                assertThat(point.getGreen()).isCloseTo(GNSS.getGreen(), within(12));
                assertThat(point.getBlue()).isCloseTo(GNSS.getBlue(), within(12));
              });
      assertThat(colours(browser.screenshot())).hasSizeGreaterThan(30);
      assertThat(browser.requests())
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request).startsWith(address + "/"));
      assertThat(browser.errors()).isEmpty();
    }
  }

  private static String text(Chromium browser, String selector) {
    return browser
        .evaluate("document.querySelector('%s')?.textContent ?? ''".formatted(selector))
        .asText();
  }

  private static Set<Integer> colours(BufferedImage image) {
    Set<Integer> colours = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x += 2) {
      for (int y = 0; y < image.getHeight(); y += 2) {
        colours.add(image.getRGB(x, y));
      }
    }
    return colours;
  }
}
