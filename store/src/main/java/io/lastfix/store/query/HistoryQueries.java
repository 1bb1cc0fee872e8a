package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import io.lastfix.model.CellId;
import io.lastfix.store.history.HistoryPartition;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Asks History: where a device was, and who was in a cell, over time. Only the partitions are asked
 * that can hold the range.
 *
 * <p>Thread-safe; the cursors it returns are not.
 */
public final class HistoryQueries {
  /** The one of every partition, and the shard key's where users are hashed. */
  private static final List<BsonDocument> USER_INDEXES =
      List.of(
          new BsonDocument("user", new BsonInt32(1)).append("ts", new BsonInt32(1)),
          new BsonDocument("user", new BsonString("hashed")).append("ts", new BsonInt32(1)));

  private static final List<BsonDocument> CELL_INDEXES = List.of(OptionalIndex.HISTORY_CELL.key());

  private final QueryServer server;
  private final String prefix;

  /**
   * Over a database whose client the caller closes.
   *
   * @param prefix what the collections' names begin with
   */
  public HistoryQueries(MongoDatabase database, String prefix, QueryOptions options) {
    this.server = new QueryServer(database, options);
    this.prefix = prefix;
  }

  /** Where a device was. */
  public SightingCursor history(String user, TimeRange range, TimeOrder order) {
    Subject subject = Subject.user(user);
    return new SightingCursor(source(subject, USER_INDEXES), subject, range, order);
  }

  /**
   * Goes on with where a device was.
   *
   * @param token of {@link SightingCursor#token()}, of the same user
   * @throws IllegalArgumentException if it is not that
   */
  public SightingCursor history(String user, String token) {
    Subject subject = Subject.user(user);
    return new SightingCursor(
        source(subject, USER_INDEXES), subject, PageToken.decode(token, subject));
  }

  /** Who was in a cell, sighting by sighting. Fast with {@link OptionalIndex#HISTORY_CELL}. */
  public SightingCursor during(CellId cell, TimeRange range, TimeOrder order) {
    Subject subject = Subject.cell(cell);
    return new SightingCursor(source(subject, CELL_INDEXES), subject, range, order);
  }

  /**
   * Goes on with who was in a cell.
   *
   * @param token of {@link SightingCursor#token()}, of the same cell
   * @throws IllegalArgumentException if it is not that
   */
  public SightingCursor during(CellId cell, String token) {
    Subject subject = Subject.cell(cell);
    return new SightingCursor(
        source(subject, CELL_INDEXES), subject, PageToken.decode(token, subject));
  }

  private SightingSource source(Subject subject, List<BsonDocument> indexes) {
    return new HistorySightings(server, prefix, subject, indexes);
  }

  /** The partitions there are that can hold anything of that range, by their names. */
  public List<HistoryPartition> partitions(TimeRange range) {
    return partitions(server, prefix, range);
  }

  static List<HistoryPartition> partitions(QueryServer server, String prefix, TimeRange range) {
    return server.collections(prefix + "_").stream()
        .map(collection -> HistoryPartition.parse(prefix, collection))
        .flatMap(Optional::stream)
        .filter(partition -> partition.overlaps(range.from(), range.to()))
        .sorted(Comparator.comparing(HistoryPartition::collection))
        .toList();
  }

  /** How many records all partitions hold, counted one by one. */
  public long count() {
    return partitions(TimeRange.ALL).stream()
        .mapToLong(partition -> server.count(partition.collection()))
        .sum();
  }
}
