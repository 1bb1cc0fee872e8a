package io.lastfix.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.common.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TopFrameTest {
  private static final String FRAME =
      """
      {"at": "2026-11-27T12:00:05Z", "job": "lastfix-location", "group": "lastfix-location",
       "topicPrefix": "lastfix.location.",
       "ledger": {"state": "ok", "job": "lastfix-location", "recordsIn": 1010, "waiting": 7,
         "rejected": 12, "messagesPerSecond": 12345.6, "recordsPerSecond": 9.04,
         "latencyMillisMedian": 120, "latencyMillisP95": 1500, "latencyMillisP99": 63000,
         "rejectedByReason": {"bad-timestamp": 2, "malformed": 10},
         "ledger": {"checkpoint": 17, "in": 1005, "stored": 980, "duplicates": 1, "erased": 0,
           "rejected": 12, "notRecords": 5, "waiting": 7, "unaccounted": 0}},
       "flink": {"state": "ok", "jobs": [
         {"name": "lastfix-location", "state": "RUNNING", "started": "2026-11-27T11:00:00Z",
          "restarts": 2, "checkpoints": {"completed": 17, "failed": 1, "inProgress": 0,
          "newest": {"id": 18, "triggered": "2026-11-27T12:00:00Z", "tookMillis": 95,
            "bytes": 3565158},
          "newestFailure": {"id": 4, "failed": "2026-11-27T11:10:00Z", "cause": "expired"}}},
         {"name": "devices", "state": "RESTARTING", "started": "2026-11-27T10:00:00Z",
          "restarts": 9, "checkpoints": {"completed": 0, "failed": 0, "inProgress": 0}},
         {"name": "lastfix-location", "state": "CANCELED", "started": "2026-11-27T09:00:00Z"}]},
       "lag": {"state": "ok", "groups": {
         "lastfix-location": {"lastfix.location.json": 1200, "lastfix.location.mlp": 34},
         "lastfix-devices": {"lastfix.heartbeats": 0}}},
       "unread": {"state": "ok", "topics": {}},
       "cells": {"state": "ok", "from": "2026-11-27T11:50:00Z", "to": "2026-11-27T12:00:00Z",
         "busiest": [{"cell": "234-10-4021-20911362", "records": 12345},
           {"cell": "310-410-56995-7", "records": 9}]},
       "devices": {"state": "ok", "located": 10357},
       "gateway": {"state": "ok"}}
      """;

  private static ObjectNode frame(String json) throws Exception {
    return (ObjectNode) new ObjectMapper().readTree(json);
  }

  private static String text(JsonNode frame) {
    return TopFrame.lines(frame).stream().map(TopLine::text).collect(Collectors.joining("\n"));
  }

  private static List<String> bad(JsonNode frame) {
    return TopFrame.lines(frame).stream()
        .filter(line -> line.mood() == TopLine.Mood.BAD)
        .map(TopLine::text)
        .toList();
  }

  @Test
  void aFrameOfAHealthyJob() throws Exception {
    assertThat(text(frame(FRAME)))
        .isEqualTo(
            """
            up       mongodb, kafka, flink, gateway

            lastfix-location
              rate      12,346 messages/s, 9.0 records/s
              freshness 120 ms median, 1.5 s p95, 1 min p99 from Kafka to MongoDB
              lag       1,234 messages
              waiting   7 records for their cell
              rejected  12 since its last start: malformed 10, bad-timestamp 2
              ledger    0 unaccounted, at checkpoint 17
                        in 1,005 = stored 980 + duplicates 1 + erased 0 + rejected 12 + not records 5 + waiting 7
              stored    10,357 last known locations

                 STATE RESTARTS CHECKPOINTS FAILED     NEWEST     TOOK      SIZE  JOB
               RUNNING        2          17      1    5 s ago    95 ms   3.4 MiB  lastfix-location
            RESTARTING        9           0      0          -        -         -  devices

                   LAG  GROUP
                 1,234  lastfix-location
                     0  lastfix-devices

               RECORDS  BUSIEST CELLS, 2026-11-27T11:50:00Z to 2026-11-27T12:00:00Z
                12,345  234-10-4021-20911362
                     9  310-410-56995-7""");
    assertThat(bad(frame(FRAME))).singleElement().asString().startsWith("RESTARTING");
  }

  @Test
  void aNumberThatIsNotKnownIsNeverZero() throws Exception {
    String away = "{\"state\": \"unavailable\", \"problem\": \"no answer within 3000 ms\"}";
    ObjectNode frame = frame(FRAME);
    for (String part : List.of("ledger", "flink", "lag", "unread", "cells", "devices", "gateway")) {
      frame.set(part, frame(away));
    }

    String text = text(frame);

    assertThat(text)
        .isEqualTo(
            """
            up       -
            DOWN     mongodb: no answer within 3000 ms
            DOWN     kafka: no answer within 3000 ms
            DOWN     flink: no answer within 3000 ms
            DOWN     gateway: no answer within 3000 ms
            UNREAD   - no answer within 3000 ms

            lastfix-location
                        no answer within 3000 ms
              rate      - messages/s, - records/s
              freshness - median, - p95, - p99 from Kafka to MongoDB
              lag       - messages
              waiting   - records for their cell
              rejected  - since its last start
              ledger    - unaccounted, at checkpoint -
                        in - = stored - + duplicates - + erased - + rejected - + not records - + waiting -
              stored    - last known locations

                 STATE RESTARTS CHECKPOINTS FAILED     NEWEST     TOOK      SIZE  JOB
                     -

                   LAG  GROUP
                     -

               RECORDS  BUSIEST CELLS
                     -""");
    assertThat(bad(frame)).hasSize(5);
  }

  @Test
  void figuresOfADeadTaskManagerAreNotShownAsIfNow() throws Exception {
    ObjectNode frame = frame(FRAME);
    frame.withObject("/ledger").put("ageSeconds", 70).put("stale", true);
    frame.withObject("/ledger/ledger").put("triggered", "2026-11-27T11:57:55Z");
    frame.set("processes", frame("{\"state\": \"ok\", \"ended\": [\"taskmanager-0\"]}"));

    assertThat(bad(frame))
        .startsWith(
            "ENDED    taskmanager-0: lastfix up starts it again",
            "STALE    lastfix-location: no TaskManager has reported for 1 min; lastfix status names"
                + " the processes");
    assertThat(text(frame))
        .contains(
            "up       mongodb, kafka, flink, gateway\n",
            """
              rate      - messages/s, - records/s
              freshness - median, - p95, - p99 from Kafka to MongoDB
              lag       1,234 messages
              waiting   - records for their cell
            """,
            "  ledger    0 unaccounted, at checkpoint 17, 2 min ago\n");
  }

  @Test
  void aMongoDbOfHistoryAloneIsNamed() throws Exception {
    ObjectNode frame = frame(FRAME);
    frame.set("cells", frame("{\"state\": \"unavailable\", \"problem\": \"away\"}"));

    assertThat(bad(frame)).contains("DOWN     mongodb (history, counts): away");
    assertThat(text(frame)).contains("up       mongodb, kafka", "10,357 last known locations");
  }

  @Test
  void whatIsWrongStandsInLinesOfItsOwn() throws Exception {
    ObjectNode frame = frame(FRAME);
    frame.withObject("/ledger/ledger").put("unaccounted", -3);
    frame.withObject("/unread/topics").put("lastfix.location.own", 5);
    frame
        .withObject("/flink/jobs/0/checkpoints/newestFailure")
        .put("id", 19)
        .put("cause", "Checkpoint expired\nbefore completing.");

    assertThat(bad(frame))
        .containsSubsequence(
            "UNACCOUNTED  3 records are in the sums that did not come in: they are counted twice."
                + " See The ledger in docs/OPERATING.md",
            "UNREAD   lastfix.location.own has up to 5 records that no running job reads: they are"
                + " not stored. Resume the location job if it is stopped; otherwise submit it with"
                + " profile own in profiles.names, or name"
                + " the topic in source.abandon-topics",
            "FAILED   checkpoint 19 of lastfix-location: Checkpoint expired\\u000abefore"
                + " completing.",
            "  ledger    -3 unaccounted, at checkpoint 17");
  }

  @Test
  void anEmptyClusterSaysHowToBegin() throws Exception {
    ObjectNode frame = frame(FRAME);
    frame.withObject("/flink").putArray("jobs");
    frame.withObject("/lag").putObject("groups");
    frame.set("cells", frame("{\"state\": \"ok\"}"));

    assertThat(text(frame))
        .contains(
            "         -  no jobs",
            "         -  no group",
            "         -  no counts by cell: lastfix submit analytics");
  }

  @Test
  void aNarrowWindowCutsNamesAndKeepsNumbers() throws Exception {
    ObjectNode frame = frame(FRAME);
    frame.withObject("/flink/jobs/0").put("name", "a".repeat(300));

    List<TopLine> lines = TopFrame.fit(TopFrame.lines(frame), 79, 100);

    assertThat(lines).allSatisfy(line -> assertThat(line.text().length()).isLessThan(80));
    assertThat(lines)
        .extracting(TopLine::text)
        .contains(
            "   RUNNING        2          17      1    5 s ago    95 ms   3.4 MiB  "
                + "a".repeat(8)
                + ">");
    assertThat(TopFrame.fit(lines, 1, 100))
        .allSatisfy(it -> assertThat(it.text()).hasSizeLessThan(2));
  }

  @Test
  void aLowWindowSaysHowManyLinesItLacks() throws Exception {
    List<TopLine> lines = TopFrame.lines(frame(FRAME));

    assertThat(TopFrame.fit(lines, 80, 5))
        .hasSize(5)
        .last()
        .isEqualTo(TopLine.plain("... %d more lines".formatted(lines.size() - 4)));
    assertThat(TopFrame.fit(lines, 80, lines.size())).hasSameSizeAs(lines);
  }

  @Test
  void theScreenIsLeftAsItWasAndNothingIsDrawnAfterThat() {
    StringWriter terminal = new StringWriter();
    TopScreen screen = new TopScreen(new PrintWriter(terminal), true);

    screen.open(Optional::empty);
    screen.draw(List.of(TopLine.heading("a"), TopLine.plain("b")));
    screen.close();
    screen.close();
    screen.draw(List.of(TopLine.plain("c")));

    assertThat(terminal.toString())
        .isEqualTo(
            "\u001b[?1049h\u001b[?25l\u001b[2J"
                + "\u001b[H\u001b[1ma\u001b[0m\u001b[K\r\nb\u001b[K\u001b[J"
                + "\u001b[?25h\u001b[?1049l");
  }

  @Test
  void withoutColoursNoLineHasThem() {
    StringWriter terminal = new StringWriter();
    TopScreen screen = new TopScreen(new PrintWriter(terminal), false);

    screen.open(Optional::empty);
    screen.draw(List.of(TopLine.bad("a")));

    assertThat(terminal.toString()).endsWith("\u001b[Ha\u001b[K\u001b[J");
  }

  @Test
  void aScreenThatASignalHasClosedIsNotOpenedAndChangesNoModes() {
    StringWriter terminal = new StringWriter();
    TopScreen screen = new TopScreen(new PrintWriter(terminal), true);
    AtomicBoolean isChanged = new AtomicBoolean();

    screen.close();
    screen.open(
        () -> {
          isChanged.set(true);
          return Optional.of("former");
        });

    assertThat(isChanged).isFalse();
    assertThat(terminal.toString()).isEmpty();
  }

  @Test
  void aTerminalWithoutANameOrNamedDumbTakesNoEscapeCodes() {
    assertThat(Terminal.isDumb(Map.of("TERM", "dumb"))).isTrue();
    assertThat(Terminal.isDumb(Map.of())).isTrue();
    assertThat(Terminal.isDumb(Map.of("TERM", "xterm"))).isFalse();
  }
}
