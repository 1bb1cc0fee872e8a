package io.lastfix.bench;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartitions;
import java.util.List;
import org.bson.Document;

/** The database of the benchmark: emptied before each measurement, and dropped at the end. */
public final class BenchDatabase implements AutoCloseable {
  /** A name that nobody else should have: what is in it is dropped. */
  public static final String DATABASE = "lastfix_bench";

  private final LocationJobConfig config;
  private final MongoClient client;
  private final MongoDatabase database;
  private final MongoClient sinkClient;

  /** Connects, as the job does, with so many connections. */
  BenchDatabase(LocationJobConfig config, int connections) throws MongoAccessException {
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

  MongoClient client() {
    return client;
  }

  MongoDatabase database() {
    return database;
  }

  /** For writes as the sinks send them: without the driver's retryable writes. */
  MongoDatabase sinkDatabase() {
    return sinkClient.getDatabase(DATABASE);
  }

  /** As if nothing had ever been stored. */
  void drop() {
    database.drop();
  }

  HistoryPartitions partitions() {
    return new HistoryPartitions(client, DATABASE, config.history());
  }

  /** Documents in all of History, by the collections' metadata. */
  long historyCount() {
    return partitions().list().stream()
        .mapToLong(
            partition -> database.getCollection(partition.collection()).estimatedDocumentCount())
        .sum();
  }

  /** Documents in Last Known Location, by the collection's metadata. */
  long userCount() {
    return count(config.lastKnownLocation().collection());
  }

  /** Documents in a collection, by its metadata. */
  long count(String collection) {
    return database.getCollection(collection).estimatedDocumentCount();
  }

  /**
   * How often Last Known Location was written to since it was made, by the servers' own count, on
   * all shards. Grows with each bulk, also where nothing in it changes a document.
   */
  long lastKnownLocationWrites() {
    return writes(config.lastKnownLocation().collection());
  }

  /** The same of another collection. */
  long writes(String collection) {
    if (count(collection) == 0) {
      return 0; // Not there yet, perhaps.
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
