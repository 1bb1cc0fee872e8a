package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import java.time.Duration;
import java.util.List;
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
public record LastKnownLocationSink(
    MongoOptions mongo,
    BulkOptions bulks,
    LastKnownLocationOptions lastKnownLocation,
    ProvisionMode provision)
    implements WriterSink<LocatedRecord> {
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

  /**
   * Each user has at most two waiting writes: the newest of the user's waiting records at a cell,
   * and the newest with a position of its own. A newer tower must not remove the fix that waits.
   */
  record LastKnownLocationBatching(LastKnownLocationOptions options)
      implements RecordBatching<LocatedRecord> {
    /**
     * Everything but the user: operators, field names, lengths, and twice the date, the longest
     * text of a cell, coordinates, source and accuracy.
     */
    private static final int MAX_BYTES_WITHOUT_USER = 460;

    /** Maximum number of bytes of a char in UTF-8. */
    private static final int MAX_BYTES_PER_CHAR = 3;

    /** Key of the records with a position of their own. */
    private record FixOf(String user) {}

    @Override
    public String collection(LocatedRecord record) {
      if (!record.isLocated()) {
        throw new IllegalArgumentException(
            "Last Known Location takes located records only: filter by isLocated()");
      }
      return options.collection();
    }

    @Override
    public int maxEncodedBytes(LocatedRecord record) {
      return MAX_BYTES_WITHOUT_USER + MAX_BYTES_PER_CHAR * record.user().length();
    }

    @Override
    public Object coalescingKey(LocatedRecord record) {
      return record.hasOwnPosition() ? new FixOf(record.user()) : record.user();
    }

    @Override
    public boolean supersedes(LocatedRecord record, LocatedRecord other) {
      return LocatedRecordOrder.INSTANCE.compare(record, other) > 0;
    }
  }
}
