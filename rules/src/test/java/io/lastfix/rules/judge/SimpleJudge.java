package io.lastfix.rules.judge;

import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One rule over all that happens to one device: what {@link DeviceJudge} has to agree with. It
 * keeps no state between records. At a record with which something could begin, it looks ahead
 * until that is confirmed or cancelled.
 */
final class SimpleJudge {
  /** What an operator sees, in its order. */
  sealed interface Event {}

  record Arrival(LocatedRecord record) implements Event {}

  record Watermark(long millis) implements Event {}

  record PresenceChange(Presence presence) implements Event {}

  /** The device comes to the group, or leaves it; a record follows. */
  record GroupChange(boolean isMember) implements Event {}

  /** The circle is null if the fence is deleted. */
  record FenceChange(Fence.@Nullable Circle circle) implements Event {}

  private final SimpleRule rule;
  private final List<Event> events;
  private final boolean isChange;
  private final List<Alert> alerts = new ArrayList<>();
  private Fence.@Nullable Circle circle;
  private boolean isOn;
  private boolean isMember = true;
  private @Nullable Long alertMillis;
  private long fenceVersion = 1;
  private long counted;
  private int withheld;

  SimpleJudge(SimpleRule rule, List<Event> events, Fence.Circle circle) {
    this.rule = rule;
    this.events = ascending(events);
    this.circle = circle;
    isChange = rule.kind() == Alert.Kind.ENTERED || rule.kind() == Alert.Kind.LEFT;
    int next = 0;
    while (next < this.events.size()) {
      Event event = this.events.get(next);
      if (event instanceof FenceChange change) {
        change(change, last(next));
        next++;
      } else if (event instanceof Arrival arrival) {
        next = judge(next, arrival.record());
      } else {
        if (event instanceof GroupChange change && rule.isOfGroup()) {
          change(change, last(next));
        }
        next++;
      }
    }
  }

  List<Alert> alerts() {
    return alerts;
  }

  int withheld() {
    return withheld;
  }

  /** Without records that are as old as one before, or older. */
  static List<Event> ascending(List<Event> events) {
    List<Event> ascending = new ArrayList<>();
    LocatedRecord newest = null;
    for (Event event : events) {
      if (event instanceof Arrival arrival) {
        if (newest != null && LocatedRecordOrder.INSTANCE.compare(arrival.record(), newest) <= 0) {
          continue;
        }
        newest = arrival.record();
      }
      ascending.add(event);
    }
    return ascending;
  }

  private @Nullable LocatedRecord last(int before) {
    for (int i = before - 1; i >= 0; i--) {
      if (events.get(i) instanceof Arrival arrival) {
        return arrival.record();
      }
    }
    return null;
  }

  private long watermark(int before) {
    return events.subList(0, before).stream()
        .mapToLong(event -> event instanceof Watermark watermark ? watermark.millis() : 0)
        .max()
        .orElse(0);
  }

  private void change(FenceChange change, @Nullable LocatedRecord last) {
    if (rule.kind() == Alert.Kind.EXPR) {
      return;
    }
    fenceVersion++;
    circle = change.circle();
    if (!isMember) {
      return;
    }
    if (!isChange) {
      isOn = isOn && circle != null;
    } else if (!isOn) {
      isOn = last != null && Boolean.TRUE.equals(isInside(last));
    } else if (circle == null || meters(Objects.requireNonNull(last), circle) > 0) {
      isOn = false;
      if (rule.kind() == Alert.Kind.LEFT) {
        long at = TestBook.put(fenceVersion).toEpochMilli();
        alert(Objects.requireNonNull(last), at, at, Alert.Cause.FENCE_CHANGED);
      }
    }
  }

  /** Nothing of before is kept of a device that is not in the group. */
  private void change(GroupChange change, @Nullable LocatedRecord last) {
    isMember = change.isMember();
    isOn = isMember && isChange && last != null && Boolean.TRUE.equals(isInside(last));
    alertMillis = null;
    counted = 0;
  }

  /** Returns the index of the event with which it continues. */
  private int judge(int index, LocatedRecord record) {
    if (!isMember) {
      return index + 1;
    }
    if (isChange && last(index) == null) {
      isOn = Boolean.TRUE.equals(isInside(record));
    }
    Boolean isTrue = isAbout(record) ? isTrue(record) : null;
    if (isTrue == null) {
      return index + 1;
    }
    if (isTrue && isOn && !isChange) {
      match(record, 0);
    } else if (!isTrue && isOn && !isChange) {
      isOn = false;
    } else if (isTrue != isOn) {
      return begin(index, record);
    }
    return index + 1;
  }

  private int begin(int index, LocatedRecord record) {
    if (rule.seconds() == 0) {
      confirm(record);
      return index + 1;
    }
    long lasting = 1_000 * rule.seconds();
    long due = Math.max(record.timestampMillis(), watermark(index)) + lasting;
    for (int i = index + 1; i < events.size(); i++) {
      Event event = events.get(i);
      if (event instanceof FenceChange && rule.kind() != Alert.Kind.EXPR) {
        return i;
      }
      if (event instanceof GroupChange && rule.isOfGroup()) {
        return i;
      }
      if (event instanceof Watermark watermark && watermark.millis() >= due) {
        confirm(record);
        return i + 1;
      }
      if (event instanceof Arrival arrival && isAbout(arrival.record())) {
        if (arrival.record().timestampMillis() >= record.timestampMillis() + lasting) {
          confirm(record);
          return i;
        }
        if (Objects.equals(isTrue(arrival.record()), isOn)) {
          return i + 1;
        }
      }
    }
    return events.size();
  }

  private void confirm(LocatedRecord record) {
    isOn = !isOn;
    if (!isChange || isOn == (rule.kind() == Alert.Kind.ENTERED)) {
      match(record, 1_000 * rule.seconds());
    }
  }

  private void match(LocatedRecord record, long lasting) {
    long at = record.timestampMillis();
    if (alertMillis != null && at - alertMillis < 1_000 * rule.quietSeconds()) {
      counted++;
      withheld++;
      return;
    }
    alert(record, at, at + lasting, Alert.Cause.RECORD);
    alertMillis = at;
  }

  private void alert(LocatedRecord record, long at, long confirmed, Alert.Cause cause) {
    Fix fix = record.fix();
    boolean isExpression = rule.kind() == Alert.Kind.EXPR;
    alerts.add(
        new Alert(
            record.user(),
            at,
            rule.id(),
            1,
            rule.kind(),
            confirmed,
            isExpression ? null : TestBook.DEPOT,
            cause,
            Objects.requireNonNull(record.position()),
            record.cell(),
            Objects.requireNonNull(record.source()),
            fix == null ? null : fix.accuracyMeters(),
            isExpression ? 1 : certainty(record),
            counted,
            List.of()));
    counted = 0;
  }

  private double certainty(LocatedRecord record) {
    boolean isAboutInside = rule.kind() == Alert.Kind.ENTERED || rule.kind() == Alert.Kind.INSIDE;
    double share = circle == null ? 0 : share(record, circle);
    return isAboutInside ? share : 1 - share;
  }

  /** A rule without its fence is about no record. */
  private boolean isAbout(LocatedRecord record) {
    boolean hasFence = circle != null || rule.kind() == Alert.Kind.EXPR;
    return hasFence && (!rule.isOnlyGnss() || record.source() == PositionSource.GNSS);
  }

  /** Null: it changes nothing. */
  private @Nullable Boolean isTrue(LocatedRecord record) {
    if (rule.kind() == Alert.Kind.EXPR) {
      return isAccurate(record);
    }
    Boolean isInside = isInside(record);
    if (isInside == null || rule.kind() != Alert.Kind.OUTSIDE) {
      return isInside;
    }
    return !isInside;
  }

  /** What {@link SimpleRule#EXPRESSION} says; null: it is undecided. */
  static @Nullable Boolean isAccurate(LocatedRecord record) {
    Fix fix = record.fix();
    Double accuracy = fix == null ? null : fix.accuracyMeters();
    if (accuracy == null) {
      return null;
    }
    return accuracy < 30;
  }

  /** Null: in the margin, or not certain. */
  private @Nullable Boolean isInside(LocatedRecord record) {
    return circle == null
        ? Boolean.FALSE
        : isInside(record, circle, rule.margin(), rule.certainty());
  }

  /** Null: in the margin, or not certain. */
  static @Nullable Boolean isInside(
      LocatedRecord record, Fence.Circle circle, int margin, double certainty) {
    double share = share(record, circle);
    double meters = meters(record, circle);
    if (meters <= 0 && share >= certainty) {
      return true;
    }
    if (meters > margin && 1 - share >= certainty) {
      return false;
    }
    return null;
  }

  /** From the border; in the circle, negative. */
  private static double meters(LocatedRecord record, Fence.Circle circle) {
    Position position = Objects.requireNonNull(record.position());
    return circle.center().metersTo(position) - circle.radiusMeters();
  }

  private static double share(LocatedRecord record, Fence.Circle circle) {
    Double radius = radius(record);
    if (radius == null) {
      return meters(record, circle) <= 0 ? 1 : 0;
    }
    return new FenceShape(new Fence(TestBook.DEPOT, circle))
        .share(Objects.requireNonNull(record.position()), radius);
  }

  /** Null: unknown. */
  private static @Nullable Double radius(LocatedRecord record) {
    Fix fix = record.fix();
    if (fix != null) {
      return fix.accuracyMeters();
    }
    return record.cellRangeMeters() > 0 ? (double) record.cellRangeMeters() : 100.0;
  }
}
