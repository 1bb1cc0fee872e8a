package io.lastfix.rules.judge;

import static io.lastfix.rules.judge.TestRecord.at;
import static io.lastfix.rules.judge.TestRecord.millis;
import static io.lastfix.rules.judge.TestRule.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.alert.Alert.Kind;
import io.lastfix.rules.fence.Fence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Sequences about a circle of 500 m, the depot, and one of 200 m in it, the yard. */
class SequenceTest {
  private static final double YARD = 100;
  private static final double IN = 300;
  private static final double OUT = 700;
  private static final String HIGH = "altitude > 100.0";

  private static TestBook book(TestRule... rules) {
    return TestBook.with(rules).fence("yard", new Fence.Circle(TestBook.CENTER, 200));
  }

  private static DeviceRun run(TestRule... rules) {
    return new DeviceRun(book(rules).set());
  }

  private static TestRule sequence(String... steps) {
    return TestRule.sequence(steps);
  }

  @Test
  void stepsThatComeInTheirOrderAreAnAlertAtTheLastOne() {
    DeviceRun run = run(sequence(step(Kind.LEFT), step(HIGH), step("yard", Kind.ENTERED)));

    run.arrive(at(0, IN), at(10, OUT), at(20, OUT).altitude(200), at(30, IN), at(40, YARD));
    assertThat(run.texts()).containsExactly("sequence 40");

    run.arrive(at(50, YARD).altitude(200), at(60, OUT), at(70, YARD), at(80, OUT).altitude(200));
    assertThat(run.alerts()).as("in another order").hasSize(1);
  }

  @Test
  void anAlertHasTheLastRecord_AndTheFenceOfTheLastStep() {
    DeviceRun run = run(sequence(step(HIGH), step(Kind.LEFT)).webhook("dispatch"));

    run.arrive(at(0, IN).altitude(200), at(10, OUT).accuracy(12));

    assertThat(run.alerts())
        .containsExactly(
            new Alert(
                TestRecord.USER,
                millis(10),
                "sequence",
                1,
                Kind.SEQUENCE,
                millis(10),
                TestBook.DEPOT,
                Alert.Cause.RECORD,
                Objects.requireNonNull(at(10, OUT).build().position()),
                null,
                PositionSource.GNSS,
                12.0,
                1,
                0,
                List.of(new Action(Action.Kind.WEBHOOK, "dispatch"))));
  }

  @Test
  void anExpressionAsTheLastStepHasNoFence() {
    DeviceRun run = run(sequence(step(Kind.INSIDE), step(HIGH)));

    run.arrive(at(0, IN), at(10, OUT).altitude(200));

    assertThat(run.alerts()).extracting(Alert::fence).containsOnlyNulls();
    assertThat(run.alerts()).extracting(Alert::certainty).containsExactly(1.0);
  }

  @Test
  void eachStepHasARecordOfItsOwn() {
    DeviceRun run = run(sequence(step(Kind.INSIDE), step(HIGH)));

    run.arrive(at(0, IN).altitude(200));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(10, IN).altitude(200));
    assertThat(run.texts()).containsExactly("sequence 10");
  }

  @Test
  void otherRecordsMayComeBetweenTheSteps() {
    DeviceRun run = run(sequence(step(Kind.LEFT), step("yard", Kind.ENTERED)));

    run.arrive(at(0, IN), at(10, OUT), at(20, IN), at(30, OUT), at(40, OUT), at(50, YARD));

    assertThat(run.texts()).containsExactly("sequence 50");
  }

  @Test
  void theTimeCountsFromTheFirstStepToTheLast() {
    DeviceRun inTime = run(sequence(step(HIGH), step(Kind.LEFT)).within(60));
    DeviceRun late = run(sequence(step(HIGH), step(Kind.LEFT)).within(60));

    inTime.arrive(at(0, IN).altitude(200), at(60, OUT));
    late.arrive(at(0, IN).altitude(200), at(61, OUT));

    assertThat(inTime.texts()).containsExactly("sequence 60");
    assertThat(late.alerts()).isEmpty();
  }

  /** The newer one completes in time where the older one would not. */
  @Test
  void aFurtherFirstStepCounts() {
    DeviceRun run = run(sequence(step(HIGH), step(Kind.LEFT)).within(60));

    run.arrive(at(0, IN).altitude(200), at(50, IN).altitude(200), at(100, OUT));

    assertThat(run.texts()).containsExactly("sequence 100");
  }

  /** If it began anew, the second step would be missing. */
  @Test
  void aFurtherFirstStepUndoesNoLaterStep() {
    DeviceRun run = run(sequence(step(Kind.INSIDE), step(HIGH), step(Kind.OUTSIDE)));

    run.arrive(at(0, IN), at(10, IN).altitude(200), at(20, IN), at(30, OUT));

    assertThat(run.texts()).containsExactly("sequence 30");
  }

  @Test
  void anAlertEndsTheSequence_AndTheNextOneBeginsAfterIt() {
    DeviceRun run = run(sequence(step(Kind.INSIDE), step(Kind.OUTSIDE)));

    run.arrive(at(0, IN), at(10, OUT), at(20, OUT), at(30, IN), at(40, OUT));

    assertThat(run.texts()).containsExactly("sequence 10", "sequence 40");
  }

  @Test
  void theRecordOfAnAlertIsNoFirstStep() {
    DeviceRun run = run(sequence(step(Kind.INSIDE), step(Kind.INSIDE)));

    run.arrive(at(0, IN), at(10, IN), at(20, IN), at(30, IN), at(40, IN));

    assertThat(run.texts()).containsExactly("sequence 10", "sequence 30");
  }

  @Test
  void theFirstRecordEntersAndLeavesNothing() {
    DeviceRun run =
        run(
            sequence(step(Kind.ENTERED), step(HIGH)),
            sequence(step(Kind.INSIDE), step(HIGH)).id("inside"));

    run.arrive(at(0, IN), at(10, IN).altitude(200));

    assertThat(run.alerts()).extracting(Alert::rule).containsExactly("inside");
  }

  @Test
  void aStepHasItsMarginAndCertainty() {
    DeviceRun run =
        run(sequence(step(HIGH), "{fence: depot, is: left, margin: 100 m, certainty: 0.9}"));

    run.arrive(at(0, IN).altitude(200), at(10, 590), at(20, 650).accuracy(300));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(30, 550), at(40, 610));
    assertThat(run.texts()).containsExactly("sequence 40");
  }

  /** Only the record of the first step has the network. */
  @Test
  void aFenceToLeaveIsWatchedAlsoByRecordsThatLackTheTextOfTheFirstStep() {
    DeviceRun run =
        run(sequence(step("network == \"310-410\""), "{fence: depot, is: left, margin: 100 m}"));

    run.arrive(at(0, IN), at(10, 550), at(20, 550).cell(TestRecord.CELL), at(30, OUT));

    assertThat(run.texts()).containsExactly("sequence 30");
  }

  @Test
  void quietCountsSequences() {
    DeviceRun run = run(sequence(step(Kind.INSIDE), step(Kind.OUTSIDE)).quiet(60));

    run.arrive(at(0, IN), at(10, OUT), at(20, IN), at(30, OUT), at(60, IN), at(70, OUT));

    assertThat(run.texts()).containsExactly("sequence 10", "sequence 70 +1");
    assertThat(run.withheld()).isEqualTo(1);
  }

  @Test
  void aRecordThatWhoExcludesIsNoStep() {
    DeviceRun run = run(sequence(step(Kind.LEFT), step(Kind.ENTERED)).who("expr", "!far"));

    run.arrive(
        at(0, IN),
        at(10, OUT).cell(TestRecord.CELL).far(),
        at(20, IN),
        at(30, OUT),
        at(40, IN).cell(TestRecord.CELL).far(),
        at(50, OUT),
        at(60, IN));

    assertThat(run.texts()).containsExactly("sequence 60");
  }

  @Test
  void anExpressionIsOnlyEvaluatedForAStepThatCanCome() {
    DeviceRun run =
        run(sequence(step(Kind.INSIDE), step("1 / (int(altitude) - 7) >= 0"), step(Kind.OUTSIDE)));

    run.arrive(at(0, OUT).altitude(7), at(10, IN), at(20, IN), at(30, IN).altitude(7));

    assertThat(run.undecided()).isEqualTo(1);
    assertThat(run.failed()).isEqualTo(Map.of("sequence", 1));
  }

  @Test
  void aChangedFenceBeginsTheSequenceAnew_AndMakesTheDeviceEnterNothing() {
    TestBook book = book(sequence(step(Kind.LEFT), step(Kind.ENTERED)));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN), at(10, OUT));

    run.use(book.circle(1_000).set()).arrive(at(20, OUT), at(30, IN));
    assertThat(run.alerts()).isEmpty();

    run.arrive(at(40, 1_100), at(50, OUT));
    assertThat(run.texts()).containsExactly("sequence 50");
  }

  @Test
  void aFenceThatNoStepNamesChangesNothing() {
    TestBook book = book(sequence(step(Kind.LEFT), step(Kind.ENTERED)));
    DeviceRun run = new DeviceRun(book.set()).arrive(at(0, IN), at(10, OUT));

    run.use(book.fence("yard", new Fence.Circle(TestBook.CENTER, 100)).set()).arrive(at(20, IN));

    assertThat(run.texts()).containsExactly("sequence 20");
  }

  @Test
  void whatIsKeptIsBounded_AndGoesWithTheTime() {
    DeviceRun run =
        run(sequence(step(Kind.INSIDE), step(HIGH), step(HIGH), step(HIGH), step(Kind.OUTSIDE)));

    for (int second = 0; second < 100; second++) {
      run.arrive(at(second, IN).altitude(200));
    }
    Progress progress = run.state().standings().get("sequence").progress();
    assertThat(progress).isNotNull();
    assertThat(progress.starts()).containsExactly(millis(99), millis(98), millis(97), millis(96));

    run.arrive(at(1_000, 90_000));
    assertThat(run.state().standings()).isEmpty();
  }

  @Test
  void aDeviceIsNotForgottenWhileASequenceCanBeCompleted() {
    DeviceRun run =
        new DeviceRun(
            book(sequence(step(Kind.INSIDE), step(Kind.OUTSIDE)).within(7_200)).set(),
            new JudgeOptions(100, Duration.ofHours(1)));

    run.arrive(at(0, IN)).watermark(millis(7_199));
    assertThat(run.isForgotten()).isFalse();
    run.watermark(millis(7_200));
    assertThat(run.isForgotten()).isTrue();
  }

  /** Each record comes to it by both fences. */
  @Test
  void aRecordIsJudgedOnceByASequenceOfTwoFences() {
    DeviceRun run =
        run(
            sequence(step(Kind.INSIDE), step("yard", Kind.LEFT))
                .who("expr", "1 / (int(altitude) - 7) >= 0"));

    run.arrive(at(0, YARD).altitude(7));

    assertThat(run.failed()).isEqualTo(Map.of("sequence", 1));
  }
}
