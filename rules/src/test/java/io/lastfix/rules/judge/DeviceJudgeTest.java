package io.lastfix.rules.judge;

import static io.lastfix.rules.judge.TestRecord.at;
import static io.lastfix.rules.judge.TestRecord.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.alert.Alert.Cause;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.rule.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fence of most rules is a circle of 500 m; a cell's circle has 100 m. */
class DeviceJudgeTest {
  private static final double IN = 300;
  private static final double OUT = 700;

  private static DeviceRun run(TestRule... rules) {
    return new DeviceRun(TestBook.with(rules).set());
  }

  private static TestRule entered() {
    return TestRule.of(Alert.Kind.ENTERED);
  }

  private static TestRule left() {
    return TestRule.of(Alert.Kind.LEFT);
  }

  private static TestRule inside() {
    return TestRule.of(Alert.Kind.INSIDE);
  }

  private static TestRule outside() {
    return TestRule.of(Alert.Kind.OUTSIDE);
  }

  @Test
  void onlyRecordsWithAPositionAreJudged_AndOnlyThoseNewerThanTheLast() {
    LocatedRecord last = run().arrive(at(10, IN)).state().last();

    assertThat(DeviceJudge.isNewer(at(10, IN).build(), null)).isTrue();
    assertThat(DeviceJudge.isNewer(at(11, IN).unlocated(), null)).isFalse();
    assertThat(DeviceJudge.isNewer(at(11, IN).unlocated(), last)).isFalse();
    assertThat(DeviceJudge.isNewer(at(11, IN).build(), last)).isTrue();
    assertThat(DeviceJudge.isNewer(at(10, IN).build(), last)).isFalse();
    assertThat(DeviceJudge.isNewer(at(10, OUT).build(), last)).isTrue();
    assertThat(DeviceJudge.isNewer(at(9, IN).build(), last)).isFalse();
  }

  @Test
  void aDeviceThatComesAndGoesHasEnteredAndLeft() {
    DeviceRun run = run(entered(), left());

    run.arrive(at(0, OUT), at(10, IN), at(20, IN), at(30, OUT), at(40, OUT), at(50, IN));

    assertThat(run.texts()).containsExactly("entered 10", "left 30", "entered 50");
  }

  @Test
  void anAlertHasAllOfTheRecordThatBeganIt() {
    DeviceRun run = run(left().lasting(60).webhook("dispatch"));
    LocatedRecord began = at(10, OUT).cell(TestRecord.CELL).accuracy(12).build();

    run.arrive(at(0, IN).build(), began, at(80, OUT).build());

    assertThat(run.alerts())
        .containsExactly(
            new Alert(
                TestRecord.USER,
                millis(10),
                "left",
                1,
                Alert.Kind.LEFT,
                millis(70),
                TestBook.DEPOT,
                Cause.RECORD,
                Objects.requireNonNull(began.position()),
                TestRecord.CELL,
                PositionSource.GNSS,
                12.0,
                1,
                0,
                List.of(new Action(Action.Kind.WEBHOOK, "dispatch"))));
  }

  @ParameterizedTest
  @ValueSource(doubles = {IN, OUT})
  void theFirstRecordFiresNeitherEnteredNorLeft(double meters) {
    DeviceRun run = run(entered(), left());

    run.arrive(at(0, meters));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void aRulePutOverAStandingDeviceFiresNothing_ButItsLeavingDoes() {
    TestBook book = TestBook.with();
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));

    run.use(book.rule(entered()).rule(left()).set()).arrive(at(10, IN), at(20, OUT));

    assertThat(run.texts()).containsExactly("left 20");
  }

  @Test
  void aDeviceThatLeavesWithTheFirstRecordAfterARuleWasPutHasLeft() {
    TestBook book = TestBook.with();
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));

    run.use(book.rule(left()).set()).arrive(at(10, OUT));

    assertThat(run.texts()).containsExactly("left 10");
  }

  @Test
  void aFencePutOverAStandingDeviceFiresNothing_ButItsLeavingDoes() {
    TestBook book = new TestBook().rule(entered()).rule(left());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));

    run.use(book.circle(500).set()).arrive(at(10, IN), at(20, OUT));

    assertThat(run.texts()).containsExactly("left 20");
  }

  @Test
  void forIsOverAtTheFirstRecordThatIsOldEnough_WhereverThatIs() {
    DeviceRun run = run(left().lasting(60));

    run.arrive(at(0, IN), at(10, OUT), at(69, OUT));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(70, IN));
    assertThat(run.texts()).containsExactly("left 10");
  }

  @Test
  void aRecordOnTheOldSideCancels() {
    DeviceRun run = run(left().lasting(60));

    run.arrive(at(0, IN), at(10, OUT), at(60, IN), at(65, OUT), at(120, OUT));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(125, OUT));
    assertThat(run.texts()).containsExactly("left 65");
  }

  @Test
  void forGuardsBothDirections() {
    DeviceRun run = run(entered().lasting(60), left().lasting(60));

    run.arrive(at(0, IN), at(10, OUT), at(100, OUT), at(110, IN), at(120, OUT), at(500, OUT));

    assertThat(run.texts()).containsExactly("left 10");
  }

  @Test
  void aRecordCanSettleOneSideAndBeginTheOther() {
    DeviceRun run = run(entered().lasting(60), left().lasting(60));

    run.arrive(at(0, OUT), at(10, IN), at(70, OUT), at(130, OUT));

    assertThat(run.texts()).containsExactly("entered 10", "left 70");
  }

  @Test
  void theMarginNeitherBeginsNorEndsAnything() {
    DeviceRun run = run(entered().lasting(60).margin(100), left().lasting(60).margin(100));

    run.arrive(at(0, IN), at(10, 590), at(100, 590));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(110, 610), at(120, 590), at(170, 590));
    assertThat(run.texts()).containsExactly("left 110");

    run.arrive(at(180, 590), at(300, 590));
    assertThat(run.alerts()).hasSize(1);

    run.arrive(at(310, 490), at(320, 590), at(370, 590));
    assertThat(run.texts()).containsExactly("left 110", "entered 310");
  }

  @Test
  void silenceConfirmsAtTheWatermark() {
    DeviceRun run = run(left().lasting(60)).arrive(at(0, IN), at(10, OUT));

    run.watermark(millis(70) - 1);
    assertThat(run.alerts()).isEmpty();
    assertThat(run.dueMillis()).isEqualTo(millis(70));

    run.watermark(millis(70));
    assertThat(run.texts()).containsExactly("left 10");
    assertThat(run.alerts().get(0).confirmedMillis()).isEqualTo(millis(70));
  }

  @Test
  void recordsThatComeLateAreNotConfirmedBeforeAWholeForOfSilence() {
    DeviceRun run = run(left().lasting(60)).watermark(millis(1_000));

    run.arrive(at(0, IN), at(10, OUT)).watermark(millis(1_059));
    assertThat(run.alerts()).isEmpty();
    assertThat(run.dueMillis()).isEqualTo(millis(1_060));

    run.arrive(at(20, IN)).watermark(millis(2_000));
    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void aRecordAfterTheDueWatermarkDoesNotCancel_EvenIfTheTimerIsLate() {
    DeviceRun run = run(left().lasting(60)).arrive(at(0, IN), at(10, OUT));

    run.watermarkWithoutTimer(millis(70)).arrive(at(20, IN));

    assertThat(run.texts()).containsExactly("left 10");
  }

  @Test
  void whetherSilenceOrARecordConfirms_TheAlertIsTheSame() {
    DeviceRun bySilence = run(left().lasting(60)).watermark(millis(5));
    DeviceRun byRecord = run(left().lasting(60));

    bySilence.arrive(at(0, IN), at(10, OUT)).watermark(millis(300));
    byRecord.arrive(at(0, IN), at(10, OUT), at(200, OUT));

    assertThat(bySilence.alerts()).hasSize(1).isEqualTo(byRecord.alerts());
  }

  @Test
  void insideIsTrueOfEachRecordInside_TheFirstOneToo() {
    DeviceRun run = run(inside());

    run.arrive(at(0, IN), at(10, IN), at(20, OUT), at(30, OUT), at(40, IN));

    assertThat(run.texts()).containsExactly("inside 0", "inside 10", "inside 40");
  }

  @Test
  void outsideIsTrueOfEachRecordOutside_AlsoFarAway() {
    DeviceRun run = run(outside());

    run.arrive(at(0, 90_000), at(10, OUT), at(20, IN), at(30, OUT));

    assertThat(run.texts()).containsExactly("outside 0", "outside 10", "outside 30");
  }

  @Test
  void aStateIsOnOnceItHasLasted_AndEndsAtOnce() {
    DeviceRun run = run(inside().lasting(60));

    run.arrive(at(0, IN), at(30, IN), at(60, IN), at(70, IN), at(80, OUT), at(90, IN), at(149, IN));

    assertThat(run.texts()).containsExactly("inside 0", "inside 60", "inside 70");
    assertThat(run.alerts())
        .extracting(Alert::confirmedMillis)
        .containsExactly(millis(60), millis(60), millis(70));
  }

  @Test
  void aStateIsConfirmedByTheRecordThatEndsIt() {
    DeviceRun run = run(inside().lasting(60));

    run.arrive(at(0, IN), at(60, OUT), at(120, IN), at(130, OUT), at(200, OUT));

    assertThat(run.texts()).containsExactly("inside 0");
  }

  @Test
  void aStateIsConfirmedBySilence_AndAlsoStaysOnInTheMargin() {
    DeviceRun run = run(inside().lasting(60).margin(100));

    run.arrive(at(0, IN)).watermark(millis(60));
    run.arrive(at(70, 550), at(80, IN));

    assertThat(run.texts()).containsExactly("inside 0", "inside 80");
  }

  @Test
  void anUndecidedConditionKeepsTheState() {
    DeviceRun run = run(TestRule.expression("altitude > 100.0").lasting(60));

    run.arrive(at(0, IN).altitude(200), at(30, IN), at(60, IN));
    assertThat(run.texts()).containsExactly("expr 0");
    run.arrive(at(70, IN).altitude(200), at(80, IN).altitude(50), at(90, IN));

    assertThat(run.texts()).containsExactly("expr 0", "expr 70");
    assertThat(run.undecided()).isEqualTo(3);
    assertThat(run.failed()).isEmpty();
  }

  @Test
  void anExpressionThatFailsIsCounted_AndItsRecordIsNotJudgedByTheRule() {
    DeviceRun run =
        run(
            TestRule.expression("1 / (int(altitude) - 7) >= 0").lasting(60),
            inside().who("expr", "1 / (int(altitude) - 7) >= 0"));

    run.arrive(at(0, IN).altitude(8), at(60, IN).altitude(7));
    assertThat(run.texts()).containsExactly("inside 0");
    assertThat(run.failed()).isEqualTo(Map.of("expr", 1, "inside", 1));
    assertThat(run.undecided()).isZero();

    run.arrive(at(61, IN).altitude(9));
    assertThat(run.texts()).containsExactly("inside 0", "expr 0", "expr 61", "inside 61");
  }

  @Test
  void anExpressionsAlertHasNoFence_AndIsCertain() {
    DeviceRun run = run(TestRule.expression("inside(\"depot\")"));

    run.arrive(at(0, IN).accuracy(9_000), at(10, OUT));

    assertThat(run.texts()).containsExactly("expr 0");
    assertThat(run.alerts().get(0).fence()).isNull();
    assertThat(run.alerts().get(0).certainty()).isEqualTo(1);
  }

  @Test
  void quietCountsMatchesForTheNextAlert() {
    DeviceRun run = run(inside().quiet(60));

    run.arrive(at(0, IN), at(20, IN), at(59, IN), at(60, IN), at(130, IN));

    assertThat(run.texts()).containsExactly("inside 0", "inside 60 +2", "inside 130");
    assertThat(run.withheld()).isEqualTo(2);
  }

  @Test
  void quietComparesTheInstantsAtWhichMatchesBegan() {
    DeviceRun run = run(left().lasting(60).quiet(190));

    run.arrive(at(0, IN), at(10, OUT), at(70, OUT), at(80, IN), at(140, IN));
    // It begins in the quiet time, and is confirmed after it.
    run.arrive(at(150, OUT), at(205, OUT), at(300, OUT));
    assertThat(run.texts()).containsExactly("left 10");

    run.arrive(at(310, IN), at(370, IN), at(380, OUT), at(440, OUT));
    assertThat(run.texts()).containsExactly("left 10", "left 380 +1");
  }

  @Test
  void whatWasWithheldIsKeptUntilTheNextAlert() {
    DeviceRun run = run(left().quiet(60));

    run.arrive(at(0, IN), at(10, OUT), at(20, IN), at(30, OUT), at(1_000, OUT), at(5_000, OUT));
    assertThat(run.state().standings()).containsOnlyKeys("left");
    run.arrive(at(6_000, IN), at(6_010, OUT));

    assertThat(run.texts()).containsExactly("left 10", "left 6010 +1");
    run.arrive(at(7_000, OUT));
    assertThat(run.state().standings()).isEmpty();
  }

  @Test
  void aRuleIsAboutItsUsersAlone() {
    DeviceRun run =
        run(
            inside().id("one").who("id", "van-1"),
            inside().id("other").who("id", "van-2"),
            inside().id("vans").who("prefix", "van-"),
            inside().id("cabs").who("prefix", "cab-"),
            outside().id("far").who("id", "van-1"),
            outside().id("far-other").who("id", "van-2"));

    run.arrive(at(0, IN), at(10, OUT));

    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("one", "vans", "far");
  }

  @Test
  void aRuleAboutAGroupIsAboutItsDevicesAlone() {
    DeviceRun run =
        new DeviceRun(
            TestBook.with(
                    user -> user.equals(TestRecord.USER) ? "vans" : null,
                    inside().id("vans").who("group", "vans"),
                    inside().id("cabs").who("group", "cabs"),
                    TestRule.expression("lat > 0.0").id("any").who("group", "vans"),
                    TestRule.silent(Condition.Silent.Sign.POSITION).who("group", "vans"),
                    TestRule.silent(Condition.Silent.Sign.POSITION).id("no").who("group", "cabs"))
                .set());

    run.arrive(at(0, IN)).watermark(millis(100));

    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("any", "vans", "silent");
  }

  /** The device does not enter, nor leave, by its change. */
  @Test
  void aDeviceThatChangesItsGroupCountsFromThen() {
    AtomicReference<String> group = new AtomicReference<>("cabs");
    DeviceRun run =
        new DeviceRun(
            TestBook.with(
                    user -> group.get(),
                    entered().who("group", "vans"),
                    left().lasting(60).who("group", "vans"))
                .set());

    run.arrive(at(0, OUT), at(10, IN));
    group.set("vans");
    run.arrive(at(20, IN), at(30, OUT));
    group.set("cabs");
    run.watermark(millis(500));
    assertThat(run.alerts()).isEmpty();

    group.set("vans");
    run.arrive(at(510, OUT), at(520, IN), at(580, IN), at(590, OUT)).watermark(millis(700));
    assertThat(run.texts()).containsExactly("entered 520", "left 590");
  }

  @Test
  void aRecordThatWhoExcludesChangesNothingForTheRule() {
    DeviceRun run = run(entered().who("expr", "!far"), left().who("expr", "!far"));

    run.arrive(
        at(0, OUT),
        at(10, IN).cell(TestRecord.CELL).far(),
        at(20, IN),
        at(30, OUT).cell(TestRecord.CELL).far(),
        at(40, IN),
        at(50, IN).cell(TestRecord.CELL).far(),
        at(60, OUT));

    assertThat(run.texts()).containsExactly("entered 20", "left 60");
  }

  @Test
  void aPositionsCircleHasToBeOnTheSideWithTheCertainty() {
    DeviceRun run = run(entered().certainty(0.9), left().certainty(0.9));

    run.arrive(at(0, IN).accuracy(50), at(10, 510).accuracy(200), at(20, 600).accuracy(300));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(30, 690).accuracy(200));
    run.arrive(at(40, 490).accuracy(200), at(50, 310).accuracy(200));
    assertThat(run.texts()).containsExactly("left 30", "entered 50");
    assertThat(run.alerts())
        .extracting(Alert::certainty)
        .allSatisfy(certainty -> assertThat(certainty).isBetween(0.9, 1.0));
  }

  @Test
  void aCellOfUnknownRangeHasTheCircleOfTheOptions() {
    DeviceRun run = run(left().certainty(0.9));

    run.arrive(at(0, IN).ofCell(), at(10, 510).ofCell());
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(20, 600).ofCell());
    assertThat(run.alerts()).hasSize(1);
    assertThat(run.alerts().get(0).source()).isEqualTo(PositionSource.CELL);
    assertThat(run.alerts().get(0).accuracyMeters()).isNull();
    assertThat(run.alerts().get(0).certainty()).isEqualTo(1);
  }

  @Test
  void aCellOfAKnownRangeHasThatCircle() {
    DeviceRun run = run(left().certainty(0.9));

    run.arrive(at(0, 0).ofCell(300), at(10, 600).ofCell(300));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(20, 750).ofCell(300));
    assertThat(run.alerts()).hasSize(1);
    assertThat(run.alerts().get(0).certainty()).isBetween(0.9, 1.0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Alert.Kind.class,
      names = {"INSIDE", "OUTSIDE"})
  void certaintyIsTheShareOnTheRulesSide(Alert.Kind kind) {
    DeviceRun run = run(TestRule.of(kind));

    run.arrive(at(0, 450).accuracy(100), at(10, 550).accuracy(100));

    // The chord at 50 m cuts off 19.6 % of a circle of 100 m.
    assertThat(run.alerts()).hasSize(1);
    assertThat(run.alerts().get(0).certainty()).isCloseTo(0.8, within(0.06));
  }

  @Test
  void aFenceMovedAwayEndsWithLeft_Once() {
    TestBook book = TestBook.with(entered(), left(), inside());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, OUT), at(10, IN), at(20, IN));

    run.use(book.circle(200).set());
    run.use(book.circle(100).set()).arrive(at(30, IN), at(40, OUT));

    assertThat(run.alerts("left"))
        .singleElement()
        .satisfies(
            alert -> {
              assertThat(alert.cause()).isEqualTo(Cause.FENCE_CHANGED);
              assertThat(alert.atMillis()).isEqualTo(TestBook.put(2).toEpochMilli());
              assertThat(alert.confirmedMillis()).isEqualTo(TestBook.put(2).toEpochMilli());
              assertThat(alert.position()).isEqualTo(at(20, IN).build().position());
              assertThat(alert.certainty()).isEqualTo(1);
            });
    assertThat(run.alerts("entered")).hasSize(1);
    assertThat(run.alerts("inside")).hasSize(2);
  }

  @Test
  void aFenceThatIsDeletedEndsWithLeft_AndItsRulesWait() {
    TestBook book = TestBook.with(entered(), left(), outside());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));

    run.use(book.deleteFence(TestBook.DEPOT).set());
    assertThat(run.texts()).containsExactly("left 90002");
    assertThat(run.state().standings()).isEmpty();

    run.arrive(at(10, OUT), at(20, IN)).use(book.circle(500).set()).arrive(at(30, IN));
    assertThat(run.alerts()).hasSize(1);
    run.arrive(at(40, OUT));
    assertThat(run.texts()).containsExactly("left 90002", "left 40", "outside 40");
  }

  @Test
  void aFenceOfANewerReleaseIsNotDeleted_AndItsEarlierFormCounts() {
    TestBook book = TestBook.with(entered(), left().lasting(60));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN), at(10, OUT));

    run.use(book.unreadable("fence/depot").set()).arrive(at(20, OUT), at(70, OUT), at(80, IN));

    assertThat(run.texts()).containsExactly("left 10", "entered 80");
    assertThat(run.alerts()).extracting(Alert::cause).containsOnly(Cause.RECORD);
  }

  /** As a job does that begins while the fence's newest message is of a newer release. */
  @Test
  void aFenceOfANewerReleaseWithoutAnEarlierFormSettlesNothing_UntilItCanBeUsed() {
    TestRule[] rules = {
      entered(),
      left().lasting(60),
      inside().quiet(600),
      TestRule.expression("inside(\"depot\")").quiet(600)
    };
    DeviceRun run = new DeviceRun(TestBook.with(rules).set()).arrive(at(0, IN), at(10, OUT));
    assertThat(run.texts()).containsExactly("expr 0", "inside 0");

    TestBook book = new TestBook().unreadable("fence/depot").unreadable("fence/depot");
    for (TestRule rule : rules) {
      book.rule(rule);
    }
    run.restart(book.set());
    run.arrive(at(20, OUT), at(30, IN)).watermark(millis(500)).arrive(at(510, OUT));
    assertThat(run.alerts()).hasSize(2);

    run.use(book.circle(500).set());
    assertThat(run.texts()).containsExactly("expr 0", "inside 0", "left 90003");
    assertThat(run.alerts().get(2).cause()).isEqualTo(Cause.FENCE_CHANGED);
    run.arrive(at(520, IN));
    assertThat(run.texts()).containsExactly("expr 0", "inside 0", "left 90003", "entered 520");
    assertThat(run.withheld()).isEqualTo(2);
  }

  @Test
  void aChangedFenceIsNoticedByTheNextRecord_IfNothingIsSettledBefore() {
    TestBook book = TestBook.with(left());
    DeviceJudge judge = new DeviceJudge(DeviceRun.OPTIONS);
    DeviceState state = new DeviceRun(book.set()).arrive(at(0, IN)).state();
    RuleSet moved = book.circle(100).set();

    Judgement judgement = judge.judge(state, at(10, IN).build(), moved, Long.MIN_VALUE);

    assertThat(judgement.alerts())
        .extracting(Alert::atMillis, Alert::cause)
        .containsExactly(tuple(TestBook.put(2).toEpochMilli(), Cause.FENCE_CHANGED));
  }

  @Test
  void eachChangeThatEndsAStayIsAnAlertOfItsOwn() {
    TestBook book = TestBook.with(left().quiet(600));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));

    run.use(book.circle(100).set()).use(book.circle(500).set()).arrive(at(1, IN));
    run.use(book.circle(100).set());

    assertThat(run.texts()).containsExactly("left 90002", "left 90004");
    assertThat(run.withheld()).isZero();
  }

  /** Its instant is none of a record, so it says nothing about the time between two of them. */
  @Test
  void anAlertAboutAChangedFenceBeginsNoQuiet_AndHasWhatWasCounted() {
    TestBook book = TestBook.with(left().quiet(60));
    DeviceRun run = new DeviceRun(book.set());
    run.arrive(at(0, IN), at(10, OUT), at(20, IN), at(30, OUT), at(40, IN));

    run.use(book.circle(100).set()).use(book.circle(500).set());
    run.arrive(at(100, IN), at(110, OUT));

    assertThat(run.texts()).containsExactly("left 10", "left 90002 +1", "left 110");
  }

  @Test
  void aChangedFenceThatStillContainsTheDeviceFiresNothing() {
    TestBook book = TestBook.with(entered(), left());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));

    run.use(book.circle(400).set()).arrive(at(10, IN), at(20, 450));

    assertThat(run.texts()).containsExactly("left 20");
  }

  @Test
  void aFenceMovedOverADeviceMakesItEnterNothing_EvenIfARuleIsQuiet() {
    TestBook book = TestBook.with(entered(), entered().id("quiet").quiet(600));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, OUT), at(10, IN), at(20, OUT));
    assertThat(run.state().standings()).containsOnlyKeys("quiet");

    run.use(book.circle(1_000).set()).arrive(at(30, OUT), at(40, OUT));

    assertThat(run.texts()).containsExactly("entered 10", "entered 10");
    assertThat(run.withheld()).isZero();
  }

  @Test
  void aDeviceThatIsEnteringAFenceWhenItChangesEntersNothing() {
    TestBook book = TestBook.with(entered().lasting(60));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, OUT), at(10, IN));

    run.use(book.circle(510).set()).watermark(millis(300)).arrive(at(310, IN), at(400, IN));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void aChangedFenceCancelsWhatBegan() {
    TestBook book = TestBook.with(left().lasting(60), inside().id("stay").lasting(60));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN), at(10, OUT), at(20, IN));

    run.use(book.circle(510).set()).watermark(millis(500));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(30, IN), at(90, IN));
    assertThat(run.texts()).containsExactly("inside 30", "inside 90");
  }

  @Test
  void anotherVersionOfARuleBeginsAnew() {
    TestBook book = TestBook.with(left().lasting(60), inside().quiet(600));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN), at(10, OUT));

    run.use(book.rule(left().lasting(30)).rule(inside().quiet(900)).set());
    run.arrive(at(50, OUT), at(60, IN), at(70, OUT), at(100, OUT));

    // The first departure was settled by the last record before the new version.
    assertThat(run.texts()).containsExactly("inside 0", "inside 60");
    assertThat(run.alerts()).extracting(Alert::version).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRuleThatIsPausedOrDeletedLeavesNothing(boolean isPaused) {
    TestBook book = TestBook.with(inside());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN));
    assertThat(run.state().standings()).hasSize(1);

    run.use((isPaused ? book.pause("inside") : book.deleteRule("inside")).set()).arrive(at(1, IN));

    assertThat(run.alerts()).hasSize(1);
    assertThat(run.state().standings()).isEmpty();
  }

  @Test
  void speedIsThatSinceTheLastRecord() {
    DeviceRun run = run(TestRule.expression("speed > 9.9 && speed < 10.1"));

    run.arrive(at(0, 0), at(10, 100), at(20, 100), at(25, 150));
    assertThat(run.texts()).containsExactly("expr 10", "expr 25");
    assertThat(run.undecided()).isEqualTo(1);

    // Of two records at one instant there is no speed.
    run.arrive(at(25, 160));
    assertThat(run.undecided()).isEqualTo(2);
    assertThat(run.state().last()).isEqualTo(at(25, 160).build());
  }

  @Test
  void aSilentDeviceIsForgotten_AndIsNewThen() {
    DeviceRun run = run(entered(), left()).arrive(at(0, IN));
    long forget = millis(0) + Duration.ofDays(30).toMillis();
    assertThat(run.dueMillis()).isEqualTo(forget);

    run.watermark(forget - 1);
    assertThat(run.isForgotten()).isFalse();
    run.watermark(forget);
    assertThat(run.isForgotten()).isTrue();

    run.arrive(at(2_592_000, OUT), at(2_592_010, IN));
    assertThat(run.texts()).containsExactly("entered 2592010");
  }

  @Test
  void whatIsDueBeforeADeviceIsForgottenCounts() {
    DeviceRun run = run(left().lasting(60)).arrive(at(0, IN), at(10, OUT));

    run.watermark(millis(0) + Duration.ofDays(31).toMillis());

    assertThat(run.texts()).containsExactly("left 10");
    assertThat(run.isForgotten()).isTrue();
  }

  private static DeviceRun forgetfulRun(TestRule rule) {
    return new DeviceRun(TestBook.with(rule).set(), new JudgeOptions(100, Duration.ofHours(1)));
  }

  @Test
  void aDeviceIsNotForgottenWhileSomethingIsToBeConfirmed() {
    DeviceRun run = forgetfulRun(left().lasting(7_200)).arrive(at(0, IN), at(10, OUT));

    run.watermark(millis(7_209));
    assertThat(run.isForgotten()).isFalse();
    assertThat(run.alerts()).isEmpty();

    run.watermark(millis(7_210));
    assertThat(run.texts()).containsExactly("left 10");
    assertThat(run.isForgotten()).isTrue();
  }

  @Test
  void aDeviceIsNotForgottenWhileARuleIsQuiet() {
    DeviceRun run = forgetfulRun(inside().quiet(7_200)).arrive(at(0, IN)).watermark(millis(3_600));

    run.arrive(at(3_601, IN)).watermark(millis(7_200));
    assertThat(run.texts()).containsExactly("inside 0");
    assertThat(run.withheld()).isEqualTo(1);

    run.watermark(millis(7_201));
    assertThat(run.isForgotten()).isTrue();
  }

  @Test
  void aDeviceThatNoRuleConcernsHasOnlyItsLastRecord() {
    DeviceRun run = run(entered(), left(), inside()).arrive(at(0, OUT), at(10, IN), at(20, OUT));

    assertThat(run.state())
        .isEqualTo(
            new DeviceState(TestRecord.USER, at(20, OUT).build(), millis(20), null, Map.of()));
  }

  @Test
  void alertsAreInTheOrderOfTheirInstants() {
    DeviceRun run = run(entered().id("z").lasting(60), inside().id("a"), left().id("b"));

    run.arrive(at(0, OUT), at(10, IN), at(70, OUT));

    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("a", "z", "b");
  }

  @Test
  void settlingDoesNothingElse() {
    TestBook book = TestBook.with(left().lasting(60));
    DeviceState state = new DeviceRun(book.set()).arrive(at(0, IN), at(10, OUT)).state();

    Judgement judgement =
        new DeviceJudge(DeviceRun.OPTIONS).settle(state, book.set(), millis(1_000));

    assertThat(judgement.alerts()).isEmpty();
    assertThat(judgement.state()).isEqualTo(state);
    assertThat(judgement.dueMillis()).isEqualTo(millis(70));
  }

  @Test
  void aPolygonIsAFence_Too() {
    double lon = TestBook.CENTER.lon();
    double lat = TestBook.CENTER.lat();
    List<Position> ring =
        List.of(
            new Position(lon - 0.01, lat - 0.01),
            new Position(lon + 0.01, lat - 0.01),
            new Position(lon, lat + 0.01),
            new Position(lon - 0.01, lat - 0.01));
    TestBook book =
        new TestBook()
            .fence("yard", new Fence.Polygons(List.of(List.of(ring))))
            .rule(left().fence("yard"));

    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0), at(10, 5_000));

    assertThat(run.texts()).containsExactly("left 10");
  }
}
