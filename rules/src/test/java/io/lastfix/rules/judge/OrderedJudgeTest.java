package io.lastfix.rules.judge;

import static io.lastfix.rules.judge.TestRecord.at;
import static io.lastfix.rules.judge.TestRecord.millis;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderedJudgeTest {
  private static final double IN = 300;
  private static final double OUT = 700;
  private static final TestRule LEFT = TestRule.of(Alert.Kind.LEFT).lasting(60);

  private final List<Alert> alerts = new ArrayList<>();

  private OrderedJudge judge(TestRule... rules) {
    return new OrderedJudge(
        DeviceRun.OPTIONS, TestBook.with(rules).set(), Long.MIN_VALUE, alerts::add);
  }

  private static LocatedRecord of(String user, LocatedRecord record) {
    return new LocatedRecord(
        user, record.place(), record.timestampMillis(), record.cellPosition(), record.isFar());
  }

  private List<String> texts() {
    return alerts.stream()
        .map(alert -> alert.user() + " " + TestRecord.seconds(alert.atMillis()))
        .toList();
  }

  @Test
  void silenceConfirmsOnlyAtTheEnd() {
    OrderedJudge judge = judge(LEFT);
    judge.judge(at(0, IN).build());
    judge.judge(at(10, OUT).build());

    judge.end(millis(70) - 1);
    assertThat(alerts).isEmpty();

    judge.end(millis(70));
    assertThat(texts()).containsExactly("van-1 10");
  }

  @Test
  void aLateRecordDoesNotExist() {
    OrderedJudge judge = judge(LEFT);
    judge.judge(at(0, IN).build());
    judge.judge(at(10, OUT).build());
    judge.judge(at(5, OUT).build());
    judge.judge(at(10, OUT).build());
    judge.judge(at(20, OUT).unlocated());
    judge.judge(at(30, IN).build());

    judge.end(millis(1_000));

    assertThat(alerts).isEmpty();
    assertThat(judge.devices()).isEqualTo(1);
  }

  @Test
  void devicesAreJudgedInTheSameWayTogetherAndOneAfterTheOther() {
    List<LocatedRecord> annas =
        List.of(of("anna", at(0, IN).build()), of("anna", at(10, OUT).build()));
    List<LocatedRecord> bens =
        List.of(of("ben", at(5, IN).build()), of("ben", at(500, OUT).build()));
    OrderedJudge together = judge(LEFT);
    together.judge(annas.get(0));
    together.judge(bens.get(0));
    together.judge(annas.get(1));
    together.judge(bens.get(1));
    together.end(millis(600));
    List<String> found = texts();
    alerts.clear();

    OrderedJudge inTurn = judge(LEFT);
    bens.forEach(inTurn::judge);
    annas.forEach(inTurn::judge);
    inTurn.end(millis(600));

    assertThat(found).containsExactlyInAnyOrder("anna 10", "ben 500");
    assertThat(texts()).containsExactlyInAnyOrderElementsOf(found);
  }

  @Test
  void ofARecordFromBeforeTheRulesOnlyThePositionCounts() {
    TestRule stays = TestRule.of(Alert.Kind.INSIDE).id("stays").lasting(60);
    OrderedJudge judge =
        new OrderedJudge(
            DeviceRun.OPTIONS, TestBook.with(LEFT, stays).set(), millis(100), alerts::add);
    judge.judge(at(0, OUT).build());
    judge.judge(at(10, IN).build());
    judge.judge(at(20, OUT).build());
    judge.judge(at(90, IN).build());
    judge.judge(at(110, IN).build());
    judge.judge(at(180, OUT).build());
    judge.end(millis(1_000));

    assertThat(alerts)
        .extracting(alert -> alert.rule() + " " + TestRecord.seconds(alert.atMillis()))
        .containsExactly("stays 110", LEFT.id() + " 180");
  }

  @Test
  void aDeviceIsForgottenAfterItsTime() {
    OrderedJudge judge =
        new OrderedJudge(
            new JudgeOptions(100, Duration.ofHours(1)),
            TestBook.with(TestRule.of(Alert.Kind.LEFT)).set(),
            Long.MIN_VALUE,
            alerts::add);
    judge.judge(at(0, IN).build());
    judge.judge(at(3_601, OUT).build());

    assertThat(alerts).isEmpty();
    assertThat(judge.has("van-1")).isTrue();

    judge.end(millis(3_600 + 3_601));
    assertThat(judge.devices()).isZero();
  }

  @Test
  void whatMakesNoAlertIsCounted() {
    OrderedJudge judge =
        judge(
            TestRule.of(Alert.Kind.INSIDE).quiet(300),
            TestRule.expression("altitude > 100").id("high"),
            TestRule.expression("1 / (size(user) - 5) == 0").id("odd"));
    judge.judge(at(0, IN).build());
    judge.judge(at(10, IN).build());

    assertThat(texts()).containsExactly("van-1 0");
    assertThat(judge.withheld()).isEqualTo(1);
    assertThat(judge.undecided()).isEqualTo(2);
    assertThat(judge.failed()).isEqualTo(2);
  }
}
