package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.model.LocatedRecord;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Keeps, for each user, the located record with the greatest (ts, cell): newest wins inside the
 * server, whatever order the records come in.
 *
 * <p>Records of one user that wait in the same buffer become one write, so key the stream by user
 * before it. Takes located records only; one that is not fails the job. See {@link
 * LastKnownLocationConverter} for the documents, {@link BulkSinkMetrics} for the metrics.
 */
public final class LastKnownLocationSink implements Sink<LocatedRecord> {
  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final LastKnownLocationOptions lastKnownLocation;

  public LastKnownLocationSink(
      MongoOptions mongo, BulkOptions bulks, LastKnownLocationOptions lastKnownLocation) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.lastKnownLocation = Objects.requireNonNull(lastKnownLocation, "lastKnownLocation");
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    return MongoSinks.writer(
        context,
        new LastKnownLocationBatching(lastKnownLocation),
        server(MongoClientFactory.create(mongo, bulks.maxBulksInFlight()), mongo.database()),
        bulks);
  }

  static MongoBulkServer<LocatedRecord> server(MongoClient client, String databaseName) {
    MongoDatabase database = client.getDatabase(databaseName);
    return new MongoBulkServer<>(
        client,
        database,
        new UnshardedProvisioner(database, List.of()),
        new LastKnownLocationConverter(),
        MongoBulkServer.DuplicateKeys.LOST_A_RACE);
  }

  @Override
  @Deprecated // By Flink, which calls the other one; this one must still be there.
  public SinkWriter<LocatedRecord> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
