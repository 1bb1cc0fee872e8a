package io.lastfix.rebuild;

import io.lastfix.store.history.HistoryId;
import io.lastfix.store.history.HistoryPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/**
 * Divides periods of History into splits: a month into its days, each a range of {@code _id}, which
 * begins with the time; a day or an hour is one split. The ranges of a period are adjacent, and its
 * first and last are open. Every document of the collection is therefore in exactly one split,
 * whatever its {@code _id} is.
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

  static List<MongoScanSourceSplit> of(String database, List<HistoryPartition> partitions) {
    List<MongoScanSourceSplit> splits = new ArrayList<>();
    for (HistoryPartition partition : partitions) {
      addSplits(database, partition, splits);
    }
    return splits;
  }

  private static void addSplits(
      String database, HistoryPartition partition, List<MongoScanSourceSplit> splits) {
    BsonValue min = new BsonMinKey();
    for (Instant end = partition.start().plus(DAY);
        end.isBefore(partition.end());
        end = end.plus(DAY)) {
      BsonValue max = HistoryId.lowestAt(end.toEpochMilli());
      splits.add(split(database, partition.collection(), splits.size(), min, max));
      min = max;
    }
    splits.add(split(database, partition.collection(), splits.size(), min, new BsonMaxKey()));
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
