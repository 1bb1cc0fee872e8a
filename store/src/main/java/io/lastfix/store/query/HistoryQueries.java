package io.lastfix.store.query;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Sorts;
import io.lastfix.model.CellId;
import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.SightingSource.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Queries History: where a device was over time, and which devices were in a cell. It reads only
 * the partitions that can contain the range.
 *
 * <p>Thread-safe; the cursors it returns are not.
 */
public record HistoryQueries(QueryServer server, String prefix) {
  /** The index of every partition, and the shard key's index if users are hashed. */
  private static final List<BsonDocument> USER_INDEXES =
      List.of(
          new BsonDocument("user", new BsonInt32(1)).append("ts", new BsonInt32(1)),
          new BsonDocument("user", new BsonString("hashed")).append("ts", new BsonInt32(1)));

  private static final List<BsonDocument> CELL_INDEXES = List.of(OptionalIndex.HISTORY_CELL.key());

  /** Sightings of one query of {@link #forEach}, which the server returns within about a second. */
  private static final int PAGE = 100_000;

  /**
   * Queries a database whose client the caller closes.
   *
   * @param prefix prefix of the collections' names
   */
  public HistoryQueries(MongoDatabase database, String prefix, QueryOptions options) {
    this(new QueryServer(database, options), prefix);
  }

  /** Returns where a device was. */
  public SightingCursor history(String user, TimeRange range, TimeOrder order) {
    Subject subject = Subject.user(user);
    return new SightingCursor(source(subject, USER_INDEXES), subject, range, order);
  }

  /**
   * Continues a query of where a device was.
   *
   * @param token token from {@link SightingCursor#token()} for the same user
   * @throws IllegalArgumentException if it is not such a token
   */
  public SightingCursor history(String user, String token) {
    Subject subject = Subject.user(user);
    return new SightingCursor(
        source(subject, USER_INDEXES), subject, PageToken.decode(token, subject));
  }

  /** Returns the sightings in a cell. Fast with {@link OptionalIndex#HISTORY_CELL}. */
  public SightingCursor during(CellId cell, TimeRange range, TimeOrder order) {
    Subject subject = Subject.cell(cell);
    return new SightingCursor(source(subject, CELL_INDEXES), subject, range, order);
  }

  /**
   * Continues a query of the sightings in a cell.
   *
   * @param token token from {@link SightingCursor#token()} for the same cell
   * @throws IllegalArgumentException if it is not such a token
   */
  public SightingCursor during(CellId cell, String token) {
    Subject subject = Subject.cell(cell);
    return new SightingCursor(
        source(subject, CELL_INDEXES), subject, PageToken.decode(token, subject));
  }

  /**
   * Returns the sightings of all devices, in the order of {@code _id}, which begins with the time.
   */
  public SightingCursor during(TimeRange range, TimeOrder order) {
    return new SightingCursor(source(Subject.ALL, List.of()), Subject.ALL, range, order);
  }

  /**
   * Continues a query of the sightings of all devices.
   *
   * @param token token from {@link SightingCursor#token()} of such a query
   * @throws IllegalArgumentException if it is not such a token
   */
  public SightingCursor during(String token) {
    return new SightingCursor(
        source(Subject.ALL, List.of()), Subject.ALL, PageToken.decode(token, Subject.ALL));
  }

  /**
   * Passes on where a device was, or all devices were, oldest first, until a sighting is refused.
   * It takes any number of queries, each within the time limit.
   *
   * @param user null: all devices; the order within one timestamp is that of {@code _id}
   */
  public void forEach(@Nullable String user, TimeRange range, Predicate<Sighting> target) {
    Subject subject = user == null ? Subject.ALL : Subject.user(user);
    SightingSource source = source(subject, user == null ? List.of() : USER_INDEXES);
    SightingCursor.forEach(source, subject, range, PAGE, target);
  }

  /**
   * Returns the devices with a record in an area, by name. No index has this answer: the server
   * reads all records of that time, of one partition after the other.
   *
   * @param limit how many at most, 1 or more
   * @throws QueryTimeLimitException if the server takes too long
   * @throws IllegalArgumentException if the server finds that edges of the polygon cross
   */
  public List<Visitor> visitors(Polygon area, TimeRange range, int limit) {
    TreeMap<String, Visitor> found = new TreeMap<>();
    for (HistoryPartition partition : partitions(range)) {
      BsonDocument filter =
          HistorySightings.timeFilter(partition, range).append("loc", area.within());
      Statement statement =
          new Statement.Aggregation(
              partition.collection(),
              List.of(
                  Aggregates.match(filter),
                  Aggregates.group(
                      "$user",
                      Accumulators.sum("n", 1L),
                      Accumulators.min("first", "$ts"),
                      Accumulators.max("last", "$ts")),
                  Aggregates.sort(Sorts.ascending("_id"))),
              HistorySightings.BY_ID,
              limit);
      try {
        server.each(
            statement,
            document ->
                found.merge(
                    document.getString("_id"),
                    new Visitor(
                        document.getString("_id"),
                        document.getLong("n"),
                        document.getDate("first").toInstant(),
                        document.getDate("last").toInstant()),
                    Visitor::plus));
      } catch (MongoException e) {
        throw PlaceQuery.ofPolygon(e);
      }
    }
    return found.values().stream().limit(limit).toList();
  }

  private SightingSource source(Subject subject, List<BsonDocument> indexes) {
    return new HistorySightings(server, prefix, subject, indexes);
  }

  /** Returns the existing partitions that can contain records of the range. */
  public List<HistoryPartition> partitions(TimeRange range) {
    return partitions(server, prefix, range);
  }

  static List<HistoryPartition> partitions(QueryServer server, String prefix, TimeRange range) {
    return HistoryPartition.parseAll(prefix, server.collections(prefix + "_")).stream()
        .filter(partition -> partition.overlaps(range.from(), range.to()))
        .toList();
  }

  /**
   * Returns the time from the first to the last record of a range; empty if there is none, or if
   * the first or the last document is no record.
   *
   * @param partitions from old to new
   */
  public Optional<TimeRange> stored(List<HistoryPartition> partitions, TimeRange range) {
    Optional<Instant> first = edge(partitions, range, Sorts.ascending("_id"));
    List<HistoryPartition> newestFirst = new ArrayList<>(partitions);
    Collections.reverse(newestFirst);
    Optional<Instant> last = edge(newestFirst, range, Sorts.descending("_id"));
    return first.isPresent() && last.isPresent() && !last.get().isBefore(first.get())
        ? Optional.of(new TimeRange(first.get(), last.get().plusMillis(1)))
        : Optional.empty();
  }

  /** Returns the time of the first record in the order of {@code _id} or against it. */
  private Optional<Instant> edge(List<HistoryPartition> partitions, TimeRange range, Bson order) {
    for (HistoryPartition partition : partitions) {
      BsonDocument document =
          server.first(partition.collection(), HistorySightings.idFilter(partition, range), order);
      if (document != null) {
        return document.get("ts") instanceof BsonDateTime time
            ? Optional.of(Instant.ofEpochMilli(time.getValue()))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Counts the records of all partitions, one by one. */
  public long count() {
    return partitions(TimeRange.ALL).stream()
        .mapToLong(partition -> server.count(partition.collection()))
        .sum();
  }

  /**
   * Returns the oldest of these partitions that may have a record without a position; empty if none
   * has one. No index has this answer, so the server may read all records.
   *
   * @param partitions from old to new
   * @param limit time limit of all queries together; the partition that it ends at counts as having
   *     such a record
   */
  public Optional<HistoryPartition> oldestUnlocated(
      List<HistoryPartition> partitions, Duration limit) {
    Instant end = Instant.now().plus(limit);
    BsonDocument lacksPosition =
        new BsonDocument("loc", new BsonDocument("$exists", BsonBoolean.FALSE));
    for (HistoryPartition partition : partitions) {
      try {
        if (!Instant.now().isBefore(end) || server.hasAny(partition.collection(), lacksPosition)) {
          return Optional.of(partition);
        }
      } catch (QueryTimeLimitException e) {
        return Optional.of(partition);
      }
    }
    return Optional.empty();
  }

  /**
   * A device that was in an area.
   *
   * @param user its user, as stored
   * @param records how many records it has there
   * @param first the timestamp of the first
   * @param last the timestamp of the last
   */
  public record Visitor(String user, long records, Instant first, Instant last) {
    Visitor plus(Visitor other) {
      return new Visitor(
          user,
          records + other.records,
          first.isBefore(other.first) ? first : other.first,
          last.isAfter(other.last) ? last : other.last);
    }
  }
}
