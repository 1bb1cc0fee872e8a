package io.lastfix.rebuild;

import io.lastfix.store.history.HistoryId;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/**
 * Divides periods of History into splits: a month into its days, each a range of {@code _id}, which
 * begins with the time; a day or an hour is one split, unless the caller names times at which to
 * divide further. The ranges of a period are adjacent, and its first and last are open, unless the
 * requested time begins or ends within the period. Without such a limit every document of the
 * collection is in exactly one split, whatever its {@code _id} is.
 *
 * <p>It sends no query, so it needs no right beyond reading, and works in the same way on a replica
 * set and behind a router. The connector's own strategies are unsuitable:
 *
 * <ul>
 *   <li>SAMPLE relies on the server's estimate of the number of documents, and omits the end of a
 *       collection that has far fewer.
 *   <li>SPLIT_VECTOR needs a right of its own and an unsharded collection.
 *   <li>SHARDED reads the config database.
 * </ul>
 */
final class HistorySplits {
  private static final Duration DAY = Duration.ofDays(1);
  private static final BsonDocument BY_ID = new BsonDocument("_id", new BsonInt32(1));

  private HistorySplits() {}

  /**
   * Divides periods.
   *
   * @param cuts further times at which a split ends and the next one begins
   */
  static List<MongoScanSourceSplit> of(
      String database, List<HistoryPartition> partitions, TimeRange range, List<Instant> cuts) {
    List<MongoScanSourceSplit> splits = new ArrayList<>();
    for (HistoryPartition partition : partitions) {
      addSplits(database, partition, range, cuts, splits);
    }
    return splits;
  }

  private static void addSplits(
      String database,
      HistoryPartition partition,
      TimeRange range,
      List<Instant> cuts,
      List<MongoScanSourceSplit> splits) {
    boolean beginsWithin = range.from().isAfter(partition.start());
    boolean endsWithin = range.to().isBefore(partition.end());
    Instant last = endsWithin ? range.to() : partition.end();
    BsonValue min = beginsWithin ? lowestAt(range.from()) : new BsonMinKey();
    SortedSet<Instant> ends = new TreeSet<>(cuts);
    for (Instant end = partition.start().plus(DAY); end.isBefore(last); end = end.plus(DAY)) {
      ends.add(end);
    }
    for (Instant end : ends) {
      if (end.isAfter(partition.start()) && end.isAfter(range.from()) && end.isBefore(last)) {
        splits.add(split(database, partition.collection(), splits.size(), min, lowestAt(end)));
        min = lowestAt(end);
      }
    }
    BsonValue max = endsWithin ? lowestAt(last) : new BsonMaxKey();
    splits.add(split(database, partition.collection(), splits.size(), min, max));
  }

  private static BsonValue lowestAt(Instant instant) {
    return HistoryId.lowestAt(instant.toEpochMilli());
  }

  private static MongoScanSourceSplit split(
      String database, String collection, int number, BsonValue min, BsonValue max) {
    return new MongoScanSourceSplit(
        "%s.%s_%d".formatted(database, collection, number),
        database,
        collection,
        new BsonDocument("_id", min),
        new BsonDocument("_id", max),
        BY_ID);
  }
}
