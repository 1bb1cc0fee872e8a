package io.lastfix.store.query;

import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryId;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.SightingSource.Subject;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sightings of one user or cell, or all, from History. The index on (user, ts) or (cell,
 * ts) returns a partition's records in order. If a partition has no such index, the query scans its
 * range of {@code _id}, which begins with the time. The order is the same, and nothing is sorted in
 * memory.
 *
 * @param indexes keys of the usable indexes, the most likely first; for all sightings none
 */
record HistorySightings(
    QueryServer server, String prefix, Subject subject, List<BsonDocument> indexes)
    implements SightingSource {
  /** {@code _id} begins with the time. */
  static final BsonDocument BY_ID = new BsonDocument("_id", new BsonInt32(1));

  @Override
  public List<HistoryPartition> partitions(TimeRange range) {
    return HistoryQueries.partitions(server, prefix, range);
  }

  @Override
  public Rows open(HistoryPartition partition, TimeRange range, TimeOrder order) {
    List<Statement.Find> byIndex =
        indexes.stream().map(index -> byIndex(partition, range, order, index)).toList();
    Statement.Find byId = byId(partition, range, order);
    List<Statement.Find> statements = new ArrayList<>(byIndex);
    statements.add(byId);
    StatementCursor cursor = server.runFirstPossible(statements);
    return new PartitionRows(server, cursor, byIndex.isEmpty() || !cursor.statement().equals(byId));
  }

  private Statement.Find byIndex(
      HistoryPartition partition, TimeRange range, TimeOrder order, BsonDocument index) {
    return new Statement.Find(
        partition.collection(),
        subject(timeFilter(range)),
        new BsonDocument("ts", new BsonInt32(order.direction())),
        index,
        0);
  }

  private Statement.Find byId(HistoryPartition partition, TimeRange range, TimeOrder order) {
    return new Statement.Find(
        partition.collection(),
        subject(timeFilter(partition, range)),
        new BsonDocument("_id", new BsonInt32(order.direction())),
        BY_ID,
        0);
  }

  /** The condition that a record of a partition is in the range, which {@link #BY_ID} serves. */
  static BsonDocument timeFilter(HistoryPartition partition, TimeRange range) {
    BsonDocument filter = timeFilter(range);
    filter.putAll(idFilter(partition, range));
    return filter;
  }

  /** The bounds of {@code _id} that the range sets within the period; empty if it sets none. */
  static BsonDocument idFilter(HistoryPartition partition, TimeRange range) {
    BsonDocument ids = new BsonDocument();
    // Only bounds within the period: ids from before 1970 are greater than later ones.
    if (range.from().isAfter(partition.start())) {
      ids.append("$gte", HistoryId.lowestAt(range.from().toEpochMilli()));
    }
    if (range.to().isBefore(partition.end())) {
      ids.append("$lt", HistoryId.lowestAt(range.to().toEpochMilli()));
    }
    return ids.isEmpty() ? ids : new BsonDocument("_id", ids);
  }

  private static BsonDocument timeFilter(TimeRange range) {
    return new BsonDocument(
        "ts",
        new BsonDocument("$gte", new BsonDateTime(range.from().toEpochMilli()))
            .append("$lt", new BsonDateTime(range.to().toEpochMilli())));
  }

  private BsonDocument subject(BsonDocument filter) {
    return subject.equals(Subject.ALL)
        ? filter
        : filter.append(subject.field(), new BsonString(subject.value()));
  }

  private record PartitionRows(QueryServer server, StatementCursor cursor, boolean byIndex)
      implements Rows {
    @Override
    public @Nullable Row next() {
      return cursor.hasNext() ? row(cursor.next()) : null;
    }

    private Row row(Document document) {
      if (!(document.get("_id") instanceof Binary id)) {
        throw new IllegalStateException(
            "%s contains a document with an _id that Lastfix does not use: run lastfix audit to find it"
                .formatted(cursor.statement().collection()));
      }
      Sighting sighting = SightingDocuments.ofHistory(document);
      return new Row(
          new RecordPosition(
              sighting.timestamp().toEpochMilli(), new BsonBinary(id.getType(), id.getData())),
          sighting);
    }

    @Override
    public QueryPlan explain(int returned) {
      return server.explain(cursor.statement().withLimit(Math.max(1, returned)));
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
