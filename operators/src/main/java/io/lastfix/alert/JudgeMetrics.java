package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.rules.judge.Judgement;
import io.lastfix.rules.judge.RuleSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of {@link JudgeOperator}, in its group {@code rules}, counted since the subtask's
 * start:
 *
 * <ul>
 *   <li>{@code judged}: records judged
 *   <li>{@code outOfOrder}: records older than the user's last judged one; they change nothing
 *   <li>{@code repeated}: records equal to it
 *   <li>{@code unlocated}: records without a position
 *   <li>{@code presences}: changes of presence judged: devices that went offline, and their return
 *   <li>{@code alerts}: alerts sent
 *   <li>{@code withheld}: matches that were only counted because of {@code quiet}
 *   <li>{@code undecided}: conditions that a value would decide that the record lacks
 *   <li>{@code failed}: expressions that could not be computed
 *   <li>{@code rules}, {@code fences}: those in use
 *   <li>{@code appliedOffset}: the offset of {@code lastfix.rules} up to which the subtask judges
 *       by it
 * </ul>
 *
 * <p>records in = {@code judged} + {@code outOfOrder} + {@code repeated} + {@code unlocated}.
 */
final class JudgeMetrics {
  private static final String GROUP = "rules";

  private final Counter judged;
  private final Counter outOfOrder;
  private final Counter repeated;
  private final Counter unlocated;
  private final Counter presences;
  private final Counter alerts;
  private final Counter withheld;
  private final Counter undecided;
  private final Counter failed;

  // The task's thread writes them, the reporters' threads read them.
  private final AtomicLong rules = new AtomicLong();
  private final AtomicLong fences = new AtomicLong();
  private final AtomicLong appliedOffset = new AtomicLong();

  JudgeMetrics(MetricGroup operatorGroup) {
    MetricGroup group = operatorGroup.addGroup(GROUP);
    judged = group.counter("judged");
    outOfOrder = group.counter("outOfOrder");
    repeated = group.counter("repeated");
    unlocated = group.counter("unlocated");
    presences = group.counter("presences");
    alerts = group.counter("alerts");
    withheld = group.counter("withheld");
    undecided = group.counter("undecided");
    failed = group.counter("failed");
    group.gauge("rules", (Gauge<Long>) rules::get);
    group.gauge("fences", (Gauge<Long>) fences::get);
    group.gauge("appliedOffset", (Gauge<Long>) appliedOffset::get);
  }

  /** Counts a record that is judged. */
  void judged() {
    judged.inc();
  }

  /** Counts a record without a position. */
  void unlocated() {
    unlocated.inc();
  }

  /** Counts a change of presence that is judged. */
  void presence() {
    presences.inc();
  }

  /** Counts a record that is not newer than the last judged one. */
  void notNewer(LocatedRecord record, LocatedRecord last) {
    (LocatedRecordOrder.INSTANCE.compare(record, last) == 0 ? repeated : outOfOrder).inc();
  }

  /** Counts what a step has resulted in. */
  void count(Judgement judgement) {
    alerts.inc(judgement.alerts().size());
    withheld.inc(judgement.withheld());
    undecided.inc(judgement.undecided());
    judgement.failed().values().forEach(failed::inc);
  }

  /** Sets the rules in use. */
  void applied(RuleSet set, long offset) {
    // Opaque access suffices, since only one thread writes.
    rules.setOpaque(set.rules());
    fences.setOpaque(set.fences());
    appliedOffset.setOpaque(offset);
  }
}
