package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.Indexes;
import io.lastfix.model.LocatedRecord;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Stores every record once, in the collection of its period, located or not. A replay is a no-op.
 *
 * <p>A period's collection is made, with an index on (user, ts), before its first insert. Delivers
 * at least once, and since writes are idempotent, the result is exactly once. See {@link
 * HistoryDocumentConverter} for the documents, {@link BulkSinkMetrics} for the metrics.
 */
public final class HistorySink implements Sink<LocatedRecord> {
  private static final List<IndexModel> INDEXES =
      List.of(new IndexModel(Indexes.ascending("user", "ts")));

  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final HistoryOptions history;

  public HistorySink(MongoOptions mongo, BulkOptions bulks, HistoryOptions history) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.history = Objects.requireNonNull(history, "history");
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    return MongoSinks.writer(
        context,
        new HistoryBatching(history),
        server(MongoClientFactory.create(mongo, bulks.maxBulksInFlight()), mongo.database()),
        bulks);
  }

  static MongoBulkServer<LocatedRecord> server(MongoClient client, String databaseName) {
    MongoDatabase database = client.getDatabase(databaseName);
    return new MongoBulkServer<>(
        client,
        database,
        new UnshardedProvisioner(database, INDEXES),
        new HistoryDocumentConverter(),
        MongoBulkServer.DuplicateKeys.ARE_STORED);
  }

  @Override
  @Deprecated // By Flink, which calls the other one; this one must still be there.
  public SinkWriter<LocatedRecord> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
