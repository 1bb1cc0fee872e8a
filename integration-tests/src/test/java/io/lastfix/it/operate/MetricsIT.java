package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.local.NotifyServer;
import io.lastfix.local.PrometheusServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules, the alerts and the dashboard that ship, in a real Prometheus. With {@code
 * -Dlastfix.reference=write} it draws the dashboard for the pages.
 */
@EnabledIf(value = "isInstalled", disabledReason = "no Prometheus is installed")
class MetricsIT {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int MOST_SERIES_PER_SUBTASK = 60;
  private static final Path RULES = Installation.config("metrics/lastfix-rules.yml");
  private static final Path EXPECTED = Installation.config("metrics/lastfix-expected.yml");
  private static final Path DASHBOARD = Installation.config("metrics/lastfix-dashboard.json");
  private static final Path RULE_TESTS = Path.of("src/test/resources/metrics/rules-test.yml");
  private static final Path LONG_RULE_TESTS =
      Path.of("src/test/resources/metrics/rules-days-test.yml");
  private static final Pattern METRIC = Pattern.compile("\\b(?:lastfix|flink)_\\w+");
  private static final Pattern SUBTASK =
      Pattern.compile("task_name=\"([^\"]*)\".*subtask_index=\"(\\d+)\"");

  @TempDir private static Path directory;

  private final LastfixProcess lastfix = new LastfixProcess(directory.resolve("home"), directory);
  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  /** Where CI runs it has to be, so that nothing is left out unseen. */
  static boolean isInstalled() {
    return "true".equals(System.getenv("CI")) || PrometheusServer.find(System.getenv()).isPresent();
  }

  @AfterEach
  void takeDown() throws Exception {
    if (!lastfix.serversRunning().isEmpty()) {
      lastfix.run(LIMIT, "down", "--purge").mustExitWith(0);
    }
  }

  @Test
  void eachAlertFiresForItsFaultAndNotBefore() throws Exception {
    assertThat(promtool("check", "rules", RULES.toString(), EXPECTED.toString()))
        .contains("SUCCESS")
        .doesNotContain("FAILED");
    assertThat(promtool("test", "rules", RULE_TESTS.toString(), LONG_RULE_TESTS.toString()))
        .contains("SUCCESS");
  }

  private static String promtool(String... arguments) throws Exception {
    Path program = PrometheusServer.find(System.getenv()).orElseThrow().resolveSibling("promtool");
    Process process =
        new ProcessBuilder(
                Stream.concat(Stream.of(program.toString()), Arrays.stream(arguments)).toList())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void everyMetricOfARuleOrAPanelIsThereAndAFaultMakesItsAlertActive() throws Exception {
    StackHome home = new StackHome(directory.resolve("home"));
    LastfixProcess withPorts = lastfix.withPortsOfItsOwn();
    // As after an earlier "up --rules", of which the job does not run.
    Files.writeString(home.servicesFile(), NotifyServer.NAME);
    JsonNode endpoints =
        withPorts
            .run(
                LIMIT,
                "up",
                "--metrics",
                "--gateway",
                "--mqtt",
                "--console",
                "--timeout",
                "120",
                "--json")
            .mustExitWith(0)
            .json()
            .path("endpoints");
    String prometheus = endpoints.path("prometheus").asText();
    JsonNode status = lastfix.run(LIMIT, "status", "--json").mustExitWith(0).json();
    assertThat(status.toString()).contains("\"name\":\"prometheus\",\"endpoint\":\"" + prometheus);
    submit("location");
    submit("devices");
    send(
        endpoints.path("gateway").asText()
            + "/osmand?id=4711&timestamp=1795176001&lat=37&lon=-122");
    sendNothing(endpoints.path("gateway").asText() + "/v1/records/json");
    send(endpoints.path("console").asText() + "/");
    lastfix.run(LIMIT, "push", "--count", "2000", "--rate", "500").mustExitWith(0);

    Set<String> used = metrics(Files.readString(RULES));
    used.addAll(metrics(Files.readString(DASHBOARD)));
    assertThat(used).hasSizeGreaterThan(60);
    await("every metric is there")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () ->
                assertThat(used)
                    .allSatisfy(
                        metric -> assertThat(query(prometheus, metric)).as(metric).isNotEmpty()));
    assertThat(query(prometheus, "up == 0")).isEmpty();
    assertThat(query(prometheus, "lastfix_ledger_unaccounted != 0")).isEmpty();
    assertThat(seriesBySubtask(prometheus).values())
        .isNotEmpty()
        .allSatisfy(series -> assertThat(series).isLessThanOrEqualTo(MOST_SERIES_PER_SUBTASK));
    assertThat(state(prometheus, "LastfixRejected")).isEqualTo("inactive");
    // It was pending until the jobs ran; Prometheus has to look once more.
    awaitInactive(prometheus);

    lastfix
        .run(LIMIT, "push", "--count", "2000", "--rate", "100", "--malformed", "0.5")
        .mustExitWith(0);
    awaitActive(prometheus, "LastfixRejected");
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      new DashboardPicture(
              json.readTree(DASHBOARD.toFile()), expression -> lastMinutes(prometheus, expression))
          .write(Installation.root().resolve("docs/operate/dashboard.png"));
      writeAlerts(prometheus, Installation.root().resolve("docs/operate/alert.png"));
    }
    lastfix.run(LIMIT, "stop", "devices").mustExitWith(0);
    await("the stopped job is not expected any longer")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> query(prometheus, "lastfix_job_expected").size() == 1);
    awaitInactive(prometheus);
    long taskManager =
        StackState.read(home).orElseThrow().process("taskmanager-0").orElseThrow().pid();
    new ProcessBuilder("kill", "-KILL", Long.toString(taskManager)).start().waitFor();
    awaitActive(prometheus, "LastfixJobDown");
  }

  private void awaitInactive(String prometheus) {
    await("LastfixJobDown is inactive")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> state(prometheus, "LastfixJobDown"), "inactive"::equals);
  }

  private void submit(String job) throws Exception {
    lastfix
        .run(
            LIMIT,
            "submit",
            job,
            "--set",
            "job.parallelism=1",
            "--set",
            "checkpoint.interval=2 s",
            "--set",
            "locate.max-wait=1 s")
        .mustExitWith(0);
  }

  private void awaitActive(String prometheus, String alert) {
    await(alert + " is pending or fires")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> !state(prometheus, alert).equals("inactive"));
  }

  private void send(String address) throws Exception {
    assertThat(get(address).statusCode()).as(address).isEqualTo(200);
  }

  /** A request that is refused, so that there is a counter of those. */
  private void sendNothing(String address) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(400);
  }

  private HttpResponse<String> get(String address) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Set<String> metrics(String text) {
    return METRIC
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private JsonNode query(String prometheus, String expression) throws Exception {
    return data(prometheus, "query?query=" + URLEncoder.encode(expression, UTF_8)).path("result");
  }

  /** Prometheus' own page. */
  private static void writeAlerts(String prometheus, Path png) throws Exception {
    int code =
        new ProcessBuilder(
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--window-size=1000,640",
                "--screenshot=" + png,
                prometheus + "/classic/alerts")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    assertThat(code).isZero();
  }

  private JsonNode lastMinutes(String prometheus, String expression) throws Exception {
    long now = Instant.now().getEpochSecond();
    return data(
            prometheus,
            "query_range?query=%s&start=%d&end=%d&step=2"
                .formatted(URLEncoder.encode(expression, UTF_8), now - 120, now))
        .path("result");
  }

  private JsonNode data(String prometheus, String path) throws Exception {
    return json.readTree(get(prometheus + "/api/v1/" + path).body()).path("data");
  }

  private String state(String prometheus, String alert) throws Exception {
    for (JsonNode group : data(prometheus, "rules?type=alert").path("groups")) {
      for (JsonNode rule : group.path("rules")) {
        if (rule.path("name").asText().equals(alert)) {
          return rule.path("state").asText();
        }
      }
    }
    throw new AssertionError("no alert " + alert);
  }

  /** How many series Flink reports, by job, task and subtask. */
  private Map<String, Long> seriesBySubtask(String prometheus) throws Exception {
    StringBuilder exposed = new StringBuilder();
    for (JsonNode target : data(prometheus, "targets").path("activeTargets")) {
      if (target.path("labels").path("job").asText().equals("flink")) {
        exposed.append(get(target.path("scrapeUrl").asText()).body());
      }
    }
    return exposed
        .toString()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(SUBTASK::matcher)
        .filter(Matcher::find)
        .collect(
            Collectors.groupingBy(
                subtask -> subtask.group(1) + " " + subtask.group(2), Collectors.counting()));
  }
}
