package io.lastfix.store.query.numbers;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.NumberReader;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.LateCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.Document;
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
   * Returns the late records of all times, of each kind that lacks some.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Map<NumberKind, LateRecords> readAll() {
    return read(TimeRange.ALL, ofAnyKind());
  }

  /**
   * Late records of an hour.
   *
   * @param hour its first instant
   * @param kind the numbers that the stream has left them out of
   * @param records how many at most
   * @param isAdded whether an analysis has added all of them, while the stream could still rewrite
   *     numbers of that hour, and so remove them again
   * @param newest when the first record of the newest count of them was left out: at most ten
   *     minutes before the last record
   */
  public record Hour(
      Instant hour, NumberKind kind, long records, boolean isAdded, Instant newest) {}

  /**
   * Returns all hours with late records, the oldest first.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public List<Hour> hours() {
    List<Hour> hours = new ArrayList<>();
    reader.each(
        NumberCollections.LATE_PREFIX,
        TimeRange.ALL,
        List.of(
            Aggregates.match(ofAnyKind()),
            Aggregates.group(
                new Document("w", "$_id.w").append("by", "$_id.by"),
                Accumulators.sum("n", "$n"),
                Accumulators.sum("bursts", 1L),
                Accumulators.max("newest", "$since"),
                Accumulators.sum(
                    "added", NumberReader.oneIf("$state", WindowCount.State.BATCH.text())))),
        document -> {
          Document id = document.get("_id", Document.class);
          hours.add(
              new Hour(
                  id.getDate("w").toInstant(),
                  NumberKind.ofText(id.getString("by")),
                  document.getLong("n"),
                  document.getLong("added").equals(document.getLong("bursts")),
                  document.getDate("newest").toInstant()));
        });
    hours.sort(Comparator.comparing(Hour::hour).thenComparing(Hour::kind));
    return hours;
  }

  /** Another release may know further kinds. */
  private static Bson ofAnyKind() {
    return Filters.in("_id.by", Stream.of(NumberKind.values()).map(NumberKind::text).toList());
  }

  private Map<NumberKind, LateRecords> read(TimeRange range, Bson ofKind) {
    Map<NumberKind, LateRecords> late = new EnumMap<>(NumberKind.class);
    reader.each(
        NumberCollections.LATE_PREFIX,
        range,
        List.of(
            Aggregates.match(
                Filters.and(
                    Filters.gte("_id", WindowCount.firstIdAt(range.from())),
                    Filters.lt("_id", WindowCount.firstIdAt(range.to())),
                    Filters.ne("state", WindowCount.State.BATCH.text()),
                    ofKind)),
            Aggregates.group(
                "$_id.by",
                Accumulators.sum("n", "$n"),
                Accumulators.min("oldest", "$_id.w"),
                Accumulators.max("newest", "$_id.w"),
                Accumulators.min("since", "$since"))),
        document ->
            late.merge(
                NumberKind.ofText(document.getString("_id")),
                new LateRecords(
                    document.getLong("n"),
                    document.getDate("oldest").toInstant(),
                    document.getDate("newest").toInstant().plusMillis(LateCount.HOUR_MILLIS),
                    document.getDate("since").toInstant()),
                LateRecords::plus));
    return late;
  }
}
