package io.lastfix.cli.top;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.common.TerminalStreams;
import io.lastfix.cluster.flink.FlinkRest.Checkpoints;
import io.lastfix.cluster.flink.FlinkRest.CompletedCheckpoint;
import io.lastfix.cluster.flink.FlinkRest.FailedCheckpoint;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.console.health.GroupLag;
import io.lastfix.console.health.JobList;
import io.lastfix.console.health.LocationAccount;
import io.lastfix.console.health.LocationAccount.DatedLedger;
import io.lastfix.console.health.PartState;
import io.lastfix.operate.status.Frame;
import io.lastfix.operate.status.Frame.BusiestCells;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopFrameTest {
  private static final Instant AT = Instant.parse("2026-11-27T12:00:05Z");
  private static final String JOB = "lastfix-location";
  private static final JobList.Entry RUNNING =
      running(JOB, new FailedCheckpoint(4, AT.minusSeconds(3_000), "expired"));
  private static final JobList.Entry RESTARTING =
      new JobList.Entry("b", "devices", "RESTARTING", AT, 9L, new Checkpoints(0, 0, 0, null, null));
  private static final JobList.Entry FORMER =
      new JobList.Entry("c", JOB, "CANCELED", AT, null, null);
  private static final PartState AWAY = PartState.unavailable("no answer within 3000 ms");

  /** What was read for a frame; a test replaces a part. */
  private final Map<String, PartState> parts =
      new LinkedHashMap<>(
          Map.of(
              Frame.LEDGER,
              PartState.ok(account(false, 0, 0, null)),
              Frame.FLINK,
              PartState.ok(new JobList(List.of(RUNNING, RESTARTING, FORMER))),
              Frame.LAG,
              PartState.ok(lag()),
              Frame.UNREAD,
              PartState.ok(new Frame.Unread(Map.of())),
              Frame.CELLS,
              PartState.ok(
                  new BusiestCells(
                      Instant.parse("2026-11-27T11:50:00Z"),
                      Instant.parse("2026-11-27T12:00:00Z"),
                      List.of(
                          new BusiestCells.Cell("234-10-4021-20911362", 12_345),
                          new BusiestCells.Cell("310-410-56995-7", 9)))),
              Frame.DEVICES,
              PartState.ok(new Frame.Stored(10_357)),
              "gateway",
              PartState.ok(Map.of())));

  private static JobList.Entry running(String name, FailedCheckpoint failure) {
    return new JobList.Entry(
        "a",
        name,
        "RUNNING",
        AT,
        2L,
        new Checkpoints(
            17,
            1,
            0,
            new CompletedCheckpoint(18, Instant.parse("2026-11-27T12:00:00Z"), 95, 3_565_158),
            failure));
  }

  private static LocationAccount account(
      boolean isStale, long ageSeconds, long unaccounted, @Nullable Instant triggered) {
    return new LocationAccount(
        JOB,
        AT,
        ageSeconds,
        isStale,
        1_010,
        0,
        0,
        12,
        0,
        7,
        0,
        0,
        12_345.6,
        9.04,
        120L,
        1_500L,
        63_000L,
        Map.of("bad-timestamp", 2L, "malformed", 10L),
        new DatedLedger(new Ledger(17, 1_005, 980, 1, 0, 12, 5, 7, unaccounted), triggered));
  }

  private static GroupLag lag() {
    Map<String, Map<String, Long>> groups = new LinkedHashMap<>();
    groups.put(JOB, Map.of("lastfix.location.json", 1_200L, "lastfix.location.mlp", 34L));
    groups.put("lastfix-devices", Map.of("lastfix.heartbeats", 0L));
    return new GroupLag(groups);
  }

  /** Those below the heading. */
  private List<TopLine> lines() {
    List<TopLine> lines = TopFrame.lines(new Frame(AT, JOB, JOB, "lastfix.location.", parts));
    assertThat(lines.get(0)).isEqualTo(TopLine.heading("lastfix top  2026-11-27T12:00:05Z"));
    return lines.subList(1, lines.size());
  }

  private String text() {
    return lines().stream().map(TopLine::text).collect(Collectors.joining("\n"));
  }

  private List<String> bad() {
    return lines().stream()
        .filter(line -> line.mood() == TopLine.Mood.BAD)
        .map(TopLine::text)
        .toList();
  }

  @Test
  void aFrameOfAHealthyJob() {
    assertThat(text())
        .isEqualTo(
            """
            up       mongodb, kafka, flink, gateway

            lastfix-location
              rate      12,346 messages/s, 9.0 records/s
              freshness 120 ms median, 1.5 s p95, 63 s p99 from Kafka to MongoDB
              lag       1,234 messages
              waiting   7 records for their cell
              rejected  12 since its last start: malformed 10, bad-timestamp 2
              ledger    0 unaccounted, at checkpoint 17
                        in 1,005 = stored 980 + duplicates 1 + erased 0 + rejected 12 + not records 5 + waiting 7
              stored    10,357 last known locations

                 STATE RESTARTS CHECKPOINTS FAILED      NEWEST    TOOK      SIZE  JOB
               RUNNING        2          17      1     5 s ago   95 ms   3.4 MiB  lastfix-location
            RESTARTING        9           0      0           -       -         -  devices

                   LAG  GROUP
                 1,234  lastfix-location
                     0  lastfix-devices

               RECORDS  BUSIEST CELLS, 2026-11-27T11:50:00Z to 2026-11-27T12:00:00Z
                12,345  234-10-4021-20911362
                     9  310-410-56995-7""");
    assertThat(bad()).singleElement().asString().startsWith("RESTARTING");
  }

  @Test
  void thePageShowsThatFrameUntilTheLagOfTheGroups() throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "operate", "watch.md")))
        .contains("```text\n" + text().split("\n\n +LAG ", 2)[0] + "\n```\n");
  }

  @Test
  void aNumberThatIsNotKnownIsNeverZero() {
    parts.replaceAll((name, read) -> AWAY);

    assertThat(text())
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

                 STATE RESTARTS CHECKPOINTS FAILED      NEWEST    TOOK      SIZE  JOB
                     -

                   LAG  GROUP
                     -

               RECORDS  BUSIEST CELLS
                     -""");
    assertThat(bad()).hasSize(5);
  }

  @Test
  void figuresOfADeadTaskManagerAreNotShownAsIfNow() {
    parts.put(
        Frame.LEDGER, PartState.ok(account(true, 70, 0, Instant.parse("2026-11-27T11:57:55Z"))));
    parts.put(Frame.PROCESSES, PartState.ok(new Frame.Processes(List.of("taskmanager-0"))));

    assertThat(bad())
        .startsWith(
            "ENDED    taskmanager-0: lastfix up starts it again",
            "STALE    lastfix-location: no TaskManager has reported for 70 s; lastfix status names"
                + " the processes");
    assertThat(text())
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
  void aMongoDbOfHistoryAloneIsNamed() {
    parts.put(Frame.CELLS, PartState.unavailable("away"));

    assertThat(bad()).contains("DOWN     mongodb (history, counts): away");
    assertThat(text()).contains("up       mongodb, kafka", "10,357 last known locations");
  }

  @Test
  void whatIsWrongStandsInLinesOfItsOwn() {
    parts.put(Frame.LEDGER, PartState.ok(account(false, 0, -3, null)));
    parts.put(Frame.UNREAD, PartState.ok(new Frame.Unread(Map.of("lastfix.location.own", 5L))));
    parts.put(
        Frame.FLINK,
        PartState.ok(
            new JobList(
                List.of(
                    running(
                        JOB,
                        new FailedCheckpoint(19, AT, "Checkpoint expired\nbefore completing."))))));

    assertThat(bad())
        .containsSubsequence(
            "UNACCOUNTED  3 records are in the sums that did not come in: they are counted twice."
                + " See docs/operate/watch.md#the-ledger",
            "UNREAD   lastfix.location.own has up to 5 records that no running job reads: they are"
                + " not stored. Resume the location job if it is stopped; otherwise submit it with"
                + " profile own in profiles.names, or name"
                + " the topic in source.abandon-topics",
            "FAILED   checkpoint 19 of lastfix-location: Checkpoint expired\\u000abefore"
                + " completing.",
            "  ledger    -3 unaccounted, at checkpoint 17");
  }

  @Test
  void anEmptyClusterSaysHowToBegin() {
    parts.put(Frame.FLINK, PartState.ok(new JobList(List.of())));
    parts.put(Frame.LAG, PartState.ok(new GroupLag(Map.of())));
    parts.put(Frame.CELLS, PartState.ok(new BusiestCells(null, null, null)));

    assertThat(text())
        .contains(
            "         -  no jobs",
            "         -  no group",
            "         -  no counts by cell: lastfix submit analytics");
  }

  @Test
  void aNarrowWindowCutsNamesAndKeepsNumbers() {
    parts.put(
        Frame.FLINK,
        PartState.ok(
            new JobList(
                List.of(
                    running("a".repeat(300) + "location", new FailedCheckpoint(4, AT, "")),
                    running("a".repeat(300) + "devices", new FailedCheckpoint(4, AT, ""))))));

    List<TopLine> lines = TopFrame.fit(lines(), 79, 100);

    assertThat(lines).allSatisfy(line -> assertThat(line.text().length()).isLessThan(80));
    assertThat(lines)
        .extracting(TopLine::text)
        .contains(
            "   RUNNING        2          17      1     5 s ago   95 ms   3.4 MiB  >location",
            "   RUNNING        2          17      1     5 s ago   95 ms   3.4 MiB  >adevices");
    assertThat(TopFrame.fit(lines, 1, 100))
        .allSatisfy(it -> assertThat(it.text()).hasSizeLessThan(2));
  }

  @Test
  void aLowWindowSaysHowManyLinesItLacks() {
    List<TopLine> lines = lines();

    assertThat(TopFrame.fit(lines, 80, 5))
        .hasSize(5)
        .last()
        .isEqualTo(TopLine.plain("... %d more lines".formatted(lines.size() - 4)));
    assertThat(TopFrame.fit(lines, 80, lines.size())).hasSameSizeAs(lines);
  }

  @Test
  void oneFrameIsALineOfJson() {
    Map<String, PartState> read = new LinkedHashMap<>();
    read.put(Frame.LEDGER, PartState.ok(account(false, 0, 0, AT)));
    read.put(Frame.CELLS, PartState.ok(new BusiestCells(null, null, null)));
    read.put(Frame.LAG, AWAY);

    assertThat(new Frame(AT, JOB, "g", "lastfix.location.", read).toJson().toString())
        .startsWith(
            "{\"at\":\"2026-11-27T12:00:05Z\",\"job\":\"lastfix-location\",\"group\":\"g\","
                + "\"topicPrefix\":\"lastfix.location.\",\"ledger\":{\"state\":\"ok\","
                + "\"job\":\"lastfix-location\"")
        .endsWith(
            "\"unaccounted\":0,\"triggered\":\"2026-11-27T12:00:05Z\"}},"
                + "\"cells\":{\"state\":\"ok\"},\"lag\":{\"state\":\"unavailable\","
                + "\"problem\":\"no answer within 3000 ms\"}}");
  }

  /** A terminal like xterm, whose output is in the stream. */
  private static Terminal terminal(ByteArrayOutputStream output) throws IOException {
    return TerminalBuilder.builder()
        .system(false)
        .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
        .streams(new ByteArrayInputStream(new byte[0]), output)
        .type("xterm")
        .encoding(UTF_8)
        .build();
  }

  private static final String ENTER = "\u001b[?1049h";
  private static final String LEAVE = "\u001b[?1049l";

  @Test
  void theScreenIsLeftAsItWasAndNothingIsDrawnAfterThat() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (Terminal terminal = terminal(output)) {
      TopScreen screen = new TopScreen(terminal, true);

      screen.open();
      screen.draw(List.of(TopLine.heading("first"), TopLine.bad("second")), new Size(80, 24));
      screen.close();
      screen.close();
      screen.draw(List.of(TopLine.plain("third")), new Size(80, 24));

      assertThat(output.toString(UTF_8))
          .startsWith(ENTER)
          .containsSubsequence("\u001b[1mfirst", "\u001b[31msecond", LEAVE)
          .doesNotContain("third")
          .containsOnlyOnce(LEAVE);
    }
  }

  @Test
  void withoutColoursNoLineHasThem() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (Terminal terminal = terminal(output)) {
      TopScreen screen = new TopScreen(terminal, false);

      screen.open();
      screen.draw(List.of(TopLine.bad("a line")), new Size(80, 24));

      assertThat(output.toString(UTF_8)).contains("a line").doesNotContain("\u001b[31m");
    }
  }

  @Test
  void aScreenThatASignalHasClosedIsNotOpenedAndChangesNoModes() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (Terminal terminal = terminal(output)) {
      TopScreen screen = new TopScreen(terminal, true);
      String modes = terminal.getAttributes().toString();

      screen.close();
      screen.open();

      assertThat(terminal.getAttributes().toString()).isEqualTo(modes);
      assertThat(output.toString(UTF_8)).isEmpty();
    }
  }

  @Test
  void aTerminalWithoutANameOrNamedDumbTakesNoEscapeCodes() {
    assertThat(TerminalStreams.isDumb(Map.of("TERM", "dumb"))).isTrue();
    assertThat(TerminalStreams.isDumb(Map.of())).isTrue();
    assertThat(TerminalStreams.isDumb(Map.of("TERM", "xterm"))).isFalse();
  }
}
