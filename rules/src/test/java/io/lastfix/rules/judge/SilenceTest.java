package io.lastfix.rules.judge;

import static io.lastfix.rules.judge.TestRecord.at;
import static io.lastfix.rules.judge.TestRecord.millis;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.rule.Condition.Silent.Sign;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The silence of most rules has 60 s. */
class SilenceTest {
  private static DeviceRun run(TestRule... rules) {
    return new DeviceRun(TestBook.with(rules).set());
  }

  private static TestRule ofPosition() {
    return TestRule.silent(Sign.POSITION);
  }

  private static TestRule ofPresence() {
    return TestRule.silent(Sign.PRESENCE);
  }

  private static Presence presence(Presence.State state, long seen, long since) {
    return new Presence(
        TestRecord.USER, state, millis(since), millis(seen), DeviceDescription.NONE);
  }

  private static Presence offline(long seen, long since) {
    return presence(Presence.State.OFFLINE, seen, since);
  }

  private static Presence online(long second) {
    return presence(Presence.State.ONLINE, second, second);
  }

  @Test
  void aDeviceWithoutARecordForTheTimeIsSilent_Once() {
    DeviceRun run = run(ofPosition()).arrive(at(10, 0)).watermark(millis(70) - 1);
    assertThat(run.alerts()).isEmpty();
    assertThat(run.dueMillis()).isEqualTo(millis(70));

    run.watermark(millis(70)).watermark(millis(500)).watermark(millis(9_000));

    assertThat(run.texts()).containsExactly("silent 10");
  }

  @Test
  void eachRecordBeginsTheTimeAgain() {
    DeviceRun run = run(ofPosition());

    for (int second = 0; second < 500; second += 50) {
      run.arrive(at(second, 0)).watermark(millis(second + 49));
    }

    assertThat(run.alerts()).isEmpty();
    assertThat(run.state().standings()).isEmpty();
  }

  @Test
  void aRecordEndsTheSilence_AndTheNextSilenceCounts() {
    DeviceRun run = run(ofPosition()).arrive(at(0, 0)).watermark(millis(100));
    assertThat(run.state().standings()).containsOnlyKeys("silent");

    run.arrive(at(110, 0));
    assertThat(run.state().standings()).isEmpty();
    run.watermark(millis(170));

    assertThat(run.texts()).containsExactly("silent 0", "silent 110");
  }

  @Test
  void anAlertHasTheLastRecord() {
    DeviceRun run = run(ofPosition().webhook("dispatch"));

    run.arrive(at(0, 0), at(10, 700).cell(TestRecord.CELL).accuracy(12)).watermark(millis(1_000));

    assertThat(run.alerts())
        .containsExactly(
            new Alert(
                TestRecord.USER,
                millis(10),
                "silent",
                1,
                Alert.Kind.SILENT,
                millis(70),
                null,
                Alert.Cause.SILENCE,
                at(10, 700).build().position(),
                TestRecord.CELL,
                PositionSource.GNSS,
                12.0,
                1,
                0,
                List.of(new Action(Action.Kind.WEBHOOK, "dispatch"))));
  }

  /** As in a job that catches up: the watermark comes after the record that ends the silence. */
  @Test
  void theNextRecordShowsTheSilence_Too() {
    DeviceRun byRecord = run(ofPosition()).arrive(at(10, 0), at(69, 0), at(129, 0), at(500, 0));
    DeviceRun byWatermark = run(ofPosition()).arrive(at(10, 0), at(69, 0));
    byWatermark.watermark(millis(129)).arrive(at(129, 0)).watermark(millis(300));
    byWatermark.arrive(at(500, 0));

    assertThat(byRecord.texts()).containsExactly("silent 69", "silent 129");
    assertThat(byWatermark.alerts()).isEqualTo(byRecord.alerts());
  }

  /** As of a device whose clock is slow. */
  @Test
  void whatComesLateHasItsWholeTime() {
    DeviceRun run = run(ofPosition()).watermark(millis(1_000)).arrive(at(0, 0));

    run.watermark(millis(1_059)).arrive(at(30, 0)).watermark(millis(1_118));
    assertThat(run.alerts()).isEmpty();

    run.watermark(millis(1_119));
    assertThat(run.texts()).containsExactly("silent 30");
  }

  @Test
  void anOlderRecordEndsNothing() {
    DeviceRun run = run(ofPosition()).arrive(at(10, 0)).watermark(millis(70));

    run.arrive(at(5, 0), at(10, 0)).watermark(millis(500));

    assertThat(run.texts()).containsExactly("silent 10");
  }

  /** It would have the same id, and another position. */
  @Test
  void aNewerRecordOfTheSameInstantDoesNotRepeatTheAlert() {
    DeviceRun run = run(ofPosition()).arrive(at(25, 150)).watermark(millis(85));

    run.arrive(at(25, 160)).watermark(millis(500));

    assertThat(run.state().last()).isEqualTo(at(25, 160).build());
    assertThat(run.texts()).containsExactly("silent 25");
  }

  @Test
  void aSilenceOfBeforeTheRuleCountsAtOnce_AndOneThatIsTooShortLater() {
    TestBook book = TestBook.with();
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).watermark(millis(100));

    run.use(book.rule(ofPosition()).rule(ofPosition().id("long").lasting(200)).set());
    assertThat(run.texts()).containsExactly("silent 0");
    assertThat(run.dueMillis()).isEqualTo(millis(200));

    run.watermark(millis(200));
    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("silent", "long");
  }

  @Test
  void aChangedRuleDoesNotRepeatTheAlertOfASilenceThatLasts() {
    TestBook book = TestBook.with(ofPosition());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).watermark(millis(100));

    run.use(book.rule(ofPosition().webhook("dispatch")).set()).watermark(millis(500));
    assertThat(run.texts()).containsExactly("silent 0");

    run.arrive(at(600, 0)).watermark(millis(660));
    assertThat(run.texts()).containsExactly("silent 0", "silent 600");
    assertThat(run.alerts()).extracting(Alert::version).containsExactly(1L, 2L);
  }

  @Test
  void aSilenceThatLastsForTheLongerTimeOfAChangedRuleIsANewAlert() {
    TestBook book = TestBook.with(ofPosition());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).watermark(millis(100));

    run.use(book.rule(ofPosition().lasting(200)).set()).watermark(millis(199));
    assertThat(run.texts()).containsExactly("silent 0");
    run.watermark(millis(200));
    assertThat(run.texts()).containsExactly("silent 0", "silent 0");

    run.use(book.rule(ofPosition().lasting(150)).set()).watermark(millis(500));
    assertThat(run.alerts()).hasSize(2);
  }

  @Test
  void aSilenceOfAnotherSignIsANewAlert_AndOneThatWasTooShort() {
    TestBook book = TestBook.with(ofPosition());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).arrive(offline(10, 40));
    run.watermark(millis(100));

    run.use(book.rule(ofPresence()).set());
    assertThat(run.texts()).containsExactly("silent 0", "silent 10");
    run.use(book.rule(ofPosition().lasting(90)).set());
    assertThat(run.texts()).containsExactly("silent 0", "silent 10", "silent 0");
  }

  /** The former version has decided that it was not about the user. */
  @Test
  void aChangedRuleIsAboutOthers() {
    TestBook book = TestBook.with(ofPosition().who("expr", "inside(\"depot\")"));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 700)).watermark(millis(100));
    assertThat(run.alerts()).isEmpty();

    run.use(book.rule(ofPosition().who("expr", "!inside(\"depot\")")).set());

    assertThat(run.texts()).containsExactly("silent 0");
  }

  @Test
  void aRuleThatWasPausedDoesNotRepeatItsAlerts_ButTheNextSilenceCounts() {
    TestBook book = TestBook.with(ofPosition());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).watermark(millis(100));

    run.use(book.pause("silent").set()).watermark(millis(500));
    run.use(book.rule(ofPosition()).set());
    assertThat(run.texts()).containsExactly("silent 0");

    run.use(book.pause("silent").set()).arrive(at(600, 0)).watermark(millis(700));
    run.use(book.rule(ofPosition()).set());
    assertThat(run.texts()).containsExactly("silent 0", "silent 600");
  }

  @Test
  void aRuleThatWasDeletedIsNewIfItIsPutAgain() {
    TestBook book = TestBook.with(ofPosition());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).watermark(millis(100));

    run.use(book.deleteRule("silent").set());
    assertThat(run.state().standings()).isEmpty();
    run.use(book.rule(ofPosition()).set());

    assertThat(run.texts()).containsExactly("silent 0", "silent 0");
  }

  @Test
  void aRuleThatIsDeletedLeavesNothing() {
    TestBook book = TestBook.with(ofPosition());
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, 0)).watermark(millis(100));

    run.use(book.deleteRule("silent").set()).arrive(at(110, 0)).watermark(millis(500));

    assertThat(run.alerts()).hasSize(1);
    assertThat(run.state().standings()).isEmpty();
  }

  @Test
  void aRuleIsAboutItsUsersAlone_AndAConditionIsAboutTheLastRecord() {
    DeviceRun run =
        run(
            ofPosition().id("one").who("id", "van-1"),
            ofPosition().id("other").who("id", "van-2"),
            ofPosition().id("cabs").who("prefix", "cab-"),
            ofPosition().id("in").who("expr", "inside(\"depot\")"),
            ofPosition().id("out").who("expr", "!inside(\"depot\")"),
            ofPosition().id("fast").who("expr", "speed > 1.0"));

    run.arrive(at(0, 0), at(10, 700)).watermark(millis(100));

    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("one", "out");
    assertThat(run.undecided()).isEqualTo(1);
    run.watermark(millis(500));
    assertThat(run.alerts()).hasSize(2);
    assertThat(run.undecided()).as("decided once a silence").isEqualTo(1);
  }

  @Test
  void quietCountsSilencesThatEndWithinIt() {
    DeviceRun run = run(ofPosition().quiet(200));

    run.arrive(at(0, 0), at(65, 0), at(130, 0), at(195, 0), at(200, 0)).watermark(millis(260));

    assertThat(run.texts()).containsExactly("silent 0", "silent 200 +2");
    assertThat(run.withheld()).isEqualTo(2);
  }

  /** It would never be an alert if it were only counted, and did not end. */
  @Test
  void aSilenceThatOutlastsQuietIsAnAlertAtItsEnd() {
    DeviceRun run = run(ofPosition().quiet(200)).arrive(at(0, 0), at(100, 0));
    run.watermark(millis(199));
    assertThat(run.texts()).containsExactly("silent 0");
    assertThat(run.dueMillis()).isEqualTo(millis(200));

    run.watermark(millis(200)).watermark(millis(900));

    assertThat(run.texts()).containsExactly("silent 0", "silent 100");
    assertThat(run.alerts().get(1).confirmedMillis()).isEqualTo(millis(200));
    assertThat(run.withheld()).isZero();
  }

  @Test
  void theNextTimeOfQuietBeginsWithTheAlertThatWaited() {
    DeviceRun run = run(ofPosition().quiet(200)).arrive(at(0, 0), at(100, 0), at(210, 0));
    assertThat(run.texts()).as("the record shows it").containsExactly("silent 0", "silent 100");

    run.watermark(millis(398)).arrive(at(399, 0)).watermark(millis(459));

    assertThat(run.texts()).containsExactly("silent 0", "silent 100", "silent 399 +1");
  }

  @Test
  void aDeviceThatStaysOfflineAfterQuietIsAnAlert() {
    DeviceRun run = run(ofPresence().quiet(600)).arrive(offline(10, 40)).watermark(millis(100));
    run.arrive(online(200)).arrive(offline(210, 240));

    run.watermark(millis(609));
    assertThat(run.texts()).containsExactly("silent 10");
    run.watermark(millis(610));

    assertThat(run.texts()).containsExactly("silent 10", "silent 210");
  }

  @Test
  void aDeviceIsNotForgottenBeforeItsSilenceCounts() {
    DeviceRun run =
        new DeviceRun(
            TestBook.with(ofPosition().lasting(7_200)).set(),
            new JudgeOptions(100, Duration.ofHours(1)));

    run.arrive(at(0, 0)).watermark(millis(7_199));
    assertThat(run.isForgotten()).isFalse();
    run.watermark(millis(7_200));

    assertThat(run.texts()).containsExactly("silent 0");
    assertThat(run.isForgotten()).isTrue();
  }

  @Test
  void aDeviceThatIsOfflineForTheTimeIsSilent_SinceItsLastSign() {
    DeviceRun run = run(ofPresence()).arrive(at(5, 700)).arrive(offline(10, 40));
    run.watermark(millis(99));
    assertThat(run.alerts()).isEmpty();

    run.watermark(millis(100)).watermark(millis(900));

    assertThat(run.texts()).containsExactly("silent 10");
    Alert alert = run.alerts().get(0);
    assertThat(alert.confirmedMillis()).isEqualTo(millis(100));
    assertThat(alert.position()).isEqualTo(at(5, 700).build().position());
    assertThat(alert.source()).isEqualTo(PositionSource.GNSS);
  }

  @Test
  void aDeviceWithoutARecordHasNoPosition() {
    DeviceRun run = run(ofPresence(), ofPosition().id("position")).arrive(offline(10, 40));
    assertThat(run.state())
        .isEqualTo(
            new DeviceState(
                TestRecord.USER,
                null,
                Standing.NONE,
                new Silence(millis(10), millis(40), millis(40)),
                Map.of()));

    run.watermark(millis(100));

    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("silent");
    assertThat(run.alerts().get(0).user()).isEqualTo(TestRecord.USER);
    assertThat(run.alerts().get(0).position()).isNull();
    assertThat(run.alerts().get(0).source()).isNull();
    run.arrive(online(200));
    assertThat(run.isForgotten()).as("nothing is to be kept").isTrue();
  }

  @Test
  void aSignOfLifeEndsTheSilence_AndShowsHowLongItWas() {
    DeviceRun run = run(ofPresence()).arrive(at(0, 0));

    run.arrive(offline(10, 40), online(99), offline(110, 140), online(200), offline(210, 240));
    assertThat(run.texts()).containsExactly("silent 110");

    run.watermark(millis(300)).arrive(online(310)).watermark(millis(900));
    assertThat(run.texts()).containsExactly("silent 110", "silent 210");
  }

  /** The topic is written at least once. */
  @Test
  void aPresenceThatComesAgainChangesNothing() {
    DeviceRun run = run(ofPresence()).arrive(at(0, 0));
    run.arrive(online(5), offline(10, 40)).watermark(millis(90));

    run.arrive(offline(10, 40), online(5)).watermark(millis(99));
    assertThat(run.alerts()).isEmpty();
    run.watermark(millis(100)).arrive(offline(10, 40)).watermark(millis(500));

    assertThat(run.texts()).containsExactly("silent 10");
  }

  @Test
  void aDeviceThatIsForgottenIsNotSilentAnyMore() {
    DeviceRun run = run(ofPresence()).arrive(at(0, 0)).arrive(offline(10, 40));

    run.arrive(presence(Presence.State.FORGOTTEN, 0, 0)).watermark(millis(500));

    assertThat(run.alerts()).isEmpty();
    assertThat(run.state().offline()).isNull();
  }

  @Test
  void aRecordIsNoSignOfLife_AndASignOfLifeNoRecord() {
    DeviceRun run = run(ofPosition(), ofPresence().id("presence")).arrive(at(0, 0));

    run.arrive(offline(10, 40)).watermark(millis(50)).arrive(online(55)).watermark(millis(60));
    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("silent");

    run.arrive(offline(60, 90)).arrive(at(100, 0)).watermark(millis(150));
    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("silent", "presence");
  }

  @Test
  void otherStandingsStay() {
    DeviceRun run = run(ofPresence(), TestRule.of(Alert.Kind.LEFT).lasting(100));

    run.arrive(at(0, 0), at(10, 700)).arrive(offline(20, 30)).watermark(millis(90));
    run.arrive(online(95)).watermark(millis(110));

    assertThat(run.texts()).containsExactly("silent 20", "left 10");
  }
}
