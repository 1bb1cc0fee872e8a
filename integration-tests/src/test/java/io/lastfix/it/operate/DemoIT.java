package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.lastfix.catalogs.CellFile;
import io.lastfix.cli.Lastfix;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.WebhookServer;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.located.CellRange;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.recipe.PageCommand;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.workload.SampleCounts;
import io.lastfix.workload.SampleData;
import io.lastfix.workload.TaxiTraces;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.header.Header;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The demo as its user sees it, and the other commands over the stack that it leaves. The last test
 * takes the stack down.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public class DemoIT {
  private static final Duration DEMO_LIMIT = Duration.ofMinutes(12);
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);

  /** Of an example in a process: a query of SQL is a job, and an audit reads all topics. */
  private static final Duration EXAMPLE_LIMIT = Duration.ofMinutes(3);

  /** What reads MongoDB alone. */
  private static final Set<String> QUERIES =
      Set.of(
          "where", "history", "near", "within", "at", "during", "counts", "density", "flows",
          "stays", "trips", "alerts");

  @TempDir private static Path directory;

  private static LastfixProcess lastfix;
  private static SampleData sample;
  private static WebhookServer webhook;
  private static Result demo;

  @BeforeAll
  static void runDemo() throws Exception {
    sample = sampleData();
    lastfix = new LastfixProcess(directory.resolve("home"), directory).withPortsOfItsOwn();
    webhook = new WebhookServer();
    webhook.receiveFrom(new StackHome(directory.resolve("home")), "dispatch");
    demo = lastfix.run(DEMO_LIMIT, "demo", "--json");
    new QueryingPage().writeArea(directory);
    Files.copy(Installation.config("demo.yaml"), directory.resolve("location.yaml"));
  }

  @AfterAll
  static void takeDownWhatAFailureLeft() throws Exception {
    if (lastfix != null && !lastfix.serversRunning().isEmpty()) {
      lastfix.run(COMMAND_LIMIT, "down").mustExitWith(0);
    }
    if (webhook != null) {
      webhook.close();
    }
  }

  @Test
  void everyRecordOfTheSampleIsAccountedFor() throws Exception {
    JsonNode summary = demo.mustExitWith(0).json();
    SampleCounts counts = sample.counts();

    assertThat(summary.path("messages").asLong()).isEqualTo(counts.messages());
    assertThat(summary.path("recordsIn").asLong()).isEqualTo(counts.records());
    assertThat(summary.path("stored").asLong()).isEqualTo(counts.distinct());
    assertThat(summary.path("duplicates").asLong()).isEqualTo(counts.duplicates());
    assertThat(summary.path("rejected").asLong()).isEqualTo(counts.rejected());
    assertThat(summary.path("historyGrowth").asLong()).isEqualTo(counts.distinct());
    assertThat(summary.path("reconciles").asBoolean()).isTrue();
    assertThat(summary.path("relocated").asLong()).as("positions found later").isPositive();
    assertThat(summary.path("lastKnownLocation")).hasSize(3);
    assertThat(summary.path("busiestCells"))
        .hasSize(5)
        .allSatisfy(cell -> assertThat(cell.path("n").asLong()).isPositive());
    assertThat(
            query("counts", "--by", "total", "--from", "2008-01-01", "--to", "2009-01-01", "--json")
                .json()
                .path("groups")
                .path(0)
                .path("n")
                .asLong())
        .as("all that History holds is counted")
        .isEqualTo(counts.distinct());
    long rejectedByReason =
        StreamSupport.stream(summary.path("rejectedByReason").spliterator(), false)
            .mapToLong(JsonNode::asLong)
            .sum();
    assertThat(rejectedByReason).isEqualTo(counts.rejected());
  }

  @Test
  void historyHoldsEachDistinctRecordOnceAndThoseOfUnknownCellsWithoutCoordinates()
      throws Exception {
    SampleCounts counts = sample.counts();
    try (MongoClient mongo = MongoClients.create(endpoint("mongodb"))) {
      MongoDatabase database = mongo.getDatabase("lastfix");
      long stored = 0;
      long unlocated = 0;
      for (String collection : database.listCollectionNames()) {
        if (collection.startsWith("history_")) {
          stored += database.getCollection(collection).countDocuments();
          Bson withoutPosition = Filters.exists("loc", false);
          unlocated += database.getCollection(collection).countDocuments(withoutPosition);
        }
      }
      assertThat(stored).isEqualTo(counts.distinct());
      assertThat(unlocated).isEqualTo(counts.unlocated());
    }
  }

  private static String endpoint(String server) throws Exception {
    return StackState.read(new StackHome(directory.resolve("home")))
        .orElseThrow()
        .endpoints()
        .get(server);
  }

  /**
   * A query in the test's own JVM: {@link #whereOfANeverSeenDeviceExitsWithThree} has a process.
   */
  private static Result query(String... arguments) throws Exception {
    return LastfixInProcess.run(
        Stream.concat(Stream.of(arguments), Stream.of("--mongo-uri", endpoint("mongodb")))
            .toArray(String[]::new));
  }

  @Test
  void whereGivesADevicesNewestRecordOfAKnownCell() throws Exception {
    LocationRecord newest = newestLocated(anyUser());

    JsonNode found = query("where", newest.user(), "--json").mustExitWith(0).json();

    assertThat(found.path("user").asText()).isEqualTo(newest.user());
    assertThat(Instant.parse(found.path("ts").asText()))
        .isEqualTo(Instant.ofEpochMilli(newest.timestampMillis()));
    assertThat(found.path("cell").asText()).isEqualTo(newest.cell().toString());
    assertThat(found.path("loc").path("lon").asDouble()).isBetween(-123.0, -122.0);
    assertThat(found.path("loc").path("lat").asDouble()).isBetween(37.0, 38.5);
  }

  @Test
  void whereGivesTheNewestPositionOfTheDevicesOwnBesideANewerTower() throws Exception {
    String user = anyUser();
    LocationRecord last = newestLocated(user);
    LocationRecord newest =
        recordsOf(user).stream()
            .filter(record -> record.fix() != null)
            .max(Comparator.comparing(LocationRecord::timestampMillis))
            .orElseThrow();
    assertThat(last.fix()).as("the sample's choice").isNull();

    JsonNode found = query("where", user, "--json").mustExitWith(0).json();

    assertThat(found.path("src").asText()).isEqualTo("cell");
    JsonNode fix = found.path("fix");
    assertThat(Instant.parse(fix.path("ts").asText()))
        .isEqualTo(Instant.ofEpochMilli(newest.timestampMillis()))
        .isBefore(Instant.ofEpochMilli(last.timestampMillis()));
    assertThat(fix.path("src").asText()).isEqualTo("gnss");
    assertThat(fix.path("acc").asDouble()).isEqualTo(newest.fix().accuracyMeters());
    assertThat(fix.path("loc").path("lon").asDouble()).isEqualTo(newest.fix().position().lon());
    assertThat(fix.path("loc").path("lat").asDouble()).isEqualTo(newest.fix().position().lat());
  }

  @Test
  void whereOfANeverSeenDeviceExitsWithThree() throws Exception {
    Result nobody = lastfix.run(COMMAND_LIMIT, "where", "nobody", "--json").mustExitWith(3);

    assertThat(nobody.out()).isEmpty();
    assertThat(nobody.err().lines()).containsExactly("No last known location of nobody");
  }

  @Test
  void historyGivesTheNewestOfADeviceOldestFirst() throws Exception {
    String user = anyUser();
    List<Instant> expected =
        recordsOf(user).stream()
            .map(record -> Instant.ofEpochMilli(record.timestampMillis()))
            .sorted()
            .toList();

    JsonNode found = query("history", user, "--limit", "5", "--json").mustExitWith(0).json();

    assertThat(moments(found))
        .containsExactlyElementsOf(expected.subList(expected.size() - 5, expected.size()));

    JsonNode pageBefore =
        query("history", user, "--limit", "5", "--json", "--token", found.path("next").asText())
            .mustExitWith(0)
            .json();
    assertThat(moments(pageBefore))
        .containsExactlyElementsOf(expected.subList(expected.size() - 10, expected.size() - 5));

    Result all = query("history", user, "--all", "--csv").mustExitWith(0);
    assertThat(all.out().lines().skip(1).map(line -> Instant.parse(line.split(",", -1)[1])))
        .containsExactlyElementsOf(expected);
  }

  private static List<Instant> moments(JsonNode found) {
    List<Instant> moments = new ArrayList<>();
    found
        .path("sightings")
        .forEach(sighting -> moments.add(Instant.parse(sighting.path("ts").asText())));
    return moments;
  }

  @Test
  void whoIsNearAPlaceIsFoundWithoutAnIndexTooAndTheCommandSaysSo() throws Exception {
    JsonNode device = query("where", anyUser(), "--json").mustExitWith(0).json();
    String lat = device.path("loc").path("lat").asText();
    String lon = device.path("loc").path("lon").asText();

    Result near =
        query("near", "--lat", lat, "--lon", lon, "--radius", "2km", "--geojson", "--explain")
            .mustExitWith(0);

    JsonNode features = near.json().path("features");
    assertThat(features.get(0).path("properties").path("distance").asDouble()).isLessThan(0.01);
    assertThat(features)
        .anySatisfy(
            feature ->
                assertThat(feature.path("properties").path("user").asText())
                    .isEqualTo(device.path("user").asText()));
    assertThat(near.err())
        .contains("set last-known-location.position-index: true to create it", "COLLSCAN");
  }

  @Test
  void whoWasInACellIsFoundOverTheTimeAskedFor() throws Exception {
    JsonNode device = query("where", anyUser(), "--json").mustExitWith(0).json();
    String moment = device.path("ts").asText();
    ((ObjectNode) device).remove("fix");

    JsonNode during =
        query(
                "during",
                device.path("cell").asText(),
                "--from",
                moment,
                "--to",
                Instant.parse(moment).plusMillis(1).toString(),
                "--json")
            .mustExitWith(0)
            .json();

    assertThat(during.path("sightings")).contains(device);
  }

  /**
   * The job judges records as they arrive. A replay is so fast that many arrive behind newer ones
   * of their taxi, so the expectation is of this order; TaxiRulesTest has the traces in theirs.
   */
  @Test
  void eachDepartureFromTheAirportIsOneAlert() throws Exception {
    Map<String, List<LocatedRecord>> taxis = arrivedRecords();
    List<JsonNode> found = departures();
    Map<String, List<Instant>> departures = new TreeMap<>();
    for (JsonNode alert : found) {
      assertThat(alert.path("kind").asText()).isEqualTo("left");
      assertThat(alert.path("fence").asText()).isEqualTo("sfo");
      departures
          .computeIfAbsent(alert.path("user").asText(), user -> new ArrayList<>())
          .add(Instant.parse(alert.path("at").asText()));
    }

    assertThat(taxis.keySet()).hasSizeGreaterThan(100).containsAll(departures.keySet());
    assertThat(taxis)
        .allSatisfy(
            (user, records) ->
                assertThat(departures.getOrDefault(user, List.of()))
                    .as("departures of %s", user)
                    .isIn(Departures.possible(records)));
    int inOrder = 0;
    for (List<LocatedRecord> records : taxis.values()) {
      records.sort(Comparator.comparingLong(LocatedRecord::timestampMillis));
      inOrder += Departures.possible(records).iterator().next().size();
    }
    System.out.printf("[demo] departures: %d; in order %d%n", found.size(), inOrder);
    assertThat(found).hasSizeGreaterThan(inOrder / 2);
    // Silence may have confirmed some since.
    assertThat(demo.json().path("alerts").asInt()).isBetween(1, found.size());
    await("each is published once")
        .atMost(COMMAND_LIMIT)
        .untilAsserted(
            () ->
                assertThat(publishedDepartures())
                    .containsExactlyInAnyOrderElementsOf(
                        departures().stream().map(alert -> alert.path("id").asText()).toList()));
  }

  @Test
  void eachDepartureReachesTheWebhookOnce() {
    await("the webhook has what is published")
        .atMost(COMMAND_LIMIT)
        .untilAsserted(
            () ->
                assertThat(webhook.received())
                    .extracting(WebhookServer.Received::id)
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(publishedDepartures()));
  }

  /** What {@code lastfix alerts} prints. */
  private static List<JsonNode> departures() throws Exception {
    List<JsonNode> alerts = new ArrayList<>();
    query("alerts", "--rule", "left-airport", "--limit", "10000", "--json")
        .mustExitWith(0)
        .json()
        .path("alerts")
        .forEach(alerts::add);
    return alerts;
  }

  private static List<String> publishedDepartures() throws Exception {
    List<String> ids = new ArrayList<>();
    read(
        "lastfix.alerts",
        message -> {
          Alert alert = AlertCodec.read(message.value());
          if (alert.rule().equals("left-airport")) {
            ids.add(AlertCodec.id(alert));
          }
        });
    return ids;
  }

  /** Each taxi's records, in the order in which the rules job reads them. */
  private static Map<String, List<LocatedRecord>> arrivedRecords() throws Exception {
    Map<String, List<LocatedRecord>> records = new TreeMap<>();
    read(
        "lastfix.located",
        message -> {
          Header range = message.headers().lastHeader(CellRange.HEADER);
          LocatedRecord record =
              CellRange.addTo(
                  LocatedRecordCodec.read(message.key(), message.value()),
                  range == null ? null : range.value());
          records.computeIfAbsent(record.user(), user -> new ArrayList<>()).add(record);
        });
    return records;
  }

  private static <E extends Exception> void read(String topic, TopicReader.Handler<E> handler)
      throws Exception {
    String brokers = endpoint("kafka");
    try (Admin admin = Admin.create(clientProperties(brokers))) {
      new TopicReader(() -> clientProperties(brokers))
          .read(new ConsumerLag(admin).ranges(List.of(topic)), handler);
    }
  }

  private static Properties clientProperties(String brokers) {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", brokers);
    return properties;
  }

  /** The other examples of that page need a file of the reader. */
  @Test
  void theRulesPagesExamplesOverTheDemoSucceed() throws Exception {
    List<String> lines =
        PageCommand.in("docs/rules").stream()
            .map(PageCommand::line)
            .filter(line -> line.startsWith("lastfix alerts") || line.contains(" config/"))
            .toList();
    assertThat(lines).hasSizeGreaterThan(2);
    for (String line : lines) {
      String here = line.replace(" config/", " " + Installation.config("") + "/");
      Result result = lastfix.runLines(EXAMPLE_LIMIT, here).mustExitWith(0);
      assertThat(result.out()).isNotEmpty();
      if (line.contains(" put ")) {
        assertThat(result.out()).contains("; the job 'rules' applies it");
      }
    }
  }

  static List<PageCommand> examplesOfReaders() throws IOException {
    List<PageCommand> examples = PageExamples.ofReaders();
    assertThat(examples)
        .extracting(example -> example.arguments().get(0))
        .containsAll(QUERIES)
        .contains("status", "top", "sql", "replay-rejected");
    return examples;
  }

  /** Behind the tests of the status: a query of SQL is a job, which the status shows. */
  @ParameterizedTest
  @MethodSource("examplesOfReaders")
  @Order(Integer.MAX_VALUE - 5)
  void anExampleOfThePagesFindsSomething(PageCommand example) throws Exception {
    assertFinds(example);
  }

  static List<PageCommand> examplesOfOperators() throws IOException {
    List<PageCommand> examples = PageExamples.ofOperators();
    assertThat(examples)
        .extracting(example -> example.arguments().get(0))
        .contains("status", "top", "audit", "drain", "replay-rejected", "size");
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examplesOfOperators")
  @Order(Integer.MAX_VALUE - 4)
  void aQueryOfTheOperatorsPagesFindsSomething(PageCommand example) throws Exception {
    assertFinds(example);
  }

  private static void assertFinds(PageCommand example) throws Exception {
    String line = example.line();
    String command = example.arguments().get(0);
    Result found =
        QUERIES.contains(command) && !line.contains("--plot=")
            ? query(here(example.arguments()))
            : lastfix.runLines(EXAMPLE_LIMIT, line);
    found.mustExitWith(0);
    if (line.contains("--geojson")) {
      assertThat(found.out()).contains("\"coordinates\":[[");
    } else if (line.contains("--plot=")) {
      assertThat(found.err()).contains("Wrote ");
    } else if (command.equals("drain")) {
      assertThat(found.out()).contains("All records are stored or rejected, after ");
    } else if (command.equals("density") || command.equals("flows")) {
      // Most of their numbers, perhaps all, are of too few taxis: docs/ask/numbers.md.
      boolean hasRows = found.out().lines().count() > 1;
      assertThat(hasRows || found.err().contains("withheld and not shown"))
          .as("%s", found)
          .isTrue();
    } else {
      assertThat(found.out().lines()).hasSizeGreaterThan(1);
    }
  }

  @Test
  @Order(Integer.MAX_VALUE - 3)
  void theTutorialsOwnFormatIsReadAsItSays() throws Exception {
    Result result =
        lastfix.runLines(EXAMPLE_LIMIT, PageExamples.ownFormat(directory)).mustExitWith(0);

    assertThat(result.out())
        .containsPattern("b-7 +2026-11-20T12:00:01Z +51\\.507200 +-0\\.127600 +gnss +7\\.3")
        .contains("record 1: fix/lon: missing");
    assertThat(PageExamples.tutorial().replace('\n', ' '))
        .contains(
            "`b-7` at `2026-11-20T12:00:01Z`, latitude 51.507200, longitude -0.127600, source"
                + " `gnss`, accuracy 7.3 m",
            "`record 1: fix/lon: missing`");
  }

  @Test
  void everyAddressOfTheQueryingPageForCurlFindsADevice() throws Exception {
    List<String> addresses = new QueryingPage().addresses();
    assertThat(addresses).hasSize(3);

    HttpClient client = HttpClient.newHttpClient();
    for (String address : addresses) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(endpoint("console") + address))
              .timeout(COMMAND_LIMIT)
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).as(address).isEqualTo(200);
      assertThat(response.body()).as(address).contains("\"user\":\"");
    }
  }

  /** SqlIT has the results of those queries for records of its own. */
  @Test
  void theDevicesAndCellsOfTheSqlQueriesAreInTheDemoOnTheDayThatTheQueriesName() throws Exception {
    String page = Files.readString(Installation.root().resolve("docs/ask/sql-queries.md"));
    List<MatchResult> named =
        Pattern.compile("\\b(user|cell)(?:_id)? = '([^']+)'").matcher(page).results().toList();
    assertThat(named).hasSizeGreaterThan(3);
    Matcher begin = Pattern.compile("ts >= TIMESTAMP '(\\S+)").matcher(page);
    assertThat(begin.find()).isTrue();
    Instant day = Instant.parse(begin.group(1) + "T00:00:00Z");

    try (MongoClient mongo = MongoClients.create(endpoint("mongodb"))) {
      MongoCollection<Document> history =
          mongo.getDatabase("lastfix").getCollection("history_2008_05");
      assertThat(named)
          .allSatisfy(
              it ->
                  assertThat(
                          history.countDocuments(
                              Filters.and(
                                  Filters.eq(it.group(1), it.group(2)),
                                  Filters.gte("ts", Date.from(day)),
                                  Filters.lt("ts", Date.from(day.plus(Duration.ofDays(1)))))))
                      .as(it.group())
                      .isPositive());
    }
  }

  /** Names the files of a command where this test has them. */
  private static String[] here(List<String> command) {
    return command.stream()
        .map(it -> Files.exists(directory.resolve(it)) ? directory.resolve(it).toString() : it)
        .toArray(String[]::new);
  }

  @Test
  void theExampleInTheHelpOfEachQuerySucceeds() throws Exception {
    for (String command :
        List.of(
            "where",
            "history",
            "near",
            "within",
            "at",
            "during",
            "counts",
            "density",
            "flows",
            "stays",
            "trips",
            "alerts",
            "devices",
            "partitions list",
            "partitions stats")) {
      query(here(example(command))).mustExitWith(0);
    }
    for (String command : List.of("status", "sql")) {
      lastfix.run(COMMAND_LIMIT, example(command).toArray(String[]::new)).mustExitWith(0);
    }
  }

  /** The arguments in the first line of the help's footer. */
  private static List<String> example(String name) {
    CommandLine command = Lastfix.commandLine();
    for (String part : name.split(" ", -1)) {
      command = command.getSubcommands().get(part);
    }
    return PageCommand.arguments(command.getCommandSpec().usageMessage().footer()[0]);
  }

  @Test
  void everyQueryOfTheQueryingPageForMongoshFindsSomething() throws Exception {
    QueryingPage page = new QueryingPage();
    assertThat(page.queries()).extracting(QueryingPage.Query::collection).contains("history");

    try (MongoClient mongo = MongoClients.create(endpoint("mongodb"))) {
      MongoDatabase database = mongo.getDatabase("lastfix");
      for (QueryingPage.Query query : page.queries()) {
        // The job brings the view up to date every few seconds.
        await()
            .atMost(COMMAND_LIMIT)
            .untilAsserted(
                () ->
                    assertThat(
                            database
                                .getCollection(query.collection())
                                .aggregate(query.stages())
                                .first())
                        .as(query.line())
                        .isNotNull());
      }
    }
  }

  @Test
  void statusSaysThatAllIsWell() throws Exception {
    JsonNode status = lastfix.run(COMMAND_LIMIT, "status", "--json").mustExitWith(0).json();

    assertThat(status.path("healthy").asBoolean()).isTrue();
    Map<String, JsonNode> jobs = new HashMap<>();
    status.path("jobs").forEach(job -> jobs.put(job.path("name").asText(), job));
    assertThat(jobs)
        .containsOnlyKeys(
            "lastfix-location",
            "lastfix-location-rules",
            "lastfix-location-analytics",
            "lastfix-location-relocate",
            "lastfix-location-analyze");
    JsonNode job = jobs.get("lastfix-location");
    assertThat(job.path("state").asText()).isEqualTo("RUNNING");
    assertThat(jobs.get("lastfix-location-relocate").path("state").asText()).isEqualTo("FINISHED");
    assertThat(Instant.parse(job.path("started").asText())).isBefore(Instant.now());
    assertThat(status.path("tooLate").path("kinds"))
        .as("the stream begins behind the traces, so that none comes too late")
        .isEmpty();
    assertThat(status.path("tooLate").path("problem").asText()).isEmpty();
    Map<String, Long> lagOfCells = new HashMap<>();
    status
        .path("lag")
        .properties()
        .forEach(
            group -> {
              if (group.getValue().has("lastfix.cells")) {
                lagOfCells.put(group.getKey(), group.getValue().path("lastfix.cells").asLong(-1));
              }
            });
    assertThat(lagOfCells).as("lag of the groups that read the catalogue").hasSize(1);
    assertThat(lagOfCells)
        .allSatisfy(
            (group, lag) -> {
              assertThat(CatalogGroup.isOfJob("lastfix-location", group)).as(group).isTrue();
              assertThat(CatalogGroup.isOfOneStart(group)).as(group).isTrue();
              assertThat(lag).isZero();
            });
  }

  @Test
  void upOverARunningStackLeavesItsProcessesAlone() throws Exception {
    List<Long> before = lastfix.serversRunning();

    lastfix.run(COMMAND_LIMIT, "up", "--json").mustExitWith(0);

    assertThat(lastfix.serversRunning()).isNotEmpty().isEqualTo(before);
  }

  @Test
  void importingTheSamplesCellsAgainChangesNothing() throws Exception {
    long cells = sample.cells().stream().map(CellSite::cell).distinct().count();

    JsonNode imported =
        lastfix
            .run(COMMAND_LIMIT, "catalog", "import", sample.cellsFile().toString(), "--json")
            .mustExitWith(0)
            .json();

    assertThat(imported.path("new").asLong()).isZero();
    assertThat(imported.path("changed").asLong()).isZero();
    assertThat(imported.path("unchanged").asLong()).isEqualTo(cells);
  }

  @Test
  void aWrongConfigurationIsRefusedInOneLineThatNamesEverythingWrong() throws Exception {
    Result refused =
        lastfix
            .run(
                COMMAND_LIMIT,
                "submit",
                "location",
                "--set",
                "no.such.key=1",
                "--set",
                "job.parallelism=none",
                "--set",
                "checkpoint.interval=never")
            .mustExitWith(1);

    assertThat(refused.out()).isEmpty();
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .startsWith("lastfix submit: ")
        .contains("no.such.key", "job.parallelism", "checkpoint.interval");
  }

  /** As the demo tells its user to; it has submitted two of the jobs with values of their own. */
  @Test
  @Order(Integer.MAX_VALUE - 2)
  void superviseKeepsTheJobsOfTheDemoRunning() throws Exception {
    try (LastfixProcess.Running supervise =
        lastfix.start(
            "supervise", "--config", Installation.root().resolve("config/demo.yaml").toString())) {
      await("the jobs are seen to run")
          .atMost(COMMAND_LIMIT)
          .until(
              supervise::out,
              it ->
                  it.contains("job 'lastfix-location' runs")
                      && it.contains("job 'lastfix-location-analytics' runs")
                      && it.contains("job 'lastfix-location-rules' runs"));

      assertThat(supervise.out())
          .contains(
              "supervising location job 'lastfix-location', analytics job 'lastfix-location-analytics', rules job 'lastfix-location-rules'")
          .doesNotContain("could not be");
      supervise.terminate();
      assertThat(supervise.await(COMMAND_LIMIT).out())
          .contains("the servers and the jobs continue to run");
    }
  }

  @Test
  @Order(Integer.MAX_VALUE - 1)
  void taxisDriveOnAsIfItWereToday() throws Exception {
    Instant begin = Instant.now();
    try (MongoClient mongo = MongoClients.create(endpoint("mongodb"));
        LastfixProcess.Running taxis = lastfix.start("demo", "--drive")) {
      await("taxis move")
          .atMost(COMMAND_LIMIT)
          .until(
              () ->
                  mongo
                      .getDatabase("lastfix")
                      .getCollection("last_known_location")
                      .countDocuments(Filters.gt("last.ts", Date.from(begin))),
              it -> it > 10);
      taxis.terminate();
    }
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void downLeavesNoProcessRunning() throws Exception {
    assertThat(lastfix.serversRunning()).as("before").hasSizeGreaterThanOrEqualTo(4);

    lastfix.run(COMMAND_LIMIT, "down").mustExitWith(0);

    assertThat(lastfix.serversRunning()).as("after").isEmpty();
    lastfix.run(COMMAND_LIMIT, "status", "--json").mustExitWith(1);
  }

  /** One with enough records. */
  private static String anyUser() throws Exception {
    try (TaxiTraces messages = sample.messages()) {
      while (messages.hasNext()) {
        for (LocationRecord record : messages.next().records()) {
          return record.user();
        }
      }
    }
    throw new AssertionError("the sample is empty");
  }

  private static LocationRecord newestLocated(String user) throws Exception {
    Set<CellId> known = new HashSet<>();
    sample.cells().forEach(cell -> known.add(cell.cell()));
    return recordsOf(user).stream()
        .filter(record -> record.fix() != null || known.contains(record.cell()))
        .max(
            Comparator.comparing(LocationRecord::timestampMillis)
                .thenComparing(record -> Objects.toString(record.cell(), "")))
        .orElseThrow();
  }

  private static Set<LocationRecord> recordsOf(String user) throws Exception {
    Set<LocationRecord> records = new HashSet<>();
    try (TaxiTraces messages = sample.messages()) {
      while (messages.hasNext()) {
        messages.next().records().stream()
            .filter(record -> record.user().equals(user))
            .forEach(records::add);
      }
    }
    return records;
  }

  /** The sample, as the demo reads it. */
  public static SampleData sampleData() throws IOException {
    Path folder = Installation.root().resolve("config/sample");
    return new SampleData(folder, CellFile.read(SampleData.cellsFile(folder)));
  }
}
