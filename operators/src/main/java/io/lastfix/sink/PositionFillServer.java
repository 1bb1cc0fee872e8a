package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the positions of records that are stored without one: first to Last Known Location, then
 * to their documents of History. The order matters. Once its document has a position, a record is
 * not found again; if the job died in between, Last Known Location would never get it.
 *
 * @param lastKnownLocation raises a user's last known location
 * @param lastKnownCollection its collection
 * @param history updates stored documents, and creates none
 */
record PositionFillServer(
    BulkServer<LocatedRecord> lastKnownLocation,
    String lastKnownCollection,
    BulkServer<LocatedRecord> history)
    implements BulkServer<LocatedRecord> {
  @Override
  public boolean isReady(String partition) {
    return lastKnownLocation.isReady(lastKnownCollection);
  }

  @Override
  public void prepare(String partition) throws BulkException {
    lastKnownLocation.prepare(lastKnownCollection);
  }

  @Override
  public BulkResult write(String partition, List<LocatedRecord> records) throws BulkException {
    requireAll(lastKnownLocation.write(lastKnownCollection, newestOfEachUser(records)));
    BulkResult filled = history.write(partition, records);
    int unchanged = records.size() - filled.updated() - filled.failures().size();
    return new BulkResult(0, filled.updated(), unchanged, 0, filled.failures());
  }

  private static List<LocatedRecord> newestOfEachUser(List<LocatedRecord> records) {
    Map<String, LocatedRecord> newest = new HashMap<>();
    for (LocatedRecord record : records) {
      newest.merge(
          record.user(), record, (a, b) -> LocatedRecordOrder.INSTANCE.compare(a, b) >= 0 ? a : b);
    }
    return new ArrayList<>(newest.values());
  }

  /** If one write failed, all are sent again: they are idempotent. */
  private static void requireAll(BulkResult result) throws BulkException {
    if (result.failures().isEmpty()) {
      return;
    }
    WriteFailure first = result.failures().get(0);
    for (WriteFailure failure : result.failures()) {
      first = failure.kind() == Kind.FATAL ? failure : first;
    }
    throw first.toException("writing to Last Known Location");
  }

  @Override
  public void close() {
    try (history) {
      lastKnownLocation.close();
    }
  }
}
