package io.lastfix.bench.servers;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.bench.Benchmark;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartitions;
import java.util.List;
import org.bson.Document;

/** The benchmark's database. It is emptied before each measurement and dropped at the end. */
public final class BenchDatabase implements AutoCloseable {
  /** A name reserved for the benchmark: its contents are dropped. */
  public static final String DATABASE = Benchmark.DATABASE;

  private final LocationJobConfig config;
  private final MongoClient client;
  private final MongoDatabase database;
  private final MongoClient sinkClient;

  /** Connects as the job does, with N connections. */
  public BenchDatabase(LocationJobConfig config, int connections) throws MongoAccessException {
    this.config = config;
    MongoOptions mongo = config.historyMongo();
    if (!mongo.database().equals(DATABASE)
        || !config.lastKnownLocationMongo().database().equals(DATABASE)
        || !config.lastKnownLocationMongo().uri().equals(mongo.uri())) {
      throw new IllegalArgumentException(
          "the benchmark measures one MongoDB with both collections: unset"
              + " last-known-location.mongo-uri and last-known-location.database");
    }
    MongoOptions ours = mongo.withApplicationName("lastfix-bench");
    client = MongoClientFactory.connect(ours, connections);
    database = client.getDatabase(DATABASE);
    sinkClient = MongoClientFactory.createForSinks(ours, connections);
  }

  /** A client of the servers, as programs other than the sinks have one. */
  public MongoClient client() {
    return client;
  }

  /** The database as programs other than the sinks write to it. */
  public MongoDatabase database() {
    return database;
  }

  /** The database as the sinks write to it: without the driver's retryable writes. */
  MongoDatabase sinkDatabase() {
    return sinkClient.getDatabase(DATABASE);
  }

  /** Drops all collections. */
  public void drop() {
    database.drop();
  }

  HistoryPartitions partitions() {
    return new HistoryPartitions(client, DATABASE, config.history());
  }

  /** Documents in all of History, by the collections' metadata. */
  public long historyCount() {
    return partitions().list().stream()
        .mapToLong(
            partition -> database.getCollection(partition.collection()).estimatedDocumentCount())
        .sum();
  }

  /** Documents in Last Known Location, by the collection's metadata. */
  public long userCount() {
    return count(config.lastKnownLocation().collection());
  }

  /** Documents in a collection, by its metadata. */
  public long count(String collection) {
    return database.getCollection(collection).estimatedDocumentCount();
  }

  /**
   * Writes to Last Known Location since its creation, as the servers count them, on all shards.
   * Each bulk counts, even if nothing in it changes a document.
   */
  public long lastKnownLocationWrites() {
    return writes(config.lastKnownLocation().collection());
  }

  /** Writes to a collection since its creation; see {@link #lastKnownLocationWrites}. */
  public long writes(String collection) {
    if (count(collection) == 0) {
      return 0; // The collection may not exist yet.
    }
    long writes = 0;
    for (Document shard :
        database
            .getCollection(collection)
            .aggregate(
                List.of(
                    new Document("$collStats", new Document("latencyStats", new Document()))))) {
      writes +=
          shard.get("latencyStats", Document.class).get("writes", Document.class).getLong("ops");
    }
    return writes;
  }

  @Override
  public void close() {
    sinkClient.close();
    client.close();
  }
}
