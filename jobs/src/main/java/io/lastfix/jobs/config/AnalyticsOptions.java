package io.lastfix.jobs.config;

import io.lastfix.analytics.counts.Grouping;
import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.history.PartitionPeriod;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the analytics job computes, and where it keeps it.
 *
 * @param numbers the kinds of numbers; one or more
 * @param grouping by what records are counted
 * @param outOfOrderness how much earlier than the newest record the next one may be; later ones
 *     rewrite numbers that were closed
 * @param timeline how records become visits
 * @param minimumGroup density and flows of fewer devices are withheld
 * @param countsPrefix prefix of the collections of counts; the other kinds have their names
 * @param period of all collections, as of History
 * @param countsTopic topic of counts
 */
public record AnalyticsOptions(
    List<NumberKind> numbers,
    Grouping grouping,
    Duration outOfOrderness,
    TimelineOptions timeline,
    int minimumGroup,
    String countsPrefix,
    PartitionPeriod period,
    String countsTopic)
    implements Serializable {
  public AnalyticsOptions {
    numbers = List.copyOf(numbers);
  }

  /** Returns the prefixes of the collections of all kinds, and of those of late records. */
  List<String> collectionPrefixes() {
    return Stream.concat(
            Stream.of(NumberKind.values()).map(this::collections), Stream.of(lateRecords()))
        .map(NumberCollections::collectionPrefix)
        .toList();
  }

  /** Returns the collections of the records that came too late for the stream. */
  public NumberCollections lateRecords() {
    return NumberCollections.ofLateRecords(period);
  }

  /** Returns the collections of a kind. */
  public NumberCollections collections(NumberKind kind) {
    return kind == NumberKind.COUNTS
        ? NumberCollections.ofWindows(countsPrefix, period)
        : NumberCollections.of(kind, period);
  }
}
