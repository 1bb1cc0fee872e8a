package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.rule.Condition.Silent.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule about silence over all that happens to one device: what {@link DeviceJudge} has to agree
 * with. At each sign it looks ahead to the next one.
 */
final class SimpleSilence {
  /**
   * A rule in numbers.
   *
   * @param isOnlyGnss whether {@code who} is {@link SimpleRule#GNSS}
   */
  record Rule(String id, Sign of, long seconds, long quietSeconds, boolean isOnlyGnss) {
    TestRule build() {
      TestRule rule = TestRule.silent(of).id(id).lasting(seconds).quiet(quietSeconds);
      return isOnlyGnss ? rule.who("expr", SimpleRule.GNSS) : rule;
    }
  }

  private final Rule rule;
  private final List<SimpleJudge.Event> events;
  private final List<Alert> alerts = new ArrayList<>();
  private @Nullable Long alertMillis;

  /** The silence of the last alert; a record of the same instant does not begin another one. */
  private @Nullable Long reportedMillis;

  private long counted;

  SimpleSilence(Rule rule, List<SimpleJudge.Event> events) {
    this.rule = rule;
    this.events = changes(SimpleJudge.ascending(events));
    for (int i = 0; i < this.events.size(); i++) {
      SimpleJudge.Event event = this.events.get(i);
      if (rule.of() == Sign.POSITION && event instanceof SimpleJudge.Arrival arrival) {
        long at = arrival.record().timestampMillis();
        judge(i, at, at);
      } else if (rule.of() == Sign.PRESENCE
          && event instanceof SimpleJudge.PresenceChange change
          && change.presence().state() == Presence.State.OFFLINE) {
        judge(i, change.presence().seenMillis(), change.presence().sinceMillis());
      } else if (isSign(event)) {
        reportedMillis = null;
      }
    }
  }

  List<Alert> alerts() {
    return alerts;
  }

  /** Without presences that say nothing new. */
  private static List<SimpleJudge.Event> changes(List<SimpleJudge.Event> events) {
    List<SimpleJudge.Event> changes = new ArrayList<>();
    Presence offline = null;
    for (SimpleJudge.Event event : events) {
      if (event instanceof SimpleJudge.PresenceChange change) {
        Presence presence = change.presence();
        boolean isOffline = presence.state() == Presence.State.OFFLINE;
        boolean isNew =
            offline == null
                ? isOffline
                : presence.state() == Presence.State.FORGOTTEN || presence.isNewerThan(offline);
        if (!isNew) {
          continue;
        }
        offline = isOffline ? presence : null;
      }
      changes.add(event);
    }
    return changes;
  }

  private void judge(int begin, long at, long since) {
    long lasting = 1_000 * rule.seconds();
    long quiet = 1_000 * rule.quietSeconds();
    long due = Math.max(since, watermark(begin)) + lasting;
    // Within the time of quiet, the end of that.
    long free =
        alertMillis != null && at - alertMillis < quiet ? alertMillis + quiet : Long.MIN_VALUE;
    for (int i = begin + 1; i < events.size(); i++) {
      SimpleJudge.Event event = events.get(i);
      if (event instanceof SimpleJudge.Watermark watermark
          && watermark.millis() >= Math.max(due, free)) {
        alert(i, at, since + lasting, free);
        return;
      }
      if (isSign(event)) {
        Long end = end(event);
        boolean hasLasted = (end != null && end - since >= lasting) || watermark(i) >= due;
        boolean isFree = (end != null && end >= free) || watermark(i) >= free;
        if (hasLasted && isFree) {
          alert(i, at, since + lasting, free);
        } else if (hasLasted && isAbout(last(i)) && !isReported(at)) {
          counted++;
        }
        return;
      }
    }
  }

  private long watermark(int before) {
    long millis = Long.MIN_VALUE;
    for (SimpleJudge.Event event : events.subList(0, before)) {
      if (event instanceof SimpleJudge.Watermark watermark) {
        millis = Math.max(millis, watermark.millis());
      }
    }
    return millis;
  }

  private boolean isSign(SimpleJudge.Event event) {
    return rule.of() == Sign.POSITION
        ? event instanceof SimpleJudge.Arrival
        : event instanceof SimpleJudge.PresenceChange;
  }

  /** When a sign came; null if that is not known. */
  private static @Nullable Long end(SimpleJudge.Event sign) {
    if (sign instanceof SimpleJudge.Arrival arrival) {
      return arrival.record().timestampMillis();
    }
    Presence presence = ((SimpleJudge.PresenceChange) sign).presence();
    return presence.state() == Presence.State.ONLINE ? Long.valueOf(presence.sinceMillis()) : null;
  }

  private boolean isAbout(@Nullable LocatedRecord last) {
    return !rule.isOnlyGnss() || (last != null && last.source() == PositionSource.GNSS);
  }

  private boolean isReported(long at) {
    return reportedMillis != null && reportedMillis == at;
  }

  private void alert(int index, long at, long lasted, long free) {
    LocatedRecord last = last(index);
    if (!isAbout(last) || isReported(at)) {
      return;
    }
    alerts.add(
        new Alert(
            TestRecord.USER,
            at,
            rule.id(),
            1,
            Alert.Kind.SILENT,
            Math.max(lasted, free),
            null,
            Alert.Cause.SILENCE,
            last == null ? null : last.position(),
            last == null ? null : last.cell(),
            last == null ? null : last.source(),
            last == null || last.fix() == null
                ? null
                : Objects.requireNonNull(last.fix()).accuracyMeters(),
            1,
            counted,
            List.of()));
    alertMillis = Math.max(at, free);
    reportedMillis = at;
    counted = 0;
  }

  private @Nullable LocatedRecord last(int before) {
    for (int i = before - 1; i >= 0; i--) {
      if (events.get(i) instanceof SimpleJudge.Arrival arrival) {
        return arrival.record();
      }
    }
    return null;
  }
}
