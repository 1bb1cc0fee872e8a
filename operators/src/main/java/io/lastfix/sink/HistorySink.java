package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import io.lastfix.model.LocatedRecord;
import io.lastfix.provision.ProvisionMode;
import io.lastfix.provision.Provisioner;
import java.time.InstantSource;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Stores every record once, in the collection of its period, located or not. A replay is a no-op.
 *
 * <p>A period's collection is made, indexed and sharded before its first insert, and the next one
 * ahead of time: see {@link HistoryProvisioner}. Delivers at least once, and since writes are
 * idempotent, the result is exactly once. See {@link HistoryDocumentConverter} for the documents,
 * {@link BulkSinkMetrics} for the metrics.
 */
public final class HistorySink implements Sink<LocatedRecord> {
  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final HistoryOptions history;
  private final ProvisionMode provision;

  public HistorySink(
      MongoOptions mongo, BulkOptions bulks, HistoryOptions history, ProvisionMode provision) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.history = Objects.requireNonNull(history, "history");
    this.provision = Objects.requireNonNull(provision, "provision");
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    return MongoSinks.writer(
        context,
        new HistoryBatching(history),
        server(
            MongoClientFactory.create(mongo, bulks.maxBulksInFlight()),
            mongo.database(),
            history,
            provision,
            InstantSource.system()),
        bulks);
  }

  static MongoBulkServer<LocatedRecord> server(
      MongoClient client,
      String database,
      HistoryOptions history,
      ProvisionMode provision,
      InstantSource clock) {
    Provisioner provisioner = new Provisioner(client, database);
    return new MongoBulkServer<>(
        client,
        client.getDatabase(database),
        new HistoryProvisioner(
            collection -> provisioner.ensure(history.description(collection), provision),
            history,
            clock),
        new HistoryDocumentConverter(),
        MongoBulkServer.DuplicateKeys.ARE_STORED);
  }

  @Override
  @Deprecated // By Flink, which calls the other one; this one must still be there.
  public SinkWriter<LocatedRecord> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
