package io.lastfix.store.history;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Projections;
import io.lastfix.store.history.PartitionStatistics.Entry;
import io.lastfix.store.history.PartitionStatistics.Figures;
import io.lastfix.store.history.PartitionStatistics.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statistics of partitions from the primaries. The server aborts each read after {@link
 * HistoryPartitions#READ_LIMIT}.
 *
 * @param database of a client that the caller closes
 */
public record PartitionStatisticsReader(MongoDatabase database) {
  // NamespaceNotFound in
  // https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int NAMESPACE_NOT_FOUND = 26;

  private static final long LIMIT_MILLIS = HistoryPartitions.READ_LIMIT.toMillis();

  private static final List<BsonDocument> STORAGE =
      List.of(new BsonDocument("$collStats", new BsonDocument("storageStats", new BsonDocument())));

  /**
   * Reads the statistics; partitions that are dropped meanwhile are left out.
   *
   * @param exact whether records are counted one by one, which reads each partition's index; else
   *     the servers estimate their number
   * @throws com.mongodb.MongoException if the server rejects a command or does not answer
   */
  public PartitionStatistics read(List<HistoryPartition> partitions, boolean exact) {
    List<Entry> entries = new ArrayList<>();
    for (HistoryPartition partition : partitions) {
      MongoCollection<BsonDocument> collection =
          database
              .getCollection(partition.collection(), BsonDocument.class)
              .withReadPreference(ReadPreference.primary());
      figures(collection)
          .ifPresent(
              figures ->
                  entries.add(
                      new Entry(
                          partition.collection(),
                          partition.start(),
                          partition.end(),
                          exact ? figures.withRecords(counted(collection)) : figures,
                          end(collection, 1),
                          end(collection, -1))));
    }
    return PartitionStatistics.of(entries, !exact);
  }

  /** Counts documents; through a router, without orphaned documents of moved chunks. */
  private static long counted(MongoCollection<BsonDocument> collection) {
    return collection.countDocuments(
        new BsonDocument(), new CountOptions().maxTime(LIMIT_MILLIS, MILLISECONDS));
  }

  /** The figures of all shards together; empty if the partition was dropped meanwhile. */
  private static Optional<Figures> figures(MongoCollection<BsonDocument> collection) {
    List<Figures> shards = new ArrayList<>();
    try {
      for (BsonDocument found : collection.aggregate(STORAGE).maxTime(LIMIT_MILLIS, MILLISECONDS)) {
        shards.add(figures(found));
      }
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == NAMESPACE_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
    return Optional.of(Figures.sum(shards));
  }

  private static Figures figures(BsonDocument found) {
    BsonDocument storage = found.getDocument("storageStats");
    long records = number(storage, "count");
    return new Figures(
        records,
        number(storage, "size"),
        number(storage, "storageSize"),
        number(storage, "totalIndexSize"),
        found.containsKey("shard")
            ? List.of(Share.of(found.getString("shard").getValue(), records, records))
            : List.of());
  }

  private static long number(BsonDocument storage, String name) {
    return storage.getNumber(name, new BsonInt32(0)).longValue();
  }

  /** The time of the first or last record by {@code _id}, which begins with the time. */
  private static @Nullable Instant end(MongoCollection<BsonDocument> collection, int order) {
    BsonDocument found =
        collection
            .find()
            .maxTime(LIMIT_MILLIS, MILLISECONDS)
            .sort(new BsonDocument("_id", new BsonInt32(order)))
            .projection(Projections.include("ts"))
            .first();
    return found != null && found.isDateTime("ts")
        ? Instant.ofEpochMilli(found.getDateTime("ts").getValue())
        : null;
  }
}
