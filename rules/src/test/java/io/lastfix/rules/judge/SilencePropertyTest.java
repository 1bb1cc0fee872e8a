package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.rule.Condition.Silent.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Rules about silence over random walks, each compared with {@link SimpleSilence}. */
class SilencePropertyTest {
  private static final List<SimpleSilence.Rule> RULES = rules();
  private static final RuleSet COMPILED = compiled();

  private static List<SimpleSilence.Rule> rules() {
    List<SimpleSilence.Rule> rules = new ArrayList<>();
    for (Sign of : Sign.values()) {
      for (long seconds : new long[] {30, 90}) {
        for (long quiet : new long[] {0, 300}) {
          for (boolean isOnlyGnss : new boolean[] {false, true}) {
            String id = "silent-" + rules.size();
            rules.add(new SimpleSilence.Rule(id, of, seconds, quiet, isOnlyGnss));
          }
        }
      }
    }
    return rules;
  }

  private static RuleSet compiled() {
    TestBook book = new TestBook();
    RULES.forEach(rule -> book.rule(rule.build()));
    return book.set();
  }

  /** A walk, with changes of presence in between. A first record comes before all. */
  private static List<SimpleJudge.Event> events(Random random) {
    List<SimpleJudge.Event> events = new ArrayList<>();
    events.add(new SimpleJudge.Arrival(TestRecord.at(-1_000, 0).build()));
    List<Presence> presences = new ArrayList<>();
    long second = 0;
    long seen = 0;
    for (SimpleJudge.Event event : Walk.of(random, false)) {
      events.add(event);
      if (event instanceof SimpleJudge.Arrival arrival) {
        second = Math.max(second, TestRecord.seconds(arrival.record().timestampMillis()));
      }
      if (random.nextInt(4) == 0) {
        seen = Math.max(seen, second - random.nextInt(60));
        Presence presence = presence(random, seen);
        presences.add(presence);
        events.add(new SimpleJudge.PresenceChange(presence));
        // No later sign is older.
        seen = Math.max(seen, TestRecord.seconds(presence.seenMillis()));
      }
      if (random.nextInt(4) == 0 && isOffline(presences)) {
        // The device is offline, and this is no news.
        Presence repeated = presences.get(random.nextInt(presences.size()));
        if (repeated.state() != Presence.State.FORGOTTEN) {
          events.add(new SimpleJudge.PresenceChange(repeated));
        }
      }
    }
    return events;
  }

  private static boolean isOffline(List<Presence> presences) {
    return !presences.isEmpty()
        && presences.get(presences.size() - 1).state() == Presence.State.OFFLINE;
  }

  private static Presence presence(Random random, long seen) {
    return switch (random.nextInt(8)) {
      case 0 -> presence(Presence.State.FORGOTTEN, 0, 0);
      case 1, 2, 3 -> presence(Presence.State.ONLINE, seen + 1, seen + 1);
      default -> presence(Presence.State.OFFLINE, seen, seen + 30);
    };
  }

  private static Presence presence(Presence.State state, long seen, long since) {
    return new Presence(
        TestRecord.USER,
        state,
        TestRecord.millis(since),
        TestRecord.millis(seen),
        DeviceDescription.NONE);
  }

  private static DeviceRun run(List<SimpleJudge.Event> events) {
    DeviceRun run = new DeviceRun(COMPILED);
    for (SimpleJudge.Event event : events) {
      if (event instanceof SimpleJudge.Arrival arrival) {
        run.arrive(arrival.record());
      } else if (event instanceof SimpleJudge.Watermark watermark) {
        run.watermark(watermark.millis());
      } else if (event instanceof SimpleJudge.PresenceChange change) {
        run.arrive(change.presence());
      }
    }
    return run;
  }

  @Property(tries = 150)
  void eachAlertIsThatOfASimpleSilence(@ForAll long seed) {
    List<SimpleJudge.Event> events = events(new Random(seed));

    DeviceRun run = run(events);

    for (SimpleSilence.Rule rule : RULES) {
      assertThat(run.alerts(rule.id()))
          .as("%s", rule)
          .isEqualTo(new SimpleSilence(rule, events).alerts());
    }
  }

  /** Otherwise the property above would say little. */
  @Test
  void theWalksHaveSilences() {
    for (SimpleSilence.Rule rule : RULES) {
      int alerts = 0;
      for (long seed = 0; seed < 30; seed++) {
        alerts += run(events(new Random(seed))).alerts(rule.id()).size();
      }

      assertThat(alerts).as("%s", rule).isGreaterThan(3);
    }
  }
}
