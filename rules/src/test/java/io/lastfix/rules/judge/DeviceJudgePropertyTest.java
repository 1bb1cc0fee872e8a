package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.alert.Alert;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** All rules at once over random walks, each compared with {@link SimpleJudge}. */
class DeviceJudgePropertyTest {
  /** Those of a {@link SimpleRule}. */
  private static final List<Alert.Kind> KINDS =
      List.of(
          Alert.Kind.ENTERED,
          Alert.Kind.LEFT,
          Alert.Kind.INSIDE,
          Alert.Kind.OUTSIDE,
          Alert.Kind.EXPR);

  private static final List<SimpleRule> RULES = rules();

  /** Whether the device is in the group; a run begins and ends with it in there. */
  private static final AtomicBoolean IS_MEMBER = new AtomicBoolean(true);

  /** Has compiled all rules. */
  private static final RuleSet COMPILED =
      book(RuleSet.empty(user -> IS_MEMBER.get() ? SimpleRule.GROUP : "cabs")).set();

  private static List<SimpleRule> rules() {
    List<SimpleRule> rules = new ArrayList<>();
    for (Alert.Kind kind : KINDS) {
      for (long seconds : new long[] {0, 60}) {
        for (long quiet : new long[] {0, 300}) {
          for (boolean isOnlyGnss : new boolean[] {false, true}) {
            rules.add(rule(rules.size(), kind, seconds, 0, 0.5, quiet, isOnlyGnss));
            if (!isOnlyGnss) {
              rules.add(ofGroup(rules.size(), kind, seconds, quiet));
            }
            if (kind != Alert.Kind.EXPR) {
              rules.add(rule(rules.size(), kind, seconds, 120, 0.5, quiet, isOnlyGnss));
              rules.add(rule(rules.size(), kind, seconds, 0, 0.9, quiet, isOnlyGnss));
            }
          }
        }
      }
    }
    return rules;
  }

  private static SimpleRule rule(
      int number,
      Alert.Kind kind,
      long seconds,
      int margin,
      double certainty,
      long quiet,
      boolean isOnlyGnss) {
    return new SimpleRule(
        "rule-" + number, kind, seconds, margin, certainty, quiet, isOnlyGnss, false);
  }

  private static SimpleRule ofGroup(int number, Alert.Kind kind, long seconds, long quiet) {
    return new SimpleRule("rule-" + number, kind, seconds, 0, 0.5, quiet, false, true);
  }

  private static TestBook book(RuleSet before) {
    TestBook book = new TestBook(before).fence(TestBook.DEPOT, Walk.CIRCLE);
    RULES.forEach(rule -> book.rule(rule.build()));
    return book;
  }

  @Property(tries = 80)
  void eachAlertIsThatOfASimpleJudge(@ForAll long seed) {
    assertSameAsASimpleJudge(Walk.of(new Random(seed), false));
  }

  @Property(tries = 80)
  void eachAlertIsThatOfASimpleJudge_AlsoIfTheFenceChanges(@ForAll long seed) {
    assertSameAsASimpleJudge(Walk.of(new Random(seed), true));
  }

  @Property(tries = 80)
  void eachAlertIsThatOfASimpleJudge_AlsoIfTheDeviceChangesItsGroup(@ForAll long seed) {
    Random random = new Random(seed);
    List<SimpleJudge.Event> events = new ArrayList<>();
    LocatedRecord newest = null;
    boolean isMember = true;
    for (SimpleJudge.Event event : Walk.of(random, random.nextBoolean())) {
      if (event instanceof SimpleJudge.Arrival arrival
          && DeviceJudge.isNewer(arrival.record(), newest)) {
        newest = arrival.record();
        if (random.nextInt(6) == 0) {
          isMember = !isMember;
          events.add(new SimpleJudge.GroupChange(isMember));
        }
      }
      events.add(event);
    }
    try {
      assertSameAsASimpleJudge(events);
    } finally {
      IS_MEMBER.set(true);
    }
  }

  private static void assertSameAsASimpleJudge(List<SimpleJudge.Event> events) {
    TestBook book = book(COMPILED);
    DeviceRun run = new DeviceRun(book.set());
    events.forEach(event -> run(event, run, book));

    int withheld = 0;
    for (SimpleRule rule : RULES) {
      SimpleJudge expected = new SimpleJudge(rule, events, Walk.CIRCLE);
      assertThat(run.alerts(rule.id())).as("%s", rule).isEqualTo(expected.alerts());
      withheld += expected.withheld();
    }
    assertThat(run.withheld()).isEqualTo(withheld);
  }

  /** The watermark is just behind each record, as if none came late. */
  @Property(tries = 40)
  void recordsInTheirOrderHaveTheAlertsOfASimpleJudge(@ForAll long seed) {
    List<LocatedRecord> records =
        Walk.of(new Random(seed), false).stream()
            .filter(SimpleJudge.Arrival.class::isInstance)
            .map(arrival -> ((SimpleJudge.Arrival) arrival).record())
            .sorted(LocatedRecordOrder.INSTANCE)
            .toList();
    long end = records.get(records.size() - 1).timestampMillis() + 3_600_000;
    List<Alert> alerts = new ArrayList<>();
    OrderedJudge judge = new OrderedJudge(DeviceRun.OPTIONS, COMPILED, Long.MIN_VALUE, alerts::add);
    List<SimpleJudge.Event> events = new ArrayList<>();
    for (LocatedRecord record : records) {
      judge.judge(record);
      events.add(new SimpleJudge.Watermark(record.timestampMillis() - 1));
      events.add(new SimpleJudge.Arrival(record));
    }
    judge.end(end);
    events.add(new SimpleJudge.Watermark(end));

    long withheld = 0;
    for (SimpleRule rule : RULES) {
      SimpleJudge expected = new SimpleJudge(rule, events, Walk.CIRCLE);
      assertThat(alerts.stream().filter(alert -> alert.rule().equals(rule.id())))
          .as("%s", rule)
          .containsExactlyElementsOf(expected.alerts());
      withheld += expected.withheld();
    }
    assertThat(judge.withheld()).isEqualTo(withheld);
  }

  private static void run(SimpleJudge.Event event, DeviceRun run, TestBook book) {
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
    } else if (event instanceof SimpleJudge.GroupChange change) {
      IS_MEMBER.set(change.isMember());
    }
  }

  @Property(tries = 40)
  void aStandingThatIsDropped_AndOneThatIsKept_HaveTheSameResult(@ForAll long seed) {
    DeviceJudge judge = new DeviceJudge(DeviceRun.OPTIONS);
    DeviceRun run = new DeviceRun(COMPILED);

    for (SimpleJudge.Event event : Walk.of(new Random(seed), false)) {
      if (event instanceof SimpleJudge.Arrival arrival
          && !run.isForgotten()
          && DeviceJudge.isNewer(arrival.record(), run.state().last())) {
        assertThat(judge.judge(kept(run.state()), arrival.record(), COMPILED, run.watermark()))
            .isEqualTo(judge.judge(run.state(), arrival.record(), COMPILED, run.watermark()));
      }
      run(event, run, new TestBook());
    }
  }

  /** Returns a state that has a standing of each rule. */
  private static DeviceState kept(DeviceState state) {
    Map<String, Standing> standings = new HashMap<>();
    LocatedRecord last = Objects.requireNonNull(state.last());
    RULES.forEach(rule -> standings.put(rule.id(), derived(rule, last)));
    standings.putAll(state.standings());
    return new DeviceState(state.user(), last, state.arrivedMillis(), null, standings);
  }

  private static Standing derived(SimpleRule rule, LocatedRecord last) {
    boolean isInside =
        DeviceCircle.of(last, DeviceRun.OPTIONS)
                .side(
                    COMPILED.index().containing(TestBook.CENTER).get(0),
                    rule.margin(),
                    rule.certainty())
            == Side.INSIDE;
    boolean isChange = Set.of(Alert.Kind.ENTERED, Alert.Kind.LEFT).contains(rule.kind());
    return new Standing(
        1,
        rule.kind() == Alert.Kind.EXPR ? 0 : 1,
        isChange && isInside,
        null,
        Standing.NONE,
        Standing.NONE,
        0,
        null,
        null);
  }
}
