package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Keeps, for each user, the located record with the greatest (ts, cell). The server itself decides
 * which is newest, whatever the order of arrival.
 *
 * <p>Waiting records of one user become one write, so key the stream by user before this sink. It
 * accepts located records only; any other record fails the job. See {@link
 * LastKnownLocationConverter} for the documents, {@link BulkSinkMetrics} for the metrics.
 */
public final class LastKnownLocationSink implements WriterSink<LocatedRecord> {
  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final LastKnownLocationOptions lastKnownLocation;
  private final ProvisionMode provision;

  public LastKnownLocationSink(
      MongoOptions mongo,
      BulkOptions bulks,
      LastKnownLocationOptions lastKnownLocation,
      ProvisionMode provision) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.lastKnownLocation = Objects.requireNonNull(lastKnownLocation, "lastKnownLocation");
    this.provision = Objects.requireNonNull(provision, "provision");
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    return MongoSinks.writer(
        context,
        new LastKnownLocationBatching(lastKnownLocation),
        server(
            MongoClientFactory.createForSinks(mongo, MongoSinks.connections(bulks)),
            mongo.database(),
            lastKnownLocation,
            provision,
            bulks.retryTimeout()),
        bulks);
  }

  static MongoBulkServer<LocatedRecord> server(
      MongoClient client,
      String database,
      LastKnownLocationOptions lastKnownLocation,
      ProvisionMode provision,
      Duration concernLimit) {
    Provisioner provisioner = new Provisioner(client, database);
    return new MongoBulkServer<>(
        client,
        client.getDatabase(database),
        collection -> provisioner.ensure(lastKnownLocation.description(), provision),
        new LastKnownLocationConverter(),
        MongoBulkServer.DuplicateKeys.LOST_A_RACE,
        record -> List.of(),
        concernLimit);
  }
}
