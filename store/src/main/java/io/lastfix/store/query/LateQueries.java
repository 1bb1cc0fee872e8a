package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCountConverter;
import io.lastfix.store.timeline.LateCount;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Queries how many records the numbers of the stream lack, because they came too late, and {@code
 * lastfix analyze} has not computed the numbers of their time since. Thread-safe.
 */
public final class LateQueries {
  private static final long HOUR = LateCount.HOUR_MILLIS;

  private final NumberReader reader;

  /** Queries a database whose client the caller closes. */
  public LateQueries(MongoDatabase database, QueryOptions options) {
    this.reader = new NumberReader(database, options);
  }

  /**
   * Returns what a kind of numbers lacks in the hours that have a part in the range.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public LateRecords read(NumberKind kind, TimeRange range) {
    return read(range).getOrDefault(kind, LateRecords.NONE);
  }

  /** The same of each kind that lacks some. */
  public Map<NumberKind, LateRecords> read(TimeRange range) {
    Instant from =
        Instant.ofEpochMilli(
            Math.max(
                LateCount.hourOf(range.from().toEpochMilli()),
                TimeRange.ALL.from().toEpochMilli()));
    Map<NumberKind, LateRecords> late = new EnumMap<>(NumberKind.class);
    for (String collection :
        reader.collections(NumberCollections.LATE_PREFIX, new TimeRange(from, range.to()))) {
      reader.each(
          collection,
          List.of(
              Aggregates.match(
                  Filters.and(
                      Filters.gte("_id", WindowCountConverter.firstIdAt(from)),
                      Filters.lt("_id", WindowCountConverter.firstIdAt(range.to())))),
              Aggregates.group(
                  "$_id.by",
                  Accumulators.sum("n", "$n"),
                  Accumulators.min("oldest", "$_id.w"),
                  Accumulators.max("newest", "$_id.w"))),
          document ->
              late.merge(
                  NumberKind.ofText(document.getString("_id")),
                  new LateRecords(
                      document.getLong("n"),
                      document.getDate("oldest").toInstant(),
                      document.getDate("newest").toInstant().plusMillis(HOUR)),
                  LateRecords::plus));
    }
    return late;
  }
}
