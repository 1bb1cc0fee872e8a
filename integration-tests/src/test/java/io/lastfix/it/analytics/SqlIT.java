package io.lastfix.it.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Nightly;
import io.lastfix.it.harness.ProcessArguments;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The queries of {@code docs/ask/sql-queries.md} and their results: the page shows what {@code
 * lastfix sql} prints, whatever the time zone is.
 */
@Nightly
class SqlIT {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Pattern EXAMPLE =
      Pattern.compile("```sql\\n(.*?)```\\n\\n```text\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern END_OF_RESULT =
      Pattern.compile("(?<=rows? in set|Empty set)\\R", Pattern.MULTILINE);

  /** Stands for a password in an address, as the value of an option that the driver ignores. */
  private static final String SECRET = "sesam5";

  private static final Position TOWER = new Position(-122.41, 37.77);
  private static final Position NEXT_TOWER = new Position(-122.42, 37.78);

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startCold(directory, 1, 4);
  }

  @Test
  void thePageShowsWhatItsQueriesReturnInAnyTimeZone() throws Exception {
    Path page = Installation.root().resolve("docs/ask/sql-queries.md");
    List<MatchResult> examples = EXAMPLE.matcher(Files.readString(page)).results().toList();
    assertThat(examples).hasSize(13);
    try (LocationRun run =
            new LocationRun(
                stack,
                directory,
                "sql",
                "profiles.names=json",
                "located.topic=sql.located",
                "analytics.counts-topic=sql.counts");
        ProcessArguments arguments = new ProcessArguments()) {
      KafkaTopics topics = new KafkaTopics(run.admin(), run.config().kafka());
      topics.ensureLocated("sql.located");
      topics.ensureCounts("sql.counts");
      store(run);
      List<String> results =
          sql(
              run,
              "Asia/Tokyo",
              examples,
              "SELECT COUNT(*) AS n FROM history WHERE in_period = '2008_05' AND acc <> 5;"
                  + "EXPLAIN SELECT ts FROM history WHERE in_period = '2008_05' AND acc = 5;");
      rewrite(page, examples, results);
      assertThat(results.subList(0, examples.size()))
          .as("results in Tokyo")
          .zipSatisfy(
              examples,
              (found, example) -> assertThat(found).isEqualToIgnoringNewLines(example.group(2)));
      assertThat(results.get(examples.size()))
          .as("records with another accuracy, and not those without one")
          .contains("| 1 |");
      assertThat(results.get(examples.size() + 1).split("== Optimized Physical Plan ==", -1)[1])
          .as("the plan of a query of one period")
          .contains("history_2008_05")
          .doesNotContain("history_2008_04");
      List<MatchResult> byTime = examples.stream().filter(SqlIT::isByTime).toList();
      assertThat(byTime).hasSize(4);
      assertThat(sql(run, "UTC", byTime, ""))
          .as("results in UTC of the queries that divide the time")
          .isEqualTo(
              IntStream.range(0, examples.size())
                  .filter(i -> isByTime(examples.get(i)))
                  .mapToObj(results::get)
                  .toList());
      assertThat(arguments.seen()).contains("io.lastfix.sql.shell.SqlShell").doesNotContain(SECRET);
      assertThat(directory.resolve("home/flink-client")).isEmptyDirectory();
      assertThat(logs()).isNotEmpty().allSatisfy(log -> assertThat(log).doesNotContain(SECRET));
    }
  }

  private static boolean isByTime(MatchResult example) {
    return example.group(1).contains("FLOOR(ts") || example.group(1).contains("TUMBLE");
  }

  /** Returns the result of each query; the last one is not a table. */
  private static List<String> sql(
      LocationRun run, String zone, List<MatchResult> examples, String last) throws Exception {
    Path script = Files.createTempFile(directory, "queries", ".sql");
    Files.writeString(
        script, examples.stream().map(example -> example.group(1)).collect(joining()) + last);
    return List.of(
        END_OF_RESULT.split(
            new LastfixProcess(
                    directory.resolve("home"),
                    directory,
                    Map.of("TZ", zone, "LASTFIX_MONGO_URI", withSecret(stack.mongoUri())))
                .run(
                    LIMIT,
                    Stream.concat(
                            Stream.of("sql", "-f", script.toString(), "--flink", stack.flinkUrl()),
                            run.settings().stream()
                                .filter(setting -> !setting.startsWith("mongo.uri="))
                                .flatMap(setting -> Stream.of("--set", setting)))
                        .toArray(String[]::new))
                .mustExitWith(0)
                .out()));
  }

  private static String withSecret(String uri) {
    return uri + (uri.contains("?") ? "&" : "/?") + "notAnOption=" + SECRET;
  }

  /** With {@code -Dlastfix.reference=write}, writes the results to the page. */
  private static void rewrite(Path page, List<MatchResult> examples, List<String> results)
      throws IOException {
    if (!"write".equals(System.getProperty("lastfix.reference"))) {
      return;
    }
    StringBuilder text = new StringBuilder(Files.readString(page));
    for (int i = examples.size() - 1; i >= 0; i--) {
      text.replace(examples.get(i).start(2), examples.get(i).end(2), results.get(i) + "\n");
    }
    Files.writeString(page, text);
  }

  /** What the cluster and the command have logged. */
  private static List<String> logs() throws IOException {
    List<String> logs = new ArrayList<>();
    for (String folder : List.of("logs", "home/logs")) {
      try (Stream<Path> files = Files.list(directory.resolve(folder))) {
        for (Path file : files.toList()) {
          if (!file.getFileName().toString().startsWith("mongod")) {
            logs.add(Files.readString(file));
          }
        }
      }
    }
    return logs;
  }

  private static void store(LocationRun run) {
    List<LocatedRecord> records =
        List.of(
            at("ashgati", "310-260-7-1", "2008-04-30T23:59:30Z", TOWER),
            at("ashgati", "311-480-9730-9746689", "2008-05-25T00:00:10Z", NEXT_TOWER),
            at("aurjyen", "310-260-7-1", "2008-05-25T00:00:20.5Z", TOWER),
            at("aurjyen", "310-410-9-5", "2008-05-25T00:20:00Z", null),
            new LocatedRecord(
                "ackgrica",
                Place.of(
                    CellId.parse("310-410-9-6"),
                    null,
                    new Fix(new Position(-122.5, 37.7), PositionSource.GNSS, 12.0, null, null)),
                Instant.parse("2008-05-25T01:00:00Z").toEpochMilli(),
                null,
                false),
            at("ashgati", "311-480-9730-9746689", "2008-05-25T01:10:00Z", NEXT_TOWER));
    HistoryOptions history = TestHistory.MONTHS;
    for (LocatedRecord record : records) {
      var unused =
          collection(run, history.collectionAt(record.timestampMillis()))
              .bulkWrite(List.of(new HistoryDocumentConverter().apply(record)));
      if (record.isLocated()) {
        unused =
            collection(run, "last_known_location")
                .bulkWrite(List.of(new LastKnownLocationConverter().apply(record)));
      }
      publish(run, record);
    }
    // The topic is written at least once.
    publish(run, records.get(2));
    publish(run, records.get(3));
    count(run, "2008-05-25T00:50:00Z", "310-260-7-3", 9, "closed", 2);
    count(run, "2008-05-25T01:09:50Z", "310-260-7-1", 2, "closed", 1);
    count(run, "2008-05-25T01:09:50Z", "311-480-9730-9746689", 1, "closed", 1);
    count(run, "2008-05-25T01:10:00Z", "311-480-9730-9746689", 1, "open", 0);
    count(run, "2008-05-25T01:10:00Z", "311-480-9730-9746689", 5, "open", 1);
    run.producer().flush();
  }

  private static LocatedRecord at(
      String user, String cell, String timestamp, @Nullable Position position) {
    return new LocatedRecord(
        user, CellId.parse(cell), Instant.parse(timestamp).toEpochMilli(), position);
  }

  private static MongoCollection<BsonDocument> collection(LocationRun run, String name) {
    return run.database().getCollection(name, BsonDocument.class);
  }

  private static void publish(LocationRun run, LocatedRecord record) {
    var unused =
        run.producer()
            .send(
                new ProducerRecord<>(
                    "sql.located",
                    LocatedRecordCodec.key(record),
                    LocatedRecordCodec.write(record)));
  }

  private static void count(
      LocationRun run, String window, String cell, long n, String state, long rev) {
    String value =
        "{\"v\":1,\"w\":\"%s\",\"by\":\"cell\",\"k\":\"%s\",\"n\":%d,\"state\":\"%s\",\"rev\":%d}"
            .formatted(window, cell, n, state, rev);
    var unused =
        run.producer()
            .send(
                new ProducerRecord<>(
                    "sql.counts", ("cell:" + cell).getBytes(UTF_8), value.getBytes(UTF_8)));
  }
}
