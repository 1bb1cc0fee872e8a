package io.lastfix.jobs;

import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateReach;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * The times of an analysis of History: which results it replaces, and which records it reads for
 * them. What happens at the edges of the range depends on records outside of it.
 *
 * @param wanted of each kind, results of this range are replaced
 * @param timeline how records become visits
 * @param now no absence after it is known, and no density
 */
public record AnalyzeTimes(
    Function<NumberKind, TimeRange> wanted, TimelineOptions timeline, Instant now) {
  /** Before the range: a visit that began earlier has its begin there. */
  private static final Duration MARGIN_BEFORE = Duration.ofHours(3);

  /** After the range, for density and flows: a return within the ping-pong time. */
  private static final Duration MARGIN_AFTER = Duration.ofMinutes(30);

  /** After the range, for stays and trips: their ends. */
  private static final Duration MARGIN_AFTER_STAYS = Duration.ofHours(24);

  /** Replaces the results of one range. */
  public AnalyzeTimes(TimeRange wanted, TimelineOptions timeline, Instant now) {
    this(kind -> wanted, timeline, now);
  }

  /** Replaces the results that records of whole hours can change. */
  public static AnalyzeTimes ofLateRecords(TimeRange hours, TimelineOptions timeline, Instant now) {
    return new AnalyzeTimes(kind -> LateReach.of(kind).effectsOf(hours), timeline, now);
  }

  /**
   * Returns the times of the results of a kind that are replaced: whole windows; empty if there are
   * none. The window of density that contains the present is not over.
   */
  public Optional<TimeRange> results(NumberKind kind) {
    TimeRange range = wanted.apply(kind);
    return switch (kind) {
      case COUNTS -> Optional.of(CountQueries.wholeWindows(range));
      case DENSITY -> {
        TimeRange whole = CountQueries.wholeWindows(range);
        Instant current = CountQueries.windowOf(now);
        yield whole.from().isBefore(current)
            ? Optional.of(new TimeRange(whole.from(), earlier(whole.to(), current)))
            : Optional.empty();
      }
      case FLOWS -> Optional.of(wholeHours(range));
      case STAYS, TRIPS -> Optional.of(range);
    };
  }

  /** Returns the times of the records that these kinds need. */
  public TimeRange records(Collection<NumberKind> kinds) {
    return kinds.stream()
        .map(this::recordsOf)
        .reduce(
            (one, other) ->
                new TimeRange(earlier(one.from(), other.from()), later(one.to(), other.to())))
        .orElseThrow(() -> new IllegalArgumentException("kinds: expected one or more"));
  }

  private TimeRange recordsOf(NumberKind kind) {
    TimeRange results = results(kind).orElse(wanted.apply(kind));
    if (kind == NumberKind.COUNTS) {
      return results;
    }
    Duration after = kind.isPersonal() ? MARGIN_AFTER_STAYS : MARGIN_AFTER;
    return results.extendedBy(
        longer(MARGIN_BEFORE, timeline.absence().multipliedBy(2)),
        longer(after, timeline.absence()));
  }

  /** Returns the time after which no record is read, less the time of absence. */
  public Instant knownUntil(Collection<NumberKind> kinds) {
    return earlier(records(kinds).to(), now).minus(timeline.absence());
  }

  private static TimeRange wholeHours(TimeRange range) {
    Instant last = range.to().minusMillis(1).truncatedTo(ChronoUnit.HOURS);
    return new TimeRange(
        range.from().truncatedTo(ChronoUnit.HOURS), TimeRange.later(last, Duration.ofHours(1)));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
