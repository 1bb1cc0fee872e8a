package io.lastfix.console.query;

import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateRecords;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** What the console reads of the analytics job's numbers. Thread-safe. */
public interface NumberStore {
  /** See {@link CountQueries#range}. */
  Optional<TimeRange> countedRange(@Nullable Instant from, @Nullable Instant to, Duration span);

  /** The sums of the groups, the greatest first, and how complete all are; parameters as below. */
  CountQueries.Sums countSums(TimeRange range, CountBy by, @Nullable String key, int limit);

  /** Each window; of one group, or of all if {@code key} is null. */
  CountQueries.Windows countWindows(TimeRange range, CountBy by, @Nullable String key, int limit);

  /** See {@link CountQueries#completeness}. */
  Completeness countCompleteness(
      TimeRange range, CountBy by, @Nullable String key, CountQueries.Windows read);

  /** See {@link io.lastfix.store.query.numbers.LateQueries#read(NumberKind, TimeRange)}. */
  LateRecords late(NumberKind kind, TimeRange range);

  /** See {@link io.lastfix.store.query.numbers.ResultQueries#range}. */
  Optional<TimeRange> resultRange(
      NumberKind kind,
      @Nullable Instant from,
      @Nullable Instant to,
      Duration span,
      @Nullable String user);

  /**
   * Results, and how complete all of them are.
   *
   * @param found as many as were asked for, at most
   */
  record Results(List<Document> found, Completeness completeness) {
    /** Copies the results. */
    public Results {
      found = List.copyOf(found);
    }
  }

  /**
   * The results of a range.
   *
   * @param user only those of this device; null: of all
   */
  Results results(NumberKind kind, TimeRange range, PlaceKind by, @Nullable String user, int limit);

  /** The instant at which the density is newest; empty if there is none. */
  Optional<Instant> newestDensity();

  /** The places where somebody is at an instant, those with the most devices first. */
  Results density(Instant at, Duration lookBack, PlaceKind by, int limit);
}
