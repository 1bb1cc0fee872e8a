package io.lastfix.operate.rules;

import io.lastfix.rules.rule.Condition;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of a run of a rule over History.
 *
 * @param alerts when the alerts began that are found
 * @param records the timestamps of the records that are read: from before, so that most users'
 *     positions are known, and until {@code for} is over, or until now
 * @param settled a user without a record before it is looked up: {@code for} runs from then on, or
 *     a sequence begins then at the earliest
 */
record TrialTime(TimeRange alerts, TimeRange records, Instant settled) {
  private static final Duration DEFAULT_LENGTH = Duration.ofHours(24);

  /** Most users have a record in that time. */
  private static final Duration LEAD = Duration.ofHours(1);

  /**
   * Returns the time that the request of a trial means. Without begin and end, the newest record
   * ends it, unless that is of the future. Silence until now confirms alerts.
   *
   * @param when the rule's condition
   * @param since earlier alerts are not found
   * @throws IllegalStateException if all of that time is before {@code since}; has the remedy
   */
  static TrialTime of(RuleTrial trial, Condition when, Instant since) {
    Duration lasting = when.lasting();
    AlertRequest request = trial.request();
    Instant now = trial.clock().instant();
    Instant to = request.to();
    if (to == null && request.from() == null) {
      to =
          trial
              .collections()
              .newest(request.user(), new TimeRange(TimeRange.ALL.from(), now))
              .map(newest -> newest.timestamp().plusMillis(1))
              .orElse(now);
    }
    to = to == null ? now : to;
    if (!since.isBefore(to)) {
      throw new IllegalStateException(
          "the rule or its fences were put at %s, so only alerts from then on can be compared: take a later --to"
              .formatted(since));
    }
    Instant from = request.from();
    if (from == null) {
      from = TimeRange.earlier(to, request.last() == null ? DEFAULT_LENGTH : request.last());
    }
    from = laterOf(from, since);
    TimeRange alerts = new TimeRange(from, laterOf(to, from.plusMillis(1)));
    Duration reach = when instanceof Condition.Sequence sequence ? sequence.within() : lasting;
    Instant settled = TimeRange.earlier(from, reach);
    Instant confirmed = TimeRange.later(alerts.to(), lasting);
    return new TrialTime(
        alerts,
        new TimeRange(
            TimeRange.earlier(settled, LEAD),
            confirmed.isAfter(now) ? laterOf(alerts.to(), now) : confirmed),
        settled);
  }

  private static Instant laterOf(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
