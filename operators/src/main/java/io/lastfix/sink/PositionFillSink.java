package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.Resources;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import java.util.List;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Adds positions to records that are stored without one, and raises Last Known Location: see {@link
 * PositionFillServer}. It accepts records at a known cell only.
 *
 * <p>It only updates documents of History that still have no position: it never changes one,
 * creates none, and creates no partition. All writes are idempotent. Metrics: {@link
 * BulkSinkMetrics}, where {@code updated} counts the documents that got a position, and {@code
 * stale} those that had one, or are gone.
 *
 * @param provision how Last Known Location is provisioned
 * @param locatedMillis stored as the time at which the positions were found, in milliseconds since
 *     1970-01-01T00:00:00Z
 */
public record PositionFillSink(
    MongoOptions historyMongo,
    BulkOptions bulks,
    HistoryOptions history,
    MongoOptions lastKnownLocationMongo,
    LastKnownLocationOptions lastKnownLocation,
    ProvisionMode provision,
    long locatedMillis)
    implements WriterSink<LocatedRecord> {
  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    MongoBulkServer<LocatedRecord> last =
        LastKnownLocationSink.server(
            MongoClientFactory.createForSinks(
                lastKnownLocationMongo, MongoSinks.connections(bulks)),
            lastKnownLocationMongo.database(),
            lastKnownLocation,
            provision,
            bulks.retryTimeout());
    try {
      var client = MongoClientFactory.createForSinks(historyMongo, MongoSinks.connections(bulks));
      return MongoSinks.writer(
          context,
          new HistoryBatching(history),
          new PositionFillServer(
              last,
              lastKnownLocation.collection(),
              new MongoBulkServer<>(
                  client,
                  client.getDatabase(historyMongo.database()),
                  partition -> {},
                  record -> HistoryDocumentConverter.locatedLater(record, locatedMillis),
                  MongoBulkServer.DuplicateKeys.LOST_A_RACE,
                  record -> List.of(),
                  bulks.retryTimeout())),
          bulks);
    } catch (Throwable e) {
      Resources.closeAfter(e, last);
      throw e;
    }
  }
}
