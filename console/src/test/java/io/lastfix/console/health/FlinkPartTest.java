package io.lastfix.console.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With answers in the form of Flink 1.20. */
class FlinkPartTest {
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private HttpServer server;
  private FlinkPart part;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String asked = exchange.getRequestURI().getPath();
          if (exchange.getRequestURI().getQuery() != null) {
            asked += exchange.getRequestURI().getQuery().contains("agg=") ? "?agg" : "?get";
          }
          byte[] body = answers.getOrDefault(asked, "{}").getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    part =
        new FlinkPart(
            "http://127.0.0.1:" + server.getAddress().getPort(),
            "lastfix-location",
            "lastfix-analytics",
            Duration.ofSeconds(5));
    answers.put(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"a\",\"name\":\"lastfix-location\",\"state\":\"RUNNING\","
            + "\"start-time\":1000},"
            + "{\"jid\":\"b\",\"name\":\"other\",\"state\":\"FAILED\",\"start-time\":0}]}");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** As the console prints it. */
  private static String json(Object read) {
    return PartState.ok(read).toJson().without("state").toString();
  }

  @Test
  void jobsHaveTheirRestartsAndCheckpoints() throws IOException {
    answers.put("/jobs/a", "{\"vertices\":[{\"id\":\"v\"}]}");
    answers.put("/jobs/a/vertices/v", "{\"subtasks\":[{\"attempt\":0},{\"attempt\":3}]}");
    answers.put(
        "/jobs/a/checkpoints",
        "{\"counts\":{\"completed\":6,\"failed\":0,\"in_progress\":1},\"latest\":{\"completed\":"
            + "{\"id\":8,\"trigger_timestamp\":2000,\"end_to_end_duration\":250,"
            + "\"state_size\":4711}}}");

    assertThat(json(part.jobs()))
        .isEqualTo(
            "{\"jobs\":[{\"id\":\"a\",\"name\":\"lastfix-location\",\"state\":\"RUNNING\","
                + "\"started\":\"1970-01-01T00:00:01Z\",\"restarts\":3,\"checkpoints\":{\"completed\":6,"
                + "\"failed\":0,\"inProgress\":1,\"newest\":{\"id\":8,"
                + "\"triggered\":\"1970-01-01T00:00:02Z\",\"tookMillis\":250,\"bytes\":4711}}},"
                + "{\"id\":\"b\",\"name\":\"other\",\"state\":\"FAILED\","
                + "\"started\":\"1970-01-01T00:00:00Z\"}]}");
  }

  @Test
  void theLedgerAddsUp() throws IOException {
    answers.put(
        "/jobs/a",
        "{\"state\":\"RUNNING\",\"vertices\":[{\"id\":\"v\",\"parallelism\":1,"
            + "\"tasks\":{\"RUNNING\":1}}]}");
    answers.put("/jobs/a/vertices/v/metrics?get", reportedNow());
    answers.put(
        "/jobs/a/vertices/v/subtasks/metrics",
        "[{\"id\":\"parse.records\"},{\"id\":\"parse.rejected.bad-timestamp\"},"
            + "{\"id\":\"parse.notRecords\"},"
            + "{\"id\":\"locate.locate.waiting\"},{\"id\":\"history__Writer.inserted\"}]");
    answers.put(
        "/jobs/a/vertices/v/subtasks/metrics?agg",
        "[{\"id\":\"parse.records\",\"sum\":100},{\"id\":\"parse.rejected.bad-timestamp\","
            + "\"sum\":3},{\"id\":\"locate.locate.waiting\",\"sum\":2},"
            + "{\"id\":\"history__Writer.inserted\",\"sum\":90},"
            + "{\"id\":\"parse.notRecords\",\"sum\":20},"
            + "{\"id\":\"history__Writer.duplicates\",\"sum\":4},"
            + "{\"id\":\"parse.numRecordsInPerSecond\",\"sum\":12.5}]");

    assertThat(json(part.ledger()))
        .isEqualTo(
            "{\"job\":\"lastfix-location\",\"started\":\"1970-01-01T00:00:01Z\",\"ageSeconds\":0,\"stale\":false,\"recordsIn\":123,"
                + "\"stored\":90,\"duplicates\":4,\"rejected\":3,\"notRecords\":20,\"waiting\":2,\"difference\":4,"
                + "\"unlocated\":0,\"messagesPerSecond\":12.5,\"recordsPerSecond\":0.0,"
                + "\"rejectedByReason\":{\"bad-timestamp\":3}}");
  }

  @Test
  void theJobsOwnLedgerIsOfItsLastCheckpoint() throws IOException {
    answers.put(
        "/jobs/a",
        "{\"state\":\"RUNNING\",\"vertices\":[{\"id\":\"v\",\"name\":\"locate\",\"parallelism\":1,"
            + "\"tasks\":{\"RUNNING\":1}},{\"id\":\"w\",\"name\":\"ledger\",\"parallelism\":1,"
            + "\"tasks\":{\"RUNNING\":1}}]}");
    answers.put("/jobs/a/vertices/v/metrics?get", reportedNow());
    answers.put(
        "/jobs/a/checkpoints", "{\"history\":[{\"id\":8},{\"id\":7,\"trigger_timestamp\":4000}]}");
    answers.put(
        "/jobs/a/vertices/w/subtasks/metrics?agg",
        "[{\"id\":\"ledger.ledger.checkpoint\",\"sum\":7},{\"id\":\"ledger.ledger.in\",\"sum\":34},"
            + "{\"id\":\"ledger.ledger.stored\",\"sum\":16},"
            + "{\"id\":\"ledger.ledger.duplicates\",\"sum\":8},"
            + "{\"id\":\"ledger.ledger.erased\",\"sum\":1},"
            + "{\"id\":\"ledger.ledger.rejected\",\"sum\":2},"
            + "{\"id\":\"ledger.ledger.notRecords\",\"sum\":4},"
            + "{\"id\":\"ledger.ledger.waiting\",\"sum\":3},"
            + "{\"id\":\"ledger.ledger.unaccounted\",\"sum\":0}]");

    assertThat(json(part.ledger().ledger()))
        .isEqualTo(
            "{\"checkpoint\":7,\"in\":34,\"stored\":16,\"duplicates\":8,\"erased\":1,\"rejected\":2,"
                + "\"notRecords\":4,\"waiting\":3,\"unaccounted\":0,\"triggered\":\"1970-01-01T00:00:04Z\"}");
  }

  @Test
  void figuresThatNoTaskManagerHasReportedForAWhileAreStale() throws IOException {
    answers.put("/jobs/a", "{\"vertices\":[{\"id\":\"v\",\"name\":\"locate\",\"parallelism\":1}]}");
    reportedAt(Instant.now().minusSeconds(70));
    answers.put("/taskmanagers", "{\"taskmanagers\":[{\"id\":\"t\"}]}");
    answers.put("/taskmanagers/t/metrics?get", "[{\"id\":\"m\",\"value\":\"1\"}]");

    assertThat(part.ledger().stale()).isTrue();
    assertThat(part.ledger().ageSeconds()).isBetween(70L, 80L);

    reportedAt(Instant.now());
    assertThat(part.ledger().stale()).isFalse();
  }

  private void reportedAt(Instant time) {
    answers.put("/jobs/a/vertices/v/metrics?get", reported(time));
  }

  private static String reportedNow() {
    return reported(Instant.now());
  }

  private static String reported(Instant time) {
    return "[{\"id\":\"0.locate.locate.waitingAsOf\",\"value\":\"%d\"}]"
        .formatted(time.toEpochMilli());
  }

  @Test
  void lostRecordsAreThoseOfTheAnalyticsJob() throws IOException {
    assertThat(part.lostRecords()).isEmpty();
    answers.put(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"c\",\"name\":\"lastfix-analytics\",\"state\":\"RUNNING\","
            + "\"start-time\":1000}]}");
    answers.put("/taskmanagers", "{\"taskmanagers\":[]}");
    answers.put("/jobs/c", "{\"vertices\":[{\"id\":\"v\"}]}");
    answers.put(
        "/jobs/c/vertices/v/subtasks/metrics?agg",
        "[{\"id\":\"Source__read_located.located.recordsLost\",\"sum\":41}]");

    assertThat(part.lostRecords()).hasValue(41);
  }

  @Test
  void aJobThatRestartsIsNotToBeSubmitted() {
    answers.put(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"a\",\"name\":\"lastfix-location\",\"state\":\"RESTARTING\"}]}");

    assertThatThrownBy(() -> part.ledger())
        .hasMessage("job lastfix-location does not run, it is RESTARTING");
  }

  @Test
  void withoutTheJobThereIsNoLedger() {
    answers.put("/jobs/overview", "{\"jobs\":[]}");

    assertThatThrownBy(() -> part.ledger()).hasMessageContaining("lastfix submit location");
  }
}
