package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.Nightly;
import io.lastfix.it.harness.PatchedJar;
import io.lastfix.it.harness.WebhookServer;
import io.lastfix.local.AlertmanagerServer;
import io.lastfix.local.NotifyServer;
import io.lastfix.local.PrometheusServer;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.alerts.TestAlerts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fault of the running stack for each alert that ships: Prometheus fires it, Alertmanager lists
 * it and notifies, and notifies again after the fault is mended; no alert fires that the fault does
 * not explain. What an operator does every day fires none. The short form has one fault.
 *
 * <p>Minutes are 3 s here: in a copy of the rules, all times of alerts and of recorded series are a
 * twentieth, and so is the interval at which Prometheus looks at them. It scrapes each second,
 * which would be 20 s. Thresholds in seconds or messages are as they ship. {@link MetricsIT} tests
 * the times that ship.
 */
@Nightly
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIf(value = "isInstalled", disabledReason = "no Prometheus or no Alertmanager is installed")
class AlertsIT {
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final int FASTER = 20;
  private static final Path RULES = Installation.config("metrics/lastfix-rules.yml");
  private static final String TOPIC = "lastfix.location.json";
  private static final String DEVICES = "lastfix_location_devices";
  private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");
  private static final Pattern TIME = Pattern.compile("(\\[|:|for: |interval: )(\\d+)([smd])\\b");

  /** A flapping alert, or one that Alertmanager repeats, notifies more often. */
  private static final int MOST_NOTIFICATIONS = 6;

  /** Of each fault that stops the flow of records for a while. */
  private static final List<String> BACKLOG = List.of("LastfixStale", "LastfixLag");

  private static final List<String> JOB =
      List.of(
          "profiles.names=json",
          "job.parallelism=1",
          "checkpoint.interval=1 s",
          "locate.max-wait=0 s",
          "restart.max-backoff=1 s",
          "mongo.timeout=10 s",
          "sink.retry.timeout=20 s");

  @TempDir private static Path directory;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Set<String> SEEN = new TreeSet<>();

  private static StackHome home;
  private static LastfixProcess lastfix;
  private static Alertmanager alertmanager;
  private static WebhookServer webhook;
  private static DeviceTraffic traffic;
  private static Map<String, String> endpoints;
  private static boolean isFast;

  /** Where CI runs they have to be, so that nothing is left out unseen. */
  static boolean isInstalled() {
    return "true".equals(System.getenv("CI"))
        || (PrometheusServer.find(System.getenv()).isPresent()
            && AlertmanagerServer.find(System.getenv()).isPresent());
  }

  @BeforeAll
  static void bringUp() throws Exception {
    assertThat(PrometheusServer.find(System.getenv())).as("Prometheus").isPresent();
    assertThat(AlertmanagerServer.find(System.getenv())).as("Alertmanager").isPresent();
    home = new StackHome(directory.resolve("home"));
    lastfix = new LastfixProcess(home.root(), directory).withPortsOfItsOwn();
    alertmanager =
        new Alertmanager(
            Installation.config("metrics/alertmanager.yml"),
            home.configDirectory(AlertmanagerServer.NAME).resolve("alertmanager.yml"));
    webhook = new WebhookServer();
    webhook.receiveFrom(home, "dispatch");
    // As after an earlier "up --rules", of which the job does not run.
    Files.writeString(home.servicesFile(), NotifyServer.NAME);
    up("--metrics", "--gateway", "--mqtt", "--mongo-members", "1");
    endpoints = StackState.read(home).orElseThrow().endpoints();
    alertmanager.at(endpoints.get(AlertmanagerServer.NAME));
    submit();
    submitDevices();
    traffic = new DeviceTraffic(endpoints.get("kafka"), TOPIC, endpoints.get("gateway"));
    traffic.start();
  }

  @AfterAll
  static void takeDown() throws Exception {
    if (traffic != null) {
      traffic.close();
    }
    if (lastfix != null && !lastfix.serversRunning().isEmpty()) {
      signal("mongod-0", "CONT");
      lastfix.run(LIMIT, "down", "--purge").mustExitWith(0);
    }
    if (alertmanager != null) {
      alertmanager.close();
    }
    if (webhook != null) {
      webhook.close();
    }
  }

  @BeforeEach
  void awaitThatAllIsWell() {
    await("no alert is active")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () ->
                alertmanager.active().isEmpty()
                    // The series ALERTS is shown for five minutes after Prometheus has ended.
                    && get(endpoints.get(PrometheusServer.NAME) + "/api/v1/alerts")
                        .at("/data/alerts")
                        .isEmpty()
                    && samples("lastfix_job_tasks") == 2
                    && samples("lastfix_ledger_checkpoint") > 0);
  }

  @Test
  @Order(1)
  void anUpgradeARescaleAStopAndARestartOfTheServersFireNothing() throws Exception {
    assumeThat(Chaos.isLong()).as("only in the long form").isTrue();
    lastfix
        .run(LIMIT, command("upgrade", "--to", PatchedJar.good(directory).toString()))
        .mustExitWith(0);
    lastfix.run(LIMIT, command("stop")).mustExitWith(0);
    submit("--resume", "--set", "job.parallelism=2");
    lastfix.run(LIMIT, "down").mustExitWith(0);
    up("--metrics", "--gateway", "--mqtt");
    submit("--resume");
    submitDevices("--resume");
    awaitThatAllIsWell();

    assertThat(samples("count_over_time(ALERTS{alertstate=\"firing\"}[15m])")).isZero();
  }

  @Test
  @Order(2)
  void aKilledTaskManager() throws Exception {
    try (Fault fault =
        new Fault("TaskManager killed", "LastfixJobDown")
            .mayFire(BACKLOG)
            // Flink counts restarts in vain, for lack of slots, too. None has a checkpoint.
            .mayFire(List.of("LastfixJobRestarts", "LastfixNoCheckpoint"))) {
      signal("taskmanager-0", "KILL");
      fault.awaitFiring();
      await("both jobs are down")
          .atMost(LIMIT)
          .until(
              () ->
                  alertmanager
                      .active()
                      .findValuesAsText("job_name")
                      .containsAll(List.of("lastfix_location", DEVICES)));
      up();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(2)
  void aDevicesJobThatIsGone() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("devices job cancelled in Flink", "LastfixJobDown")) {
      cancelDevices();
      fault.awaitFiring();
      assertThat(alertmanager.active().findValuesAsText("job_name")).containsExactly(DEVICES);
      submitDevices("--afresh");
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void aKilledGateway() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("gateway killed", "LastfixGatewayDown")) {
      signal("gateway", "KILL");
      fault.awaitFiring();
      up();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void aKilledMqttBroker() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("MQTT broker killed", "LastfixGatewayMqtt")) {
      signal("mqtt", "KILL");
      fault.awaitFiring();
      up();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void aKilledNotify() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("notify killed", "LastfixNotifyDown")) {
      signal(NotifyServer.NAME, "KILL");
      fault.awaitFiring();
      up();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void aWebhookThatFails() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("a webhook answers 500", "LastfixNotifyStalled")) {
      webhook.answer(500);
      traffic.send("lastfix.alerts", AlertCodec.json(TestAlerts.LEFT).toString());
      fault.awaitFiring();
      webhook.answer(204);
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void anAlertForAReceiverThatIsNotConfigured() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("a rule names an unknown webhook", "LastfixAlertsUndelivered")) {
      traffic.send(
          "lastfix.alerts",
          AlertCodec.json(TestAlerts.LEFT).toString().replace("\"dispatch\"", "\"nowhere\""));
      fault.awaitFiring();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void whatNoGatewayWrote() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault =
        new Fault("a foreign message among the heartbeats", "LastfixHeartbeatsUnreadable")) {
      traffic.send("lastfix.heartbeats", "no heartbeat");
      fault.awaitFiring();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(3)
  void brokenRecords() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault = new Fault("every second record is broken", "LastfixRejected")) {
      traffic.breakHalf();
      fault.awaitFiring();
      traffic.calm();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(4)
  void aMongodThatHangs() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault =
        new Fault("mongod hangs (SIGSTOP)", "LastfixNoCheckpoint")
            .mayFire(BACKLOG)
            .mayFire(List.of("LastfixRetries", "LastfixJobRestarts"))) {
      signal("mongod-0", "STOP");
      fault.awaitFiring();
      signal("mongod-0", "CONT");
      fault.awaitResolved();
    }
  }

  @Test
  @Order(5)
  void aMongodThatIsTooSlow() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault =
        new Fault("mongod runs 3 % of the time", "LastfixLag", "LastfixStale")
            .mayFire(List.of("LastfixRetries", "LastfixJobRestarts", "LastfixNoCheckpoint"))) {
      ScheduledExecutorService slow = slowDown("mongod-0");
      try {
        traffic.rate(6_000);
        fault.awaitFiring();
      } finally {
        slow.shutdown();
        assertThat(slow.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        signal("mongod-0", "CONT");
        traffic.calm();
      }
      fault.awaitResolved();
    }
  }

  @Test
  @Order(6)
  void aKilledBroker() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    // A client that has never committed does not say that it cannot.
    await("the job has committed").atMost(LIMIT).until(AlertsIT::hasCommitted);
    try (Fault fault =
        new Fault(
                "Kafka killed",
                "LastfixCommitsFail",
                "LastfixGatewayKafka",
                "LastfixGatewayRefuses")
            .mayFire(BACKLOG)
            // Without Kafka a gateway takes nothing from its broker; jobs that write to Kafka fail.
            .mayFire(List.of("LastfixGatewayMqtt", "LastfixJobRestarts", "LastfixNoCheckpoint"))
            .mayFire(List.of("LastfixNotifyStalled"))) {
      signal("kafka", "KILL");
      fault.awaitFiring();
      up();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(7)
  void recordsThatKafkaDeletesBeforeTheyAreRead() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault =
        new Fault("Kafka deleted unread records", "LastfixSourceGap").mayFire(BACKLOG)) {
      lastfix.run(LIMIT, command("stop")).mustExitWith(0);
      deleteWhatComes();
      submit("--resume");
      fault.awaitFiring();
      // What is lost stays lost: the alert ends with the tasks.
      lastfix.run(LIMIT, command("stop")).mustExitWith(0);
      submit("--resume");
      fault.awaitResolved();
    }
  }

  @Test
  @Order(8)
  void aBuildThatLosesRecords() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    try (Fault fault =
        new Fault("a build that loses records", "LastfixLedgerUnaccounted")
            .mayFire(BACKLOG)
            // An upgrade in more than 9 s is one in more than 3 minutes.
            .mayFire(List.of("LastfixJobDown"))) {
      // It compares the ledgers, and says so (4) if the first checkpoint misses a record already.
      assertThat(
              lastfix
                  .run(LIMIT, command("upgrade", "--to", PatchedJar.losing(directory).toString()))
                  .exitCode())
          .isIn(0, 4);
      fault.awaitFiring();
      lastfix.run(LIMIT, command("stop")).mustExitWith(0);
      submit("--afresh", "--set", "source.start=earliest");
      fault.awaitResolved();
    }
  }

  @Test
  @Order(9)
  void aKilledMongod() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    lastfix.run(LIMIT, command("stop")).mustExitWith(0);
    // About a twentieth, too, so that the job fails as often as one does with the default.
    submit("--resume", "--set", "sink.retry.timeout=10 s", "--set", "mongo.timeout=1500 ms");
    awaitThatAllIsWell();
    try (Fault fault =
        new Fault("mongod killed", "LastfixRetries", "LastfixJobRestarts")
            .mayFire(BACKLOG)
            .mayFire(List.of("LastfixNoCheckpoint"))) {
      signal("mongod-0", "KILL");
      fault.awaitFiring();
      up();
      fault.awaitResolved();
    }
  }

  @Test
  @Order(10)
  void everyAlertHadItsFault() throws Exception {
    assumeThat(Chaos.isLong()).isTrue();
    assertThat(SEEN)
        .isEqualTo(
            ALERT
                .matcher(Files.readString(RULES))
                .results()
                .map(alert -> alert.group(1))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** From the injection of a fault until nothing of it is left. */
  private static final class Fault implements AutoCloseable {
    private final String name;
    private final List<String> alerts;
    private final FaultReport report;
    private final Set<String> explained;
    private final List<Long> notifiedBefore = new ArrayList<>();
    private final Instant begin = Instant.now();
    private Instant since;

    /**
     * Begins.
     *
     * @param alerts that it has to fire
     */
    Fault(String name, String... alerts) throws Exception {
      speedUp();
      this.name = name;
      this.alerts = List.of(alerts);
      explained = new TreeSet<>(this.alerts);
      report = FaultReport.of(name);
      for (String alert : alerts) {
        notifiedBefore.add(alertmanager.notified(alert, "firing"));
      }
      since = Instant.now();
    }

    /** Alerts that the fault explains, although it need not fire them. */
    Fault mayFire(List<String> alerts) {
      explained.addAll(alerts);
      return this;
    }

    /** All its alerts are listed, with what an operator needs. */
    void awaitFiring() throws Exception {
      for (String alert : alerts) {
        JsonNode listed =
            await(alert + " fires: " + name)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> alertmanager.active(alert), Optional::isPresent)
                .orElseThrow();
        report.time(alert + " fires after", Duration.between(since, Instant.now()));
        assertThat(listed.path("labels").path("severity").asText()).isIn("critical", "warning");
        assertThat(listed.path("annotations").path("summary").asText()).isNotBlank();
        assertRunbookExists(listed.path("annotations").path("runbook_url").asText());
        SEEN.add(alert);
      }
      since = Instant.now();
    }

    /** Of all its alerts, and the receiver was told of both; no other one fired. */
    void awaitResolved() throws Exception {
      for (int i = 0; i < alerts.size(); i++) {
        String alert = alerts.get(i);
        await(alert + " is resolved: " + name)
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(500))
            .until(() -> alertmanager.active(alert).isEmpty());
        report.time("resolved after", Duration.between(since, Instant.now()));
        long before = notifiedBefore.get(i);
        await(alert + " is notified as resolved")
            .atMost(LIMIT)
            .until(() -> alertmanager.notified(alert, "resolved") > before);
        assertThat(alertmanager.notified(alert, "firing"))
            .as(alert)
            .isBetween(before + 1, before + MOST_NOTIFICATIONS);
      }
      assertThat(explained).as("alerts that %s explains", name).containsAll(fired());
    }

    /** Not a moment before the fault: the last alert of the method before may have ended then. */
    private List<String> fired() throws Exception {
      return query(
              "count by (alertname) (count_over_time(ALERTS{alertstate=\"firing\"}[%dms]))"
                  .formatted(Duration.between(begin, Instant.now()).toMillis()))
          .findValuesAsText("alertname");
    }

    @Override
    public void close() {
      report.print();
    }
  }

  private static void assertRunbookExists(String runbook) throws IOException {
    String page = Files.readString(Installation.root().resolve(runbook.split("#", -1)[0]));
    Set<String> anchors =
        Pattern.compile("<a id=\"([a-z]+)\">")
            .matcher(page)
            .results()
            .map(anchor -> anchor.group(1))
            .collect(Collectors.toSet());
    assertThat(anchors).contains(runbook.split("#", -1)[1]);
  }

  /** Lets a process run 3 % of the time only, until it is shut down. */
  private static ScheduledExecutorService slowDown(String process) {
    ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);
    sendEachSecond(thread, process, "STOP", 0);
    sendEachSecond(thread, process, "CONT", 970);
    return thread;
  }

  private static void sendEachSecond(
      ScheduledExecutorService thread, String process, String signal, long firstMillis) {
    var unused =
        thread.scheduleAtFixedRate(
            () -> {
              try {
                signal(process, signal);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            firstMillis,
            1_000,
            TimeUnit.MILLISECONDS);
  }

  /** Gives Prometheus the rules with short times, if it has those that ship. */
  private static void speedUp() throws Exception {
    Path fast = directory.resolve("rules.yml");
    Path settings = home.configDirectory(PrometheusServer.NAME).resolve("prometheus.yml");
    String shipped = Files.readString(settings);
    if (!shipped.contains(RULES.toString())) {
      return;
    }
    Files.writeString(fast, faster(Files.readString(RULES)));
    Files.writeString(
        settings,
        shipped
            .replace(RULES.toString(), fast.toString())
            .replace("scrape_interval: 5s", "scrape_interval: 1s")
            .replace("evaluation_interval: 5s", faster("evaluation_interval: 5s")));
    isFast = true;
    signal(PrometheusServer.NAME, "HUP");
    await("Prometheus has the rules")
        .atMost(LIMIT)
        .until(
            () ->
                get(endpoints.get(PrometheusServer.NAME) + "/api/v1/rules?type=alert")
                    .findValuesAsText("file")
                    .contains(fast.toString()));
    // What ends between the last scrape at the former interval and the first at this one that
    // succeeds has no mark of its end, so Prometheus shows it for five minutes more. A scrape at
    // this interval has a second, which a busy machine may exceed.
    await("Prometheus scrapes each second")
        .atMost(LIMIT)
        .until(
            () -> {
              int scraped = samples("count_over_time(up[3s]) >= 2 and min_over_time(up[3s]) == 1");
              return scraped > 0 && scraped == samples("up");
            });
  }

  private static String faster(String rules) {
    return TIME.matcher(rules).replaceAll(AlertsIT::faster);
  }

  private static String faster(MatchResult time) {
    int millis =
        Integer.parseInt(time.group(2))
            * switch (time.group(3)) {
              case "s" -> 1_000;
              case "m" -> 60_000;
              default -> 86_400_000;
            };
    return time.group(1) + millis / FASTER + "ms";
  }

  private static void up(String... more) throws Exception {
    lastfix
        .run(
            LIMIT,
            Stream.concat(Stream.of("up", "--timeout", "120"), Stream.of(more))
                .toArray(String[]::new))
        .mustExitWith(0);
    if (isFast) {
      // It has written the settings of Prometheus anew.
      speedUp();
    }
  }

  private static void submit(String... more) throws Exception {
    lastfix.run(LIMIT, command("submit", more)).mustExitWith(0);
  }

  private static void submitDevices(String... more) throws Exception {
    lastfix.run(LIMIT, commandFor("devices", "submit", more)).mustExitWith(0);
  }

  /** In Flink's web page, so that no file says that it is not to run. */
  private static void cancelDevices() throws Exception {
    for (JsonNode job : get(endpoints.get("flink") + "/jobs/overview").path("jobs")) {
      if (job.path("name").asText().equals("lastfix-location-devices")
          && job.path("state").asText().equals("RUNNING")) {
        HttpRequest cancel =
            HttpRequest.newBuilder(
                    URI.create(endpoints.get("flink") + "/jobs/" + job.path("jid").asText()))
                .method("PATCH", HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(CLIENT.send(cancel, BodyHandlers.discarding()).statusCode()).isEqualTo(202);
      }
    }
  }

  private static String[] command(String command, String... more) {
    return commandFor("location", command, more);
  }

  private static String[] commandFor(String job, String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command, job));
    JOB.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private static void signal(String process, String signal)
      throws IOException, InterruptedException {
    long pid = StackState.read(home).orElseThrow().process(process).orElseThrow().pid();
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
  }

  private static Admin admin() {
    Properties properties = new Properties();
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, endpoints.get("kafka"));
    return Admin.create(properties);
  }

  private static boolean hasCommitted() throws Exception {
    try (Admin admin = admin()) {
      return !admin
          .listConsumerGroupOffsets("lastfix-location")
          .partitionsToOffsetAndMetadata()
          .get()
          .isEmpty();
    }
  }

  /** As retention does: what has come since the job ended is gone. */
  private static void deleteWhatComes() throws Exception {
    try (Admin admin = admin()) {
      List<TopicPartition> partitions =
          admin
              .describeTopics(List.of(TOPIC))
              .allTopicNames()
              .get()
              .get(TOPIC)
              .partitions()
              .stream()
              .map(partition -> new TopicPartition(TOPIC, partition.partition()))
              .toList();
      Map<TopicPartition, Long> before = ends(admin, partitions);
      await("records come")
          .atMost(LIMIT)
          .until(
              () ->
                  ends(admin, partitions).entrySet().stream()
                      .anyMatch(end -> end.getValue() > before.get(end.getKey()) + 5));
      admin
          .deleteRecords(
              ends(admin, partitions).entrySet().stream()
                  .collect(
                      Collectors.toMap(
                          Map.Entry::getKey, end -> RecordsToDelete.beforeOffset(end.getValue()))))
          .all()
          .get();
    }
  }

  private static Map<TopicPartition, Long> ends(Admin admin, List<TopicPartition> partitions)
      throws Exception {
    return admin
        .listOffsets(
            partitions.stream()
                .collect(
                    Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
        .all()
        .get()
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  private static int samples(String expression) throws IOException, InterruptedException {
    return query(expression).size();
  }

  private static JsonNode query(String expression) throws IOException, InterruptedException {
    return get(endpoints.get(PrometheusServer.NAME)
            + "/api/v1/query?query="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .path("data")
        .path("result");
  }

  private static JsonNode get(String address) throws IOException, InterruptedException {
    return JSON.readTree(
        CLIENT
            .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
            .body());
  }
}
