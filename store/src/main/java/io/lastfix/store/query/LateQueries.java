package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCountConverter;
import io.lastfix.store.timeline.LateCount;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.conversions.Bson;

/**
 * Queries how many records the numbers of the stream lack, because they came too late, and {@code
 * lastfix analyze} has not computed the numbers of their time since. Thread-safe.
 */
public final class LateQueries {
  private final NumberReader reader;

  /** Queries a database whose client the caller closes. */
  public LateQueries(MongoDatabase database, QueryOptions options) {
    this.reader = new NumberReader(database, options);
  }

  /**
   * Returns which records numbers of the range may lack; see {@link LateReach}.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public LateRecords read(NumberKind kind, TimeRange range) {
    return read(LateReach.of(kind).causesOf(range), Filters.eq("_id.by", kind.text()))
        .getOrDefault(kind, LateRecords.NONE);
  }

  /**
   * The same of all times and of each kind that lacks some.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Map<NumberKind, LateRecords> readAll() {
    // Another release may know further kinds.
    return read(
        TimeRange.ALL,
        Filters.in("_id.by", Stream.of(NumberKind.values()).map(NumberKind::text).toList()));
  }

  private Map<NumberKind, LateRecords> read(TimeRange range, Bson ofKind) {
    Map<NumberKind, LateRecords> late = new EnumMap<>(NumberKind.class);
    for (String collection : reader.collections(NumberCollections.LATE_PREFIX, range)) {
      reader.each(
          collection,
          List.of(
              Aggregates.match(
                  Filters.and(
                      Filters.gte("_id", WindowCountConverter.firstIdAt(range.from())),
                      Filters.lt("_id", WindowCountConverter.firstIdAt(range.to())),
                      ofKind)),
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
                      document.getDate("newest").toInstant().plusMillis(LateCount.HOUR_MILLIS)),
                  LateRecords::plus));
    }
    return late;
  }
}
