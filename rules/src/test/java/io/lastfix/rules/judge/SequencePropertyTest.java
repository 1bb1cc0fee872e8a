package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Random sequences over random walks, each compared with {@link SimpleSequence}. */
class SequencePropertyTest {
  private static final String YARD = "yard";
  private static final int SEQUENCES = 12;

  private static final Map<String, Fence.Circle> CIRCLES =
      Map.of(TestBook.DEPOT, Walk.CIRCLE, YARD, new Fence.Circle(TestBook.CENTER, 430));

  private static final Alert.Kind[] KINDS = {
    Alert.Kind.ENTERED, Alert.Kind.LEFT, Alert.Kind.INSIDE, Alert.Kind.OUTSIDE, Alert.Kind.EXPR
  };

  private static List<SimpleSequence.Rule> rules(Random random) {
    List<SimpleSequence.Rule> rules = new ArrayList<>();
    for (int i = 0; i < SEQUENCES; i++) {
      List<SimpleSequence.SimpleStep> steps = new ArrayList<>();
      for (int left = 2 + random.nextInt(4); left > 0; left--) {
        steps.add(step(random));
      }
      rules.add(
          new SimpleSequence.Rule(
              "sequence-" + i,
              steps,
              new long[] {60, 300, 1_200}[random.nextInt(3)],
              random.nextInt(2) * 300L,
              random.nextInt(3) == 0));
    }
    return rules;
  }

  private static SimpleSequence.SimpleStep step(Random random) {
    Alert.Kind kind = KINDS[random.nextInt(KINDS.length)];
    return new SimpleSequence.SimpleStep(
        kind == Alert.Kind.EXPR ? null : random.nextBoolean() ? YARD : TestBook.DEPOT,
        kind,
        random.nextInt(2) * 60,
        random.nextBoolean() ? 0.5 : 0.8);
  }

  private static DeviceRun run(List<SimpleSequence.Rule> rules, List<SimpleJudge.Event> events) {
    TestBook book = new TestBook();
    CIRCLES.forEach(book::fence);
    rules.forEach(rule -> book.rule(rule.build()));
    DeviceRun run = new DeviceRun(book.set());
    for (SimpleJudge.Event event : events) {
      if (event instanceof SimpleJudge.Arrival arrival) {
        run.arrive(arrival.record());
      } else if (event instanceof SimpleJudge.Watermark watermark) {
        run.watermark(watermark.millis());
      } else if (event instanceof SimpleJudge.FenceChange change) {
        if (change.circle() == null) {
          book.deleteFence(TestBook.DEPOT);
        } else {
          book.fence(TestBook.DEPOT, change.circle());
        }
        run.use(book.set());
      }
    }
    return run;
  }

  @Property(tries = 150)
  void aSequenceFiresExactlyIfRecordsMatchItsStepsInOrderAndInTime(
      @ForAll long seed, @ForAll boolean changesFence) {
    Random random = new Random(seed);
    List<SimpleSequence.Rule> rules = rules(random);
    List<SimpleJudge.Event> events = Walk.of(random, changesFence);

    DeviceRun run = run(rules, events);

    for (SimpleSequence.Rule rule : rules) {
      assertThat(run.texts(rule.id()))
          .as("%s", rule)
          .isEqualTo(new SimpleSequence(rule, events, CIRCLES).alerts());
    }
  }

  /** Otherwise the property above would say little. */
  @Test
  void theWalksCompleteSequences() {
    int alerts = 0;
    for (long seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      List<SimpleSequence.Rule> rules = rules(random);
      alerts += run(rules, Walk.of(random, false)).alerts().size();
    }

    assertThat(alerts).isGreaterThan(100);
  }
}
