package io.lastfix.cli.partitions;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Projections;
import io.lastfix.cli.output.Table;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.PartitionStatistics;
import io.lastfix.store.history.PartitionStatistics.Entry;
import io.lastfix.store.history.PartitionStatistics.Figures;
import io.lastfix.store.history.PartitionStatistics.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix partitions stats}: the content of each partition, and its location. */
@Command(
    name = "stats",
    description = {
      "Shows for each collection of History its records, bytes, indexes, its oldest and newest"
          + " record, and on a sharded cluster each shard's share of the records.",
      "The servers estimate the numbers of records: after a crash these may be wrong, and on a"
          + " sharded cluster a moved document counts on both shards until one deletes it."
          + " --exact counts.",
      "The server aborts a single read after 60 s."
    })
public final class PartitionsStatsCommand extends PartitionCommand {
  // NamespaceNotFound in
  // https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int NAMESPACE_NOT_FOUND = 26;

  private static final long LIMIT_MILLIS = HistoryPartitions.READ_LIMIT.toMillis();

  private static final List<BsonDocument> STORAGE =
      List.of(new BsonDocument("$collStats", new BsonDocument("storageStats", new BsonDocument())));

  @Option(
      names = "--exact",
      description =
          "Count the records one by one, which reads each partition's index. The shards' shares"
              + " stay estimates.")
  private boolean exact;

  @Override
  void run(Session session) {
    List<Entry> entries = new ArrayList<>();
    for (HistoryPartition partition : session.partitions().list()) {
      MongoCollection<BsonDocument> collection =
          session
              .client()
              .getDatabase(session.database())
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
    PartitionStatistics statistics = PartitionStatistics.of(entries, !exact);
    if (isJson()) {
      printJson(statistics);
    } else {
      out().println(table(statistics));
    }
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

  static Table table(PartitionStatistics statistics) {
    Table table =
        new Table(
            "NAME",
            "FROM",
            "TO",
            statistics.estimated() ? "RECORDS (ESTIMATE)" : "RECORDS",
            "BYTES",
            "ON DISK",
            "INDEXES",
            "OLDEST",
            "NEWEST",
            "SHARDS");
    for (Entry entry : statistics.partitions()) {
      row(
          table,
          entry.name(),
          entry.from().toString(),
          entry.to().toString(),
          entry.figures(),
          text(entry.oldest()),
          text(entry.newest()));
    }
    row(table, "total", "", "", statistics.total(), "", "");
    return table;
  }

  private static void row(
      Table table,
      String name,
      String from,
      String to,
      Figures figures,
      String oldest,
      String newest) {
    table.row(
        name,
        from,
        to,
        number(figures.records()),
        number(figures.bytes()),
        number(figures.storageBytes()),
        number(figures.indexBytes()),
        oldest,
        newest,
        figures.wordsOfShards());
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String text(@Nullable Instant instant) {
    return instant == null ? "-" : instant.toString();
  }
}
