package io.lastfix.alert;

import static io.lastfix.alert.JudgeHarness.AIRPORT;
import static io.lastfix.alert.JudgeHarness.CITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Position;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.topic.RuleMessage;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operator adds to the judgement: state, timers, changes of rules, metrics, erasure. */
class JudgeOperatorTest {
  private static final double RADIUS_METERS = 1_500;

  private static final String ENTERED = "id: entered\nwhen: {fence: sfo, is: entered}\n";
  private static final String LEFT = "id: left\nwhen: {fence: sfo, is: left, for: 60s}\n";
  private static final String INSIDE =
      "id: inside\nwhen: {fence: sfo, is: inside}\nquiet: 15 min\n";
  private static final String FAST = "id: fast\nwhen: {expr: 'speed > 33.0'}\n";

  private static final String ROUND =
      """
      id: round
      when:
        sequence: [{fence: sfo, is: left}, {expr: 'lat > 37.7'}, {fence: sfo, is: entered}]
        within: 10 min
      """;

  private static final String MUTE =
      "id: mute\nwhen: {silent: position, for: 10 min}\nquiet: 0 s\n";
  private static final String GONE =
      "id: gone\nwhen: {silent: presence, for: 10 min}\nquiet: 0 s\n";

  /** It divides by zero for users of one letter. */
  private static final String ODD = "id: odd\nwhen: {expr: '1 / (size(user) - 1) == 0'}\n";

  private static final int TOO_MANY = FailingRules.MOST_RECORDS + 1;

  private static TestRules airport() {
    return new TestRules().fence("sfo", AIRPORT, RADIUS_METERS);
  }

  /** One event of a walk. */
  private interface Step {
    void on(JudgeHarness harness) throws Exception;
  }

  private static final List<Step> WALK =
      List.of(
          harness -> harness.record("a", 0, AIRPORT),
          harness -> harness.record("b", 0, CITY),
          harness -> harness.record("a", 10, CITY),
          harness -> harness.record("a", 20, AIRPORT),
          harness -> harness.record("a", 30, CITY),
          harness -> harness.record("b", 40, AIRPORT),
          harness -> harness.watermark(80),
          // Confirms that it left at 30.
          harness -> harness.record("a", 95, CITY),
          harness -> harness.record("a", 100, AIRPORT),
          harness -> harness.record("a", 165, AIRPORT),
          harness -> harness.record("a", 170, CITY),
          harness -> harness.record("b", 175, CITY),
          harness -> harness.watermark(229),
          // Silence confirms both.
          harness -> harness.watermark(230),
          harness -> harness.watermark(240),
          // They come late, so their whole time of silence begins now.
          harness -> harness.record("c", 100, AIRPORT),
          harness -> harness.record("c", 110, CITY),
          harness -> harness.watermark(299),
          harness -> harness.record("c", 120, AIRPORT),
          harness -> harness.record("b", 250, AIRPORT));

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aRestoreAtEachStepOfAWalkChangesNothing(boolean isOnRocksDb, boolean isRestored)
      throws Exception {
    TestRules rules = airport().rule("entered", ENTERED).rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules, isOnRocksDb, null)) {
      for (Step step : WALK) {
        if (isRestored) {
          harness.restore().runMails();
        }
        step.on(harness);
      }

      assertThat(harness.alerts())
          .containsExactly(
              "a entered@20",
              "b entered@40",
              "a left@30",
              "a entered@100",
              "a left@170",
              "b left@175",
              "c entered@120",
              "b entered@250");
      assertThat(harness.counter("judged")).isEqualTo(15);
      assertThat(harness.counter("alerts")).isEqualTo(8);
      assertThat(harness.timers()).isEqualTo(3);
    }
  }

  private static final List<Step> ROUNDS =
      List.of(
          harness -> harness.record("a", 0, AIRPORT),
          harness -> harness.record("b", 0, CITY),
          harness -> harness.record("a", 10, CITY),
          harness -> harness.record("b", 20, AIRPORT),
          harness -> harness.watermark(30),
          harness -> harness.record("a", 40, CITY),
          harness -> harness.record("b", 45, CITY),
          harness -> harness.record("a", 50, AIRPORT),
          // The second step is missing.
          harness -> harness.record("b", 60, AIRPORT),
          harness -> harness.record("b", 70, CITY),
          harness -> harness.record("b", 80, CITY),
          // Too late: it left at 70.
          harness -> harness.record("b", 671, AIRPORT),
          harness -> harness.record("b", 1_000, CITY),
          harness -> harness.record("b", 1_010, CITY),
          harness -> harness.record("b", 1_020, AIRPORT));

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aRestoreAtEachStepOfASequenceChangesNothing(boolean isOnRocksDb, boolean isRestored)
      throws Exception {
    try (JudgeHarness harness =
        new JudgeHarness(airport().rule("round", ROUND), isOnRocksDb, null)) {
      for (Step step : ROUNDS) {
        if (isRestored) {
          harness.restore().runMails();
        }
        step.on(harness);
      }

      assertThat(harness.alerts()).containsExactly("a round@50", "b round@1020");
      assertThat(harness.timers()).isEqualTo(2);
    }
  }

  private static final List<Step> SILENCES =
      List.of(
          harness -> harness.record("a", 0, AIRPORT),
          harness -> harness.record("c", 0, CITY),
          harness -> harness.watermark(10),
          harness -> harness.offline("b", 100, 280),
          harness -> harness.record("c", 300, CITY),
          harness -> harness.watermark(599),
          harness -> harness.watermark(600),
          harness -> harness.watermark(870),
          harness -> harness.record("a", 880, AIRPORT),
          harness -> harness.watermark(880),
          harness -> harness.online("b", 890),
          harness -> harness.watermark(900),
          harness -> harness.offline("b", 890, 950),
          harness -> harness.record("c", 910, AIRPORT),
          // Too soon.
          harness -> harness.online("b", 1_000),
          harness -> harness.watermark(1_479),
          harness -> harness.watermark(1_480),
          // The record shows it, before the watermark does.
          harness -> harness.record("c", 1_600, CITY),
          // It comes late, and its return shows how long it was away.
          harness -> harness.offline("b", 1_010, 1_100),
          harness -> harness.online("b", 1_700));

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aRestoreAtEachStepOfSilencesChangesNothing(boolean isOnRocksDb, boolean isRestored)
      throws Exception {
    TestRules rules = new TestRules().rule("mute", MUTE).rule("gone", GONE);
    try (JudgeHarness harness = new JudgeHarness(rules, isOnRocksDb, null)) {
      for (Step step : SILENCES) {
        if (isRestored) {
          harness.restore().runMails();
        }
        step.on(harness);
      }

      assertThat(harness.alerts())
          .containsExactly(
              "a mute@0", "b gone@100", "c mute@300", "a mute@880", "c mute@910", "b gone@1010");
      assertThat(harness.counter("presences")).isEqualTo(6);
      assertThat(harness.devices()).as("b had no record").isEqualTo(2);
      assertThat(harness.timers()).isEqualTo(2);
    }
  }

  @Test
  void presencesNeitherMoveNorHoldUpEventTime() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(new TestRules().rule("mute", MUTE))) {
      harness.record("a", 0, CITY).offline("b", 9_000, 9_180).watermarkOfPresence(9_180);
      assertThat(harness.alerts()).isEmpty();

      assertThat(harness.watermark(600).alerts()).containsExactly("a mute@0");
    }
  }

  /** The records that end a silence, or a stay outside, may not have come to this job yet. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingCountsWithoutARecordWhileTheLocationJobStandsStill(boolean isRestored)
      throws Exception {
    TestRules rules = airport().rule("mute", MUTE).rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, CITY).record("b", 0, AIRPORT).record("b", 10, CITY);
      harness.upstreamUntil(60).watermark(60).watermark(900);
      assertThat(harness.alerts()).isEmpty();

      if (isRestored) {
        harness.restore().runMails();
        harness.watermark(900);
      }
      // It catches up.
      harness.record("b", 65, AIRPORT).record("b", 700, AIRPORT);
      assertThat(harness.upstreamUntil(1_000).watermark(950).alerts())
          .containsExactly("b mute@65", "a mute@0");
    }
  }

  @Test
  void aRuleAboutSilenceWakesUpTheDevicesThatAreSilent() throws Exception {
    TestRules rules = airport().rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, CITY).record("b", 300, CITY).offline("c", 0, 180).watermark(700);

      rules.rule("mute", MUTE).rule("gone", GONE);
      harness.runMails();
      assertThat(harness.alerts()).containsExactly("a mute@0");
      assertThat(harness.timers()).isEqualTo(3);

      assertThat(harness.watermark(780).alerts()).containsExactly("a mute@0", "c gone@0");
      assertThat(harness.watermark(900).alerts())
          .containsExactly("a mute@0", "c gone@0", "b mute@300");
    }
  }

  /** The task reads records between two parts, and a checkpoint may come there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRuleAboutSilenceVisitsTheDevicesInParts(boolean isOnRocksDb) throws Exception {
    List<String> users = users(2 * JudgeOperator.DEVICES_AT_ONCE + 1);
    TestRules rules = new TestRules();
    try (JudgeHarness harness = new JudgeHarness(rules, isOnRocksDb, null)) {
      for (String user : users) {
        harness.record(user, 0, CITY);
      }
      harness.watermark(700);

      rules.rule("mute", MUTE);
      harness.runMail();
      assertThat(harness.alerts()).hasSize(JudgeOperator.DEVICES_AT_ONCE);
      assertThat(rules.applied()).as("each record meets the rule").containsExactly(0L, 1L);

      List<String> visited = harness.allAlerts().stream().map(Alert::user).toList();
      List<String> others = users.stream().filter(user -> !visited.contains(user)).toList();
      harness.record(others.get(0), 700, CITY);
      assertThat(harness.alerts()).endsWith(others.get(0) + " mute@0");

      harness.restore().runMails();
      assertThat(harness.alerts())
          .containsExactlyInAnyOrderElementsOf(
              users.stream().map(user -> user + " mute@0").toList());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRuleThatComesDuringAVisitVisitsTheDevicesAgain(boolean isOnRocksDb) throws Exception {
    List<String> users = users(JudgeOperator.DEVICES_AT_ONCE + 1);
    TestRules rules = new TestRules();
    try (JudgeHarness harness = new JudgeHarness(rules, isOnRocksDb, null)) {
      for (String user : users) {
        harness.record(user, 0, CITY);
      }
      harness.watermark(700);

      rules.rule("mute", MUTE);
      harness.runMail();
      rules.rule("other", MUTE.replace("id: mute", "id: other"));
      // A device is forgotten during the visit.
      harness.erase(users.get(0), 60).runMails();

      assertThat(harness.alerts())
          .hasSizeBetween(2 * users.size() - 2, 2 * users.size())
          .doesNotHaveDuplicates();
      assertThat(harness.devices()).isEqualTo(users.size() - 1L);
    }
  }

  private static List<String> users(int count) {
    return IntStream.range(0, count).mapToObj(user -> "u" + user).toList();
  }

  @Test
  void aRuleAboutSilenceThatCameWhileTheJobWasDownWakesUpTheDevices() throws Exception {
    OperatorSubtaskState state;
    try (JudgeHarness harness = new JudgeHarness(new TestRules())) {
      state = harness.record("a", 0, CITY).record("b", 300, CITY).watermark(700).snapshot();
    }
    try (JudgeHarness harness =
        new JudgeHarness(new TestRules().rule("mute", MUTE), false, state)) {
      assertThat(harness.alerts()).containsExactly("a mute@0");

      assertThat(harness.watermark(900).alerts()).containsExactly("a mute@0", "b mute@300");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aChangedRuleAboutSilenceDoesNotRepeatItsAlerts(boolean isRestored) throws Exception {
    TestRules rules = new TestRules().rule("mute", MUTE);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, CITY).record("b", 300, CITY).watermark(700);
      assertThat(harness.alerts()).containsExactly("a mute@0");

      if (isRestored) {
        harness.restore();
      }
      rules.rule("mute", MUTE + "then: [{webhook: dispatch}]\n");
      harness.runMails().watermark(900);

      assertThat(harness.alerts()).containsExactly("a mute@0", "b mute@300");
    }
  }

  @Test
  void aRuleAboutSilenceThatIsDeletedLeavesNothing() throws Exception {
    TestRules rules = new TestRules().rule("mute", MUTE);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, CITY).watermark(700);
      assertThat(harness.devicesWithStandings()).isEqualTo(1);

      rules.deleteRule("mute");
      harness.runMails();

      assertThat(harness.devicesWithStandings()).isZero();
    }
  }

  @Test
  void aDeviceThatIsForgottenByTheDevicesJobIsForgottenHere() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(new TestRules().rule("gone", GONE))) {
      harness.record("a", 0, CITY).watermark(10).offline("b", 0, 180);
      assertThat(harness.devices()).isEqualTo(2);

      harness.forgotten("b").forgotten("a").watermark(900);

      assertThat(harness.alerts()).isEmpty();
      assertThat(harness.devices()).isEqualTo(1);
      assertThat(harness.timers()).isEqualTo(1);
    }
  }

  @Test
  void theSilenceOfAnErasedUserIsForgotten() throws Exception {
    TestRules rules = new TestRules().rule("mute", MUTE).rule("gone", GONE);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, CITY).record("b", 0, CITY).offline("c", 0, 180).offline("d", 0, 180);
      harness.erase("a", 60).erase("c", 60);

      assertThat(harness.watermark(900).alerts()).containsExactlyInAnyOrder("b mute@0", "d gone@0");
      assertThat(harness.devices()).isEqualTo(2);
      assertThat(harness.timers()).isEqualTo(2);
    }
  }

  @Test
  void aSilenceAfterAnErasureIsThatOfANewDevice() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(new TestRules().rule("gone", GONE))) {
      harness.record("a", 0, CITY).erase("a", 60).restore().runMails();

      harness.offline("a", 70, 250).watermark(850);

      assertThat(harness.alerts()).containsExactly("a gone@70");
      assertThat(harness.allAlerts().get(0).position()).as("that of before").isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeviceCountsFromWhenItComesToTheGroup_AlsoAfterARestore(boolean isRestored)
      throws Exception {
    String left = "id: left\nwhen: {fence: sfo, is: left, for: 60s}\nwho: {group: vans}\n";
    TestRules rules = airport().rule("left", left).group("a", "vans").group("b", "cabs");
    List<Step> steps =
        List.of(
            harness -> harness.record("a", 0, AIRPORT).record("b", 0, AIRPORT),
            harness -> harness.record("c", 0, AIRPORT),
            harness -> harness.record("a", 10, CITY).record("b", 10, CITY),
            harness -> rules.group("c", "vans"),
            harness -> harness.record("c", 20, CITY).watermark(70),
            harness -> rules.group("c", "cabs"),
            harness -> harness.watermark(80),
            harness -> rules.group("b", "vans"),
            harness -> harness.record("b", 90, AIRPORT).record("b", 200, AIRPORT),
            harness -> harness.record("b", 210, CITY).watermark(270));
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      for (Step step : steps) {
        if (isRestored) {
          harness.restore().runMails();
        }
        step.on(harness);
      }

      // The third one left the group before its departure counted.
      assertThat(harness.alerts()).containsExactly("a left@10", "b left@210");
    }
  }

  @Test
  void aSequenceThatBeganBeforeAnErasureIsForgotten() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(airport().rule("round", ROUND))) {
      harness.record("a", 0, AIRPORT).record("a", 10, CITY).record("a", 70, CITY);
      harness.erase("a", 60).restore().runMails();

      harness.record("a", 80, AIRPORT);

      assertThat(harness.alerts()).isEmpty();
    }
  }

  /** As of a savepoint with which the job was drained. */
  @Test
  void aRestoredWatermarkIsNotAheadOfTheClock() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT))) {
      harness.watermark(Long.MAX_VALUE / 1_000 - JudgeHarness.T).restore().runMails();

      harness.record("a", 0, AIRPORT).record("a", 10, CITY);

      long due = JudgeHarness.CLOCK + 60;
      assertThat(harness.watermark(due - 1).alerts()).isEmpty();
      assertThat(harness.watermark(due).alerts()).containsExactly("a left@10");
    }
  }

  @Test
  void aRestoreWithAnotherParallelismKeepsAllDevicesAndTheWatermark() throws Exception {
    List<String> users = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    OperatorSubtaskState one;
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT))) {
      for (String user : users) {
        harness.record(user, 0, AIRPORT);
      }
      one = harness.watermark(240).snapshot();
    }
    OperatorSubtaskState[] two = new OperatorSubtaskState[2];
    for (int subtask = 0; subtask < two.length; subtask++) {
      OperatorSubtaskState part = JudgeHarness.part(one, 1, two.length, subtask);
      TestRules rules = airport().rule("left", LEFT);
      try (JudgeHarness harness = new JudgeHarness(rules, false, part, two.length, subtask)) {
        for (String user : users) {
          if (harness.has(user)) {
            harness.record(user, 10, CITY);
          }
        }
        assertThat(harness.devices()).isBetween(1L, users.size() - 1L);
        two[subtask] = harness.watermark(299).snapshot();
        assertThat(harness.alerts()).isEmpty();
      }
    }

    OperatorSubtaskState all = JudgeHarness.all(two);
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT), false, all)) {
      assertThat(harness.devices()).isEqualTo(users.size());
      assertThat(harness.timers()).isEqualTo(users.size());
      assertThat(harness.watermark(299).alerts()).isEmpty();

      assertThat(harness.watermark(300).alerts())
          .containsExactlyInAnyOrderElementsOf(
              users.stream().map(user -> user + " left@10").toList());
    }
  }

  @Test
  void theCountersOfRecordsSumToTheRecords() throws Exception {
    TestRules rules = airport().rule("inside", INSIDE).rule("fast", FAST).rule("odd", ODD);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness
          .record("a", 0, CITY)
          .record("a", 10, AIRPORT)
          .record("a", 10, AIRPORT)
          .record("a", 5, CITY)
          .unlocated("a", 20)
          .unlocated("c", 20)
          .restore()
          .runMails()
          .record("a", 20, AIRPORT)
          .record("a", 1_000, AIRPORT);

      assertThat(harness.alerts())
          .containsExactlyInAnyOrder("a inside@10", "a fast@10", "a inside@1000");
      assertThat(harness.allAlerts())
          .filteredOn(alert -> alert.rule().equals("inside"))
          .extracting(alert -> alert.counted())
          .containsExactly(0L, 1L);
      assertThat(harness.counter("judged")).isEqualTo(4);
      assertThat(harness.counter("repeated")).isEqualTo(1);
      assertThat(harness.counter("outOfOrder")).isEqualTo(1);
      assertThat(harness.counter("unlocated")).isEqualTo(2);
      assertThat(harness.counter("alerts")).isEqualTo(3);
      assertThat(harness.counter("withheld")).isEqualTo(1);
      // The first record has no speed.
      assertThat(harness.counter("undecided")).isEqualTo(1);
      assertThat(harness.counter("failed")).isEqualTo(4);
      assertThat(rules.pauses()).isEmpty();
    }
  }

  @Test
  void theFirstRecordMeetsAllRules() throws Exception {
    TestRules rules = airport().rule("inside", INSIDE);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      assertThat(rules.applied()).containsExactly(2L);

      harness.record("a", 0, AIRPORT);

      assertThat(harness.alerts()).containsExactly("a inside@0");
    }
  }

  /** As while the input is held back: mails run, and no record comes. */
  @Test
  void changesThatWaitAreTakenAsOneBetweenTwoRecords() throws Exception {
    TestRules rules = new TestRules();
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, CITY);
      rules.fence("sfo", AIRPORT, RADIUS_METERS).rule("left", LEFT).rule("entered", ENTERED);
      harness.record("a", 10, AIRPORT);
      assertThat(harness.waitingMails()).isEqualTo(1);
      assertThat(harness.gauge("rules")).isZero();

      harness.runMails();

      assertThat(rules.applied()).containsExactly(0L, 3L);
      assertThat(harness.gauge("rules")).isEqualTo(2);
      assertThat(harness.gauge("fences")).isEqualTo(1);
      assertThat(harness.gauge("appliedOffset")).isEqualTo(3);
      harness.record("a", 20, CITY).record("a", 30, AIRPORT);
      assertThat(harness.alerts()).containsExactly("a entered@30");
    }
  }

  @Test
  void aChangeThatTheFirstRulesContainIsOnlyAcknowledgedAgain() throws Exception {
    TestRules rules = airport().rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, AIRPORT);
      rules.sendAgain();
      harness.runMails();

      assertThat(rules.applied()).containsExactly(2L, 2L);
      assertThat(harness.alerts()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFenceThatMovesAwayEndsTheStayOfSilentDevicesOnce(boolean isOnRocksDb) throws Exception {
    TestRules rules = airport().rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules, isOnRocksDb, null)) {
      harness.record("a", 0, AIRPORT).record("b", 0, CITY).record("c", 5, AIRPORT);
      rules.fence("sfo", new Position(-121.9, 37.4), RADIUS_METERS);
      assertThat(harness.alerts()).isEmpty();

      harness.runMails().restore().runMails();

      assertThat(harness.alerts())
          .containsExactlyInAnyOrder("a left@502 fence-changed", "c left@502 fence-changed");
      assertThat(rules.applied()).containsExactly(2L, 3L, 3L);
    }
  }

  /** The task does nothing else while it settles devices. */
  @Test
  void onlyDevicesInAFenceOrWithSomethingPendingAreSettled() throws Exception {
    TestRules rules = airport().rule("entered", ENTERED).rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("in", 0, AIRPORT).record("out", 0, CITY).record("leaves", 0, AIRPORT);
      harness.record("leaves", 10, CITY);
      assertThat(harness.devices()).isEqualTo(3);
      assertThat(harness.devicesWithStandings()).isEqualTo(2);

      harness.watermark(70);

      assertThat(harness.alerts()).containsExactly("leaves left@10");
      assertThat(harness.devicesWithStandings()).isEqualTo(1);
      assertThat(harness.devices()).isEqualTo(3);
    }
  }

  @Test
  void aChangeOfAFenceIsTheSameAlertAfterACrash_WhateverRecordWasTheLast() throws Exception {
    TestRules rules = airport().rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      OperatorSubtaskState checkpoint = harness.record("a", 0, AIRPORT).snapshot();
      harness.record("a", 10, AIRPORT);
      rules.fence("sfo", CITY, RADIUS_METERS);
      harness.runMails();

      harness.crash(checkpoint).runMails().record("a", 10, AIRPORT);

      assertThat(harness.alerts())
          .containsExactly("a left@502 fence-changed", "a left@502 fence-changed");
      assertThat(harness.allAlerts().stream().map(AlertCodec::id).distinct()).hasSize(1);
    }
  }

  @Test
  void aFenceThatMovesAwayAndBackAndAwayEndsTwoStays() throws Exception {
    TestRules rules = airport().rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, AIRPORT);
      rules.fence("sfo", CITY, RADIUS_METERS);
      harness.runMails();
      rules.fence("sfo", AIRPORT, RADIUS_METERS);
      harness.runMails().record("a", 10, AIRPORT);
      rules.fence("sfo", CITY, RADIUS_METERS);
      harness.runMails();

      assertThat(harness.alerts())
          .containsExactly("a left@502 fence-changed", "a left@504 fence-changed");
    }
  }

  @Test
  void aFenceThatMovedWhileTheJobWasDownSettlesAfterTheRestore() throws Exception {
    OperatorSubtaskState state;
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT))) {
      state = harness.record("a", 0, AIRPORT).snapshot();
    }
    TestRules moved = airport().rule("left", LEFT).fence("sfo", CITY, RADIUS_METERS);
    try (JudgeHarness harness = new JudgeHarness(moved, false, state)) {
      assertThat(harness.alerts()).containsExactly("a left@502 fence-changed");

      harness.restore().runMails().record("a", 10, AIRPORT).watermark(200);

      assertThat(harness.alerts()).hasSize(1);
    }
  }

  @Test
  void aFenceOfANewerReleaseEndsNoStay_UntilItCanBeUsed() throws Exception {
    OperatorSubtaskState state;
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT))) {
      state = harness.record("a", 0, AIRPORT).record("b", 0, AIRPORT).snapshot();
    }
    TestRules newer =
        new TestRules()
            .send(new RuleMessage.Unreadable("fence/sfo", 2, "the value is of a newer release"))
            .rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(newer, false, state)) {
      harness.record("a", 10, CITY).watermark(200);
      assertThat(harness.alerts()).isEmpty();
      assertThat(harness.gauge("rules")).isZero();
      assertThat(harness.timers()).isEqualTo(2);

      Fence again = new Fence("sfo", new Fence.Circle(AIRPORT, RADIUS_METERS));
      newer.send(TestRules.fence("sfo", 3, again));
      harness.runMails().record("b", 210, CITY).watermark(300);

      assertThat(harness.alerts()).containsExactly("a left@503 fence-changed", "b left@210");
    }
  }

  @Test
  void aFollowerThatEndsFailsTheTask() throws Exception {
    TestRules rules = new TestRules();
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      rules.fail(new IOException("lastfix.rules was deleted"));

      assertThatThrownBy(harness::runMails)
          .isInstanceOf(IOException.class)
          .hasMessage("The job no longer reads the rules")
          .hasRootCauseMessage("lastfix.rules was deleted");
    }
  }

  @Test
  void theEndOfTheTaskEndsTheSubscription() throws Exception {
    TestRules rules = new TestRules();
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      assertThat(harness.waitingMails()).isZero();
      assertThat(rules.isSubscribed()).isTrue();
    }

    assertThat(rules.isSubscribed()).isFalse();
  }

  @Test
  void aRuleThatFailsOnTooManyRecordsOfAMinuteIsPausedOnceAVersion() throws Exception {
    TestRules rules = new TestRules().rule("odd", ODD);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      fail(harness, 0, TOO_MANY - 1);
      assertThat(rules.pauses()).isEmpty();

      fail(harness, TOO_MANY - 1, 3);

      RuleMessage.OfPause first =
          new RuleMessage.OfPause("odd", 1, "job", "failed on 101 records in a minute");
      assertThat(rules.pauses()).containsExactly(first);
      rules.send(first);
      harness.runMails();
      assertThat(harness.gauge("rules")).isZero();
      fail(harness, 1_000, TOO_MANY);
      assertThat(harness.counter("failed")).isEqualTo(TOO_MANY + 2);

      rules.rule("odd", ODD);
      harness.runMails();
      fail(harness, 2_000, TOO_MANY);
      assertThat(rules.pauses())
          .containsExactly(
              first, new RuleMessage.OfPause("odd", 2, "job", "failed on 101 records in a minute"));
    }
  }

  @Test
  void aRuleThatFailsRarelyIsNotPaused() throws Exception {
    TestRules rules = new TestRules().rule("odd", ODD);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      // They come at once, as to a job that catches up.
      for (int i = 0; i < 3 * TOO_MANY; i++) {
        harness.record("a", i, CITY);
      }

      assertThat(harness.counter("failed")).isEqualTo(3 * TOO_MANY);
      assertThat(rules.pauses()).isEmpty();
    }
  }

  /** Ten users of one letter have a record in each second. */
  private static void fail(JudgeHarness harness, int from, int records) throws Exception {
    for (int i = from; i < from + records; i++) {
      harness.record("abcdefghij".substring(i % 10, i % 10 + 1), i / 10, CITY);
    }
  }

  @Test
  void aDeviceHasOneTimerAndIsForgottenAfterSilence() throws Exception {
    long silence = JudgeHarness.FORGET_AFTER.toSeconds();
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT))) {
      for (int i = 1; i <= 100; i++) {
        harness.record("a", i, i % 2 == 0 ? AIRPORT : CITY).watermark(i);
        assertThat(harness.timers()).isEqualTo(1);
      }
      assertThat(harness.watermark(100 + silence - 1).devices()).isEqualTo(1);
      assertThat(harness.timers()).isEqualTo(1);

      assertThat(harness.watermark(100 + silence).devices()).isZero();

      assertThat(harness.timers()).isZero();
      // Its next record is that of a new device.
      harness.record("a", 101 + silence, CITY).watermark(500 + silence);
      assertThat(harness.alerts()).isEmpty();
    }
  }

  /** The last erased timestamp is that of 60 s. */
  @Test
  void theFirstRecordAfterAnErasureIsThatOfANewDevice() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(airport().rule("entered", ENTERED))) {
      harness.record("a", 0, CITY).record("b", 0, CITY).erase("a", 60).restore();

      harness.record("a", 70, AIRPORT).record("b", 70, AIRPORT);

      assertThat(harness.alerts()).containsExactly("b entered@70");
      assertThat(harness.devices()).isEqualTo(2);
    }
  }

  @Test
  void whatATimerWouldConfirmOfAnErasedUserIsDropped() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(airport().rule("left", LEFT))) {
      harness.record("a", 0, AIRPORT).record("b", 0, AIRPORT);
      harness.record("a", 10, CITY).record("b", 10, CITY);
      harness.erase("a", 60).restore();

      harness.watermark(70);

      assertThat(harness.alerts()).containsExactly("b left@10");
      assertThat(harness.devices()).isEqualTo(1);
      assertThat(harness.timers()).isEqualTo(1);
    }
  }

  @Test
  void anErasureCountsWhileTheOperatorRuns() throws Exception {
    TestRules rules = airport().rule("entered", ENTERED).rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, AIRPORT).record("b", 0, AIRPORT);
      harness.record("a", 10, CITY).record("b", 10, CITY).record("c", 10, CITY);

      harness.erase("a", 60).erase("c", 60).watermark(70).record("c", 80, AIRPORT);

      assertThat(harness.alerts()).containsExactly("b left@10");
      assertThat(harness.devices()).isEqualTo(2);
      assertThat(harness.timers()).isEqualTo(2);
    }
  }

  @Test
  void aFenceThatMovedTellsNothingOfAnErasedUser() throws Exception {
    TestRules rules = airport().rule("left", LEFT);
    try (JudgeHarness harness = new JudgeHarness(rules)) {
      harness.record("a", 0, AIRPORT).record("b", 0, AIRPORT);
      rules.fence("sfo", CITY, RADIUS_METERS);

      harness.erase("a", 60).restore().runMails();

      assertThat(harness.alerts()).containsExactly("b left@502 fence-changed");
      assertThat(harness.devices()).isEqualTo(1);
      assertThat(harness.timers()).isEqualTo(1);
    }
  }

  /** The sinks withhold what is put out of it. */
  @Test
  void aRecordUpToTheLastErasedTimestampIsJudgedAsBefore() throws Exception {
    try (JudgeHarness harness = new JudgeHarness(airport().rule("entered", ENTERED))) {
      harness.record("a", 0, CITY).erase("a", 60).restore();

      harness.record("a", 50, AIRPORT);

      assertThat(harness.alerts()).containsExactly("a entered@50");
    }
  }
}
