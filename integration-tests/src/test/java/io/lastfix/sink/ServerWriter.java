package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import io.lastfix.sink.LastKnownLocationSink.LastKnownLocationBatching;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One client of its own that stores records with the sinks' settings, provisioning and documents,
 * one bulk at a time, without Flink.
 */
public final class ServerWriter implements AutoCloseable {
  private static final int MAX_ATTEMPTS = 20;

  private final BulkServer<LocatedRecord> server;
  private final RecordBatching<LocatedRecord> batching;

  private ServerWriter(BulkServer<LocatedRecord> server, RecordBatching<LocatedRecord> batching) {
    this.server = server;
    this.batching = batching;
  }

  /** Writes History, in collections of that period, at a time when all of them are over. */
  public static ServerWriter history(String uri, String database, PartitionPeriod period) {
    return history(
        uri,
        database,
        TestHistory.of(period),
        ProvisionMode.AUTO,
        InstantSource.fixed(Instant.MAX));
  }

  /** Writes History as it is told, at the time of that clock. */
  public static ServerWriter history(
      String uri,
      String database,
      HistoryOptions history,
      ProvisionMode provision,
      InstantSource clock) {
    MongoOptions mongo = MongoOptions.defaults(uri, database);
    return new ServerWriter(
        HistorySink.server(
            MongoClientFactory.createForSinks(mongo, 1),
            database,
            history,
            provision,
            clock,
            mongo.readTimeout()),
        new HistoryBatching(history));
  }

  /** Writes Last Known Location. */
  public static ServerWriter lastKnownLocation(String uri, String database) {
    MongoOptions mongo = MongoOptions.defaults(uri, database);
    LastKnownLocationOptions lastKnownLocation =
        new LastKnownLocationOptions("last_known_location", false, false, false);
    return new ServerWriter(
        LastKnownLocationSink.server(
            MongoClientFactory.createForSinks(mongo, 1),
            database,
            lastKnownLocation,
            ProvisionMode.AUTO,
            mongo.readTimeout()),
        new LastKnownLocationBatching(lastKnownLocation));
  }

  /**
   * Stores all of them, one bulk for each collection, and sends again what the server says to.
   *
   * @return what became of them, all bulks together
   * @throws IllegalStateException if some cannot be stored
   */
  public BulkResult store(List<LocatedRecord> records) {
    Map<String, List<LocatedRecord>> byCollection = new TreeMap<>();
    for (LocatedRecord record : records) {
      byCollection
          .computeIfAbsent(batching.collection(record), absent -> new ArrayList<>())
          .add(record);
    }
    BulkResult total = new BulkResult(0, 0, 0, 0, List.of());
    for (Map.Entry<String, List<LocatedRecord>> bulk : byCollection.entrySet()) {
      total = sum(total, storeBulk(bulk.getKey(), bulk.getValue()));
    }
    return total;
  }

  private BulkResult storeBulk(String collection, List<LocatedRecord> records) {
    BulkResult total = new BulkResult(0, 0, 0, 0, List.of());
    List<LocatedRecord> open = records;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && !open.isEmpty(); attempt++) {
      BulkResult result = send(collection, open);
      List<LocatedRecord> again = new ArrayList<>();
      for (WriteFailure failure : result.failures()) {
        if (failure.kind() == BulkResult.Kind.FATAL) {
          throw new IllegalStateException(failure.message());
        }
        again.add(open.get(failure.index()));
      }
      total = sum(total, result);
      open = again;
    }
    if (!open.isEmpty()) {
      throw new IllegalStateException(
          "%d records of %s not stored after %d attempts"
              .formatted(open.size(), collection, MAX_ATTEMPTS));
    }
    return total;
  }

  private BulkResult send(String collection, List<LocatedRecord> records) {
    try {
      return write(collection, records);
    } catch (BulkException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The server's own answer to one bulk, with the failures in it. */
  BulkResult write(String collection, List<LocatedRecord> records) throws BulkException {
    if (!server.isReady(collection)) {
      server.prepare(collection);
    }
    return server.write(collection, records);
  }

  private static BulkResult sum(BulkResult a, BulkResult b) {
    return new BulkResult(
        a.inserted() + b.inserted(),
        a.updated() + b.updated(),
        a.stale() + b.stale(),
        a.duplicates() + b.duplicates(),
        List.of());
  }

  @Override
  public void close() {
    server.close();
  }
}
