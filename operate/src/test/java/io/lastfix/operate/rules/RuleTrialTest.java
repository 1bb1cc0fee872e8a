package io.lastfix.operate.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.model.Sighting;
import io.lastfix.model.Tower;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.rules.text.TextException;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleTopic;
import io.lastfix.rules.topic.StoredMessage;
import io.lastfix.store.alerts.Acknowledgement;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices come to a depot and leave it; the collections are in memory. */
class RuleTrialTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant NOW = START.plus(Duration.ofDays(1));
  private static final long HOUR = 3_600;
  private static final Position IN = new Position(-122.4, 37.7);
  private static final Position OUT = new Position(-122.5, 37.7);
  private static final String CELL = "310-410-7-1";
  private static final String LEFT = "{id: left, when: {fence: depot, is: left, for: 60s}}";
  private static final String ENTERED = "{id: entered, when: {fence: depot, is: entered}}";
  private static final String INSIDE = "{id: inside, when: {fence: depot, is: inside}}";
  private static final JudgedHistory.Limits LIMITS = new JudgedHistory.Limits(1_000, 100);

  private final RulesInMemory topic = new RulesInMemory();
  private final HistoryInMemory history = new HistoryInMemory();

  /** The topic of rules. */
  private static final class RulesInMemory implements RuleTopic {
    private final List<RuleMessage> log = new ArrayList<>();

    @Override
    public Reading read(long from, Consumer<StoredMessage> messages) {
      for (long offset = from; offset < log.size(); offset++) {
        messages.accept(new StoredMessage(offset, log.get((int) offset)));
      }
      return new Reading(log.size(), List.of());
    }

    @Override
    public void write(RuleMessage message) {
      log.add(message);
    }
  }

  /** Records, alerts, the catalogue and the erasure list. */
  private static final class HistoryInMemory implements RuleCollections {
    private final List<Sighting> sightings = new ArrayList<>();
    private final List<StoredAlert> alerts = new ArrayList<>();
    private final List<@Nullable String> usersRead = new ArrayList<>();
    private final List<String> lookedUp = new ArrayList<>();
    private @Nullable CellCatalog cells = new CellCatalog();
    private ErasedUsers erased = ErasedUsers.NONE;

    private HistoryInMemory add(String user, long second, Position position) {
      sightings.add(
          new Sighting(
              user,
              START.plusSeconds(second),
              null,
              position,
              PositionSource.GNSS,
              null,
              null,
              null,
              false,
              null));
      return this;
    }

    private HistoryInMemory addAtCell(String user, long second, String cell) {
      sightings.add(new Sighting(user, START.plusSeconds(second), cell, IN));
      return this;
    }

    private List<Sighting> in(TimeRange range, @Nullable String user) {
      return sightings.stream()
          .filter(sighting -> user == null || user.equals(sighting.user()))
          .filter(sighting -> !sighting.timestamp().isBefore(range.from()))
          .filter(sighting -> sighting.timestamp().isBefore(range.to()))
          .sorted(Comparator.comparing(Sighting::timestamp))
          .toList();
    }

    @Override
    public void forEach(@Nullable String user, TimeRange range, Predicate<Sighting> target) {
      usersRead.add(user);
      for (Sighting sighting : in(range, user)) {
        if (!target.test(sighting)) {
          return;
        }
      }
    }

    @Override
    public Optional<Sighting> newest(@Nullable String user, TimeRange range) {
      if (user != null) {
        lookedUp.add(user);
      }
      return in(range, user).stream().reduce((one, next) -> next);
    }

    @Override
    public CellCatalog cells() throws IOException {
      if (cells == null) {
        throw new IOException("the topic lastfix.cells has more than 200,000 messages");
      }
      return cells;
    }

    @Override
    public ErasedUsers erased() {
      return erased;
    }

    @Override
    public List<StoredAlert> alerts(
        Selection selection, TimeRange range, int limit, Consumer<String> skipped) {
      return alerts.stream()
          .filter(stored -> selection.has(stored.alert()))
          .filter(stored -> stored.alert().atMillis() >= range.from().toEpochMilli())
          .filter(stored -> stored.alert().atMillis() < range.to().toEpochMilli())
          .limit(limit)
          .toList();
    }

    /** Stores an alert of version 1. */
    private void store(String rule, String user, long second) {
      alerts.add(stored(rule, user, second, 1, Alert.Cause.RECORD));
    }
  }

  private static StoredAlert stored(
      String rule, String user, long second, long version, Alert.Cause cause) {
    long millis = START.plusSeconds(second).toEpochMilli();
    Alert.Kind kind = Alert.Kind.find(rule).orElseThrow();
    return new StoredAlert(
        new Alert(
            user,
            millis,
            rule,
            version,
            kind,
            millis,
            "depot",
            cause,
            OUT,
            null,
            PositionSource.GNSS,
            null,
            1,
            0,
            List.of()),
        Optional.of(new Acknowledgement(NOW, "anna", null)));
  }

  @BeforeEach
  void putFence() throws Exception {
    var unused = store(START).putFence(new Fence("depot", new Fence.Circle(IN, 500)));
  }

  private RuleStore store(Instant now) throws IOException {
    return new RuleStore(topic, false, "anna", InstantSource.fixed(now));
  }

  private void put(String yaml) throws Exception {
    var unused = store(START).putRule(yaml);
  }

  private static AlertRequest request(@Nullable String user, @Nullable Instant from) {
    return new AlertRequest(user, from, null, null, 100, false);
  }

  private RuleTrial trial(AlertRequest request) throws IOException {
    return trial(request, LIMITS);
  }

  private RuleTrial trial(AlertRequest request, JudgedHistory.Limits limits) throws IOException {
    return new RuleTrial(
        history,
        store(NOW),
        new JudgeOptions(100, Duration.ofDays(30)),
        request,
        limits,
        InstantSource.fixed(NOW),
        line -> {});
  }

  private RuleReport test(AlertRequest request, String yaml) throws Exception {
    return trial(request).test("", yaml);
  }

  private RuleReport test(String yaml) throws Exception {
    return test(request(null, null), yaml);
  }

  private RuleReport replay(String rule) throws Exception {
    return trial(request(null, START)).replay(rule);
  }

  /** Each row as the user, the second and, if it has one, the state. */
  private static List<String> rows(RuleReport report) {
    return report.alerts().rows().stream()
        .map(
            row ->
                row.get("user").asText()
                    + " "
                    + Duration.between(START, Instant.parse(row.get("at").asText())).toSeconds()
                    + (row.has("state") ? " " + row.get("state").asText() : ""))
        .toList();
  }

  /** A user who leaves a minute later, and is not back for long. */
  private void leaves(String user, long second) {
    history.add(user, second, IN).add(user, second + 60, OUT).add(user, second + 130, OUT);
  }

  @Test
  void aRuleIsTestedWithTheFencesThatAreStored_AndPutsNothing() throws Exception {
    leaves("anna", 0);
    history.add("ben", 0, IN).add("ben", 60, OUT).add("ben", 90, IN);
    int messages = topic.log.size();

    RuleReport report = test(LEFT);

    assertThat(rows(report)).containsExactly("anna 60");
    ObjectNode row = report.alerts().rows().get(0);
    assertThat(row.get("v").asLong()).isEqualTo(1);
    assertThat(row.get("confirmed").asText()).isEqualTo("2026-11-20T12:02:00Z");
    assertThat(report.lines())
        .containsExactly(
            "From 2026-11-19T12:02:10.001Z to 2026-11-20T12:02:10.001Z, by 6 records: 1 alerts for"
                + " 1 users");
    assertThat(report.about().toString())
        .isEqualTo(
            "{\"from\":\"2026-11-19T12:02:10.001Z\",\"to\":\"2026-11-20T12:02:10.001Z\","
                + "\"complete\":true,\"records\":6,\"undecided\":0,\"failed\":0,\"found\":1,"
                + "\"users\":1,\"withheld\":0,\"more\":false}");
    assertThat(topic.log).hasSize(messages);
  }

  @Test
  void aStoredRuleIsTestedByItsId_AlsoIfItIsPaused() throws Exception {
    put(LEFT);
    var unused = store(START).pauseRule("left", "at night");
    leaves("anna", 0);

    assertThat(rows(trial(request(null, null)).test("left", null))).containsExactly("anna 60");
    assertThatThrownBy(() -> trial(request(null, null)).test("right", null))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("there is no rule right: lastfix rule list shows all");
  }

  @Test
  void aFenceThatIsNotStoredIsNamedWithThePlace() {
    assertThatThrownBy(() -> test("{id: a, when: {fence: garage, is: left}}"))
        .isInstanceOfSatisfying(
            TextException.class,
            e -> assertThat(e.placed()).startsWith("1:23: there is no fence garage: put it first"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{fence: depot, is: entered}, quiet: 0s    | 60 300",
        "{fence: depot, is: left}, quiet: 0s       | 180",
        "{fence: depot, is: inside}, quiet: 0s     | 60 120 300",
        "{fence: depot, is: outside}, quiet: 0s    | 0 180 240",
        "{expr: 'lon < -122.45'}, quiet: 0s        | 0 180 240",
        "{fence: depot, is: inside, for: 60s}, quiet: 0s | 60 120 300",
        "{fence: depot, is: inside}, quiet: 100s   | 60 300",
        "{fence: depot, is: outside}               | 0",
        "{sequence: [{fence: depot, is: left}, {expr: 'lon > -122.45'}], within: 300s} | 300"
      })
  void eachKindFindsItsAlerts(String when, String seconds) throws Exception {
    history.add("anna", 0, OUT).add("anna", 60, IN).add("anna", 120, IN);
    history.add("anna", 180, OUT).add("anna", 240, OUT).add("anna", 300, IN);

    assertThat(rows(test("{id: a, when: " + when + "}")))
        .containsExactly(
            Stream.of(seconds.split(" ", -1)).map("anna "::concat).toArray(String[]::new));
  }

  @Test
  void whatQuietWithholdsIsCounted() throws Exception {
    history.add("anna", 0, IN).add("anna", 60, IN).add("anna", 1_000, IN);

    RuleReport report = test(INSIDE);

    assertThat(rows(report)).containsExactly("anna 0", "anna 1000");
    assertThat(report.alerts().rows().get(1).get("counted").asLong()).isEqualTo(1);
    assertThat(report.about().get("withheld").asLong()).isEqualTo(1);
  }

  @Test
  void recordsOfOneInstantAreJudgedInTheirOrder_WhateverTheOrderInHistory() throws Exception {
    Position west = new Position(-122.5, 37.7);
    Position east = new Position(-122.3, 37.7);
    history.add("anna", 0, IN).add("anna", 60, east).add("anna", 60, west).add("anna", 90, east);

    assertThat(rows(test("{id: a, when: {expr: 'lon < -122.45'}, quiet: 0s}")))
        .containsExactly("anna 60");
  }

  private void putCell(CellVersion... versions) {
    CellCatalog cells = new CellCatalog();
    cells.put(new CellEntry(CellId.parse(CELL), List.of(new Tower(Radio.LTE, List.of(versions)))));
    history.cells = cells;
  }

  @ParameterizedTest
  @CsvSource({CELL, "310-410--1"})
  void aPositionAtACellIsACircleWithTheRangeThatTheCellHadThen(String cell) throws Exception {
    history.add("anna", 0, OUT).addAtCell("anna", 60, cell).addAtCell("anna", 120, cell);
    assertThat(rows(test(ENTERED))).as("of unknown range").containsExactly("anna 60");

    putCell(
        new CellVersion(0, IN, 2_000),
        new CellVersion(START.plusSeconds(100).toEpochMilli(), IN, 300));
    assertThat(rows(test(ENTERED))).containsExactly("anna 120");

    putCell(new CellVersion(0, OUT, 2_000));
    assertThat(rows(test(ENTERED))).as("the cell has moved").containsExactly("anna 60");
  }

  @Test
  void rangesThatCannotBeReadAreNamed_IfARecordNeedsThem() throws Exception {
    history.cells = null;
    leaves("anna", 0);
    assertThat(test(LEFT).lines()).hasSize(1);

    history.addAtCell("anna", 200, CELL);
    assertThat(test(LEFT).lines())
        .contains(
            "The ranges of cells are unknown, so each counts as rules.cell-radius-meters: the"
                + " topic lastfix.cells has more than 200,000 messages");
    assertThat(test("{id: a, when: {expr: lon < 0}}").lines()).hasSize(1);
  }

  @Test
  void silenceConfirmsUntilNow_AndNotBeyondTheEndOfTheTime() throws Exception {
    history.add("anna", 0, IN).add("anna", 60, OUT);
    assertThat(rows(test(LEFT))).containsExactly("anna 60");

    history.add("ben", HOUR, IN);
    AlertRequest upTo61 = new AlertRequest(null, null, START.plusSeconds(61), null, 100, false);
    assertThat(rows(test(upTo61, LEFT))).containsExactly("anna 60");
    AlertRequest upTo60 = new AlertRequest(null, null, START.plusSeconds(60), null, 100, false);
    assertThat(rows(test(upTo60, LEFT))).isEmpty();
  }

  @Test
  void whereAUserWasBeforeTheTimeCounts_AndItsAlertsDoNot() throws Exception {
    leaves("anna", 0);
    history.add("anna", 200, IN).add("anna", 1_000, OUT).add("anna", 1_100, OUT);

    RuleReport report = test(request(null, START.plusSeconds(900)), LEFT);

    assertThat(rows(report)).containsExactly("anna 1000");
    assertThat(report.about().get("records").asLong()).isEqualTo(6);
    assertThat(history.lookedUp).isEmpty();
  }

  @Test
  void aUserWithoutARecordShortlyBeforeTheTimeIsLookedUp() throws Exception {
    history.add("anna", -20 * HOUR, IN).add("anna", 60, OUT).add("anna", 130, OUT);
    history.add("ben", -HOUR, IN).add("ben", 60, OUT).add("ben", 130, OUT);
    history.add("carl", -31 * 24 * HOUR, IN).add("carl", 60, OUT).add("carl", 130, OUT);
    AlertRequest since = request(null, START);

    assertThat(rows(test(since, LEFT))).containsExactly("anna 60", "ben 60");
    assertThat(history.lookedUp).containsExactlyInAnyOrder("anna", "carl");
    assertThat(rows(test(request("anna", START), LEFT))).containsExactly("anna 60");

    history.add("dave", -20 * HOUR, IN).add("dave", 60, IN).add("dave", 120, IN);
    assertThat(rows(test(since, "{id: a, when: {fence: depot, is: inside, for: 2h}, quiet: 0s}")))
        .containsExactly("dave 60", "dave 120");
  }

  /** Here before the hour that is read anyway. */
  @Test
  void aSequenceMayHaveBegunBeforeTheTime() throws Exception {
    history.add("anna", 0, IN).add("anna", 60, OUT).add("anna", 3 * HOUR, IN);
    AlertRequest later = request(null, START.plusSeconds(2 * HOUR));

    assertThat(rows(test(later, awayFor("4h")))).containsExactly("anna 10800");
    assertThat(rows(test(later, awayFor("2h")))).isEmpty();
  }

  private static String awayFor(String within) {
    String steps = "[{fence: depot, is: left}, {fence: depot, is: entered}]";
    return "{id: sequence, when: {sequence: %s, within: %s}}".formatted(steps, within);
  }

  @Test
  void sequencesAreCompared() throws Exception {
    put(awayFor("1h"));
    history.add("anna", 0, IN).add("anna", 60, OUT).add("anna", 120, IN);
    history.add("ben", 0, IN).add("ben", 60, OUT).add("ben", 120, IN);
    history.store("sequence", "anna", 120);

    assertThat(rows(replay("sequence"))).containsExactly("ben 120 missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{id: a, when: {silent: position, for: 60s}} | only the rules job judges when.silent",
        "{id: a, when: {expr: far}, who: {group: vans}} | with who.ids instead of who.group"
      })
  void aRuleThatDoesNotFollowFromRecordsIsRefused_WithItsKey(String yaml, String message)
      throws Exception {
    put(yaml);

    assertThatThrownBy(() -> test(yaml))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the rule a cannot be run over History")
        .hasMessageEndingWith(message);
    assertThatThrownBy(() -> replay("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith(message);
  }

  @Test
  void theNewestAlertsAreShown_AndAllAreCounted() throws Exception {
    leaves("anna", 0);
    leaves("ben", 0);
    leaves("ben", 240);

    RuleReport report =
        test(new AlertRequest(null, null, null, Duration.ofHours(1), 2, true), LEFT);

    assertThat(rows(report)).containsExactly("ben 60", "ben 300");
    assertThat(report.alerts().rows().get(0).at("/loc/lon").asDouble()).isEqualTo(OUT.lon());
    assertThat(report.alerts().more()).isTrue();
    assertThat(report.lines())
        .contains("There are more than these 2: raise --limit")
        .first()
        .asString()
        .endsWith(": 3 alerts for 2 users");
  }

  @Test
  void onlyTheUsersOfTheRuleOrOfTheRequestAreRead() throws Exception {
    leaves("anna", 0);
    leaves("ben", 0);
    String ofTwo = LEFT.replace("}}", "}, who: {ids: [ben, carl]}}");

    assertThat(rows(test(ofTwo))).containsExactly("ben 60");
    assertThat(rows(test(request("anna", null), LEFT))).containsExactly("anna 60");
    assertThat(history.usersRead).containsExactly("ben", "carl", "anna");
    assertThatThrownBy(
            () -> trial(request(null, null), new JudgedHistory.Limits(2, 100)).test("", ofTwo))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the users that the rule names have more than 2 records of that time: name one with"
                + " --user");

    String ofPrefix = LEFT.replace("}}", "}, who: {prefix: b}}");
    assertThat(rows(test(ofPrefix))).containsExactly("ben 60");
  }

  @Test
  void recordsOfErasedUsersDoNotExist() throws Exception {
    put(LEFT);
    leaves("anna", 0);
    leaves("ben", 0);
    history.store("left", "anna", 60);
    history.erased =
        new ErasedUsers(1, Map.of(UserHash.of("anna"), START.plusSeconds(100).toEpochMilli()));

    assertThat(rows(test(LEFT))).containsExactly("ben 60");
    assertThat(rows(replay("left"))).containsExactly("ben 60 missing");
  }

  @Test
  void consecutiveRunsFindWhatOneFinds() throws Exception {
    put(LEFT);
    leaves("anna", 0);
    history.add("dave", 10, IN).add("dave", 7 * HOUR, OUT).add("dave", 7 * HOUR + 70, OUT);
    leaves("ben", 5 * HOUR);
    leaves("carl", 10 * HOUR);
    JudgedHistory.Limits five = new JudgedHistory.Limits(5, 100);

    List<String> tested = new ArrayList<>();
    List<String> replayed = new ArrayList<>();
    List<String> begins = new ArrayList<>();
    Instant from = START;
    RuleReport report;
    do {
      begins.add(from.toString());
      replayed.addAll(rows(trial(request(null, from), five).replay("left")));
      report = trial(request(null, from), five).test("left", null);
      tested.addAll(rows(report));
      from = Instant.parse(report.about().get("to").asText());
      if (!report.isWhole()) {
        assertThat(report.about().get("complete").asBoolean()).isFalse();
        assertThat(report.lines())
            .contains(
                "At most 5 records and 100 users are read, and History has more: continue with"
                    + " --from %s, or name one user with --user".formatted(from));
      }
    } while (!report.isWhole());

    assertThat(begins)
        .containsExactly("2026-11-20T12:00:00Z", "2026-11-20T17:00:00Z", "2026-11-20T21:59:00Z");
    assertThat(tested)
        .containsExactly("anna 60", "ben 18060", "dave 25200", "carl 36060")
        .containsExactlyElementsOf(rows(test(request(null, START), LEFT)));
    assertThat(replayed).containsExactlyElementsOf(rows(replay("left"))).hasSize(4);
  }

  @Test
  void limitsThatEndARunBeforeTheTimeAreNamed() throws Exception {
    leaves("anna", 0);
    AlertRequest later = request(null, START.plusSeconds(400));

    assertThatThrownBy(() -> trial(later, new JudgedHistory.Limits(2, 100)).test("", LEFT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "at most 2 records and 100 users are read, which decide only alerts before"
                + " 2026-11-20T12:01:10Z: name one user with --user");
  }

  @Test
  void moreUsersThanFitEndItToo() throws Exception {
    leaves("anna", 0);
    leaves("ben", 600);

    RuleReport report =
        trial(request(null, null), new JudgedHistory.Limits(100, 0)).test("", ENTERED);

    assertThat(report.isWhole()).isFalse();
    assertThat(report.about().get("to").asText()).isEqualTo("2026-11-20T12:01:00Z");
  }

  @Test
  void whatFailsOrIsUndecidedIsReported() throws Exception {
    leaves("anna", 0);

    assertThat(test("{id: a, when: {expr: altitude > 3}}").lines())
        .contains("3 times a record lacked a value that the rule needs");
    assertThat(test("{id: a, when: {expr: '1 / (size(user) - 4) == 0'}}").lines())
        .contains("3 times an expression failed: the job pauses a rule that fails often");
  }

  @Test
  void withoutARecordAllIsZero_AndStoredAlertsAreComparedToo() throws Exception {
    put(LEFT);
    history.store("left", "anna", 60);

    assertThat(test(LEFT).lines())
        .containsExactly(
            "From 2026-11-20T12:00:00Z to 2026-11-21T12:00:00Z, by 0 records: 0 alerts for 0"
                + " users");
    RuleReport report = replay("left");
    assertThat(rows(report)).containsExactly("anna 60 surplus");
    assertThat(report.about().get("records").asLong()).isZero();
    assertThat(rows(test(request(null, NOW.plusSeconds(1)), LEFT))).isEmpty();
  }

  @Test
  void aReplayFindsWhatTheJobMissed_AndWhatDoesNotFollow() throws Exception {
    put(LEFT);
    leaves("anna", 0);
    leaves("ben", 0);
    history.add("carl", 5_000, OUT);
    history.store("left", "anna", 60);
    history.store("left", "anna", 500);
    history.alerts.add(stored("left", "anna", 501, 1, Alert.Cause.FENCE_CHANGED));
    history.alerts.add(stored("left", "anna", 502, 7, Alert.Cause.RECORD));

    RuleReport report = replay("left");

    assertThat(rows(report)).containsExactly("ben 60 missing", "anna 500 surplus");
    assertThat(report.alerts().rows().get(0).has("ackBy")).isFalse();
    assertThat(report.alerts().rows().get(1).get("ackBy").asText()).isEqualTo("anna");
    assertThat(report.lines())
        .containsExactly(
            "From 2026-11-20T12:00:00Z to 2026-11-21T12:00:00Z, by 7 records: 1 alerts are stored,"
                + " 1 are missing, 1 more are stored but do not follow from History",
            "No earlier alert is compared: the rule or its fences were put at"
                + " 2026-11-20T12:00:00Z");
    assertThat(report.about().get("same").asInt()).isEqualTo(1);
    assertThat(report.about().get("missing").asInt()).isEqualTo(1);
    assertThat(report.about().get("surplus").asInt()).isEqualTo(1);
  }

  @Test
  void aMatchNeedsNoAlertWithinQuietOfAStoredOne() throws Exception {
    put(INSIDE);
    for (int second = 0; second <= 3_300; second += 300) {
      history.add("anna", second, IN);
    }
    history.store("inside", "anna", 300);
    history.store("inside", "anna", 1_200);
    history.store("inside", "anna", 2_700);

    assertThat(rows(replay("inside"))).containsExactly("anna 0 missing", "anna 2100 missing");
    RuleReport later = trial(request(null, START.plusSeconds(600))).replay("inside");
    assertThat(rows(later)).containsExactly("anna 2100 missing");
    assertThat(later.about().get("same").asInt()).isEqualTo(2);
  }

  @Test
  void alertsFromBeforeTheRuleOrItsFenceWasPutAreNotCompared() throws Exception {
    put(LEFT);
    leaves("anna", -1_000);
    history.store("left", "anna", -940);
    leaves("ben", 0);
    AlertRequest any = request(null, null);

    assertThat(rows(trial(any).replay("left"))).containsExactly("ben 60 missing");

    Instant changed = START.plusSeconds(500);
    var unused = store(changed).putFence(new Fence("depot", new Fence.Circle(IN, 600)));
    assertThatThrownBy(() -> trial(any).replay("left"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the rule or its fences were put at 2026-11-20T12:08:20Z, so only alerts from then on"
                + " can be compared: take a later --to");
    leaves("carl", 600);
    RuleReport report = trial(any).replay("left");
    assertThat(rows(report)).containsExactly("carl 660 missing");
    assertThat(report.lines())
        .contains(
            "No earlier alert is compared: the rule or its fences were put at"
                + " 2026-11-20T12:08:20Z");
  }

  /** As in the job, which has no standing of a rule that is new. */
  @Test
  void aRuleThatIsComparedBeginsAnewWithItsPut() throws Exception {
    put("{id: inside, when: {fence: depot, is: inside, for: 600s}, quiet: 0s}");
    history.add("anna", -1_200, IN).add("anna", 60, IN).add("anna", 120, IN).add("anna", 700, OUT);

    assertThat(rows(replay("inside"))).containsExactly("anna 60 missing");
    assertThat(rows(trial(request(null, START)).test("inside", null)))
        .containsExactly("anna 60", "anna 120");
  }
}
