package io.lastfix.console.query;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.console.config.ConsoleConfig;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.store.audit.AuditResult;
import io.lastfix.store.audit.AuditResults;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.erasure.UserNames;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.HistoryQueries.Visitor;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.LastKnownLocationQueries.GridCount;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.NewestPosition;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateQueries;
import io.lastfix.store.query.numbers.LateRecords;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Reads the collections of a job. An interrupt of the thread ends a query, also in MongoDB. */
public final class MongoLocationStore implements LocationStore {
  /** One for each thread that queries, and some for the driver. */
  private static final int CONNECTIONS = 12;

  /** For a grid, up to this number of devices are read without the index. */
  private static final long MOST_READ = 200_000;

  /** A request waits no longer for a server than a reader would. */
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  private final List<MongoClient> clients = new ArrayList<>();
  private final ConsoleConfig config;
  private final MongoDatabase database;
  private final HistoryQueries history;
  private final LastKnownLocationQueries lastKnownLocation;
  private final CountQueries counts;
  private final ResultQueries results;
  private final LateQueries late;

  /**
   * Connects.
   *
   * @throws MongoAccessException if a server rejects the user or does not answer; says what to do
   */
  public MongoLocationStore(ConsoleConfig config) throws MongoAccessException {
    this.config = config;
    QueryOptions options = QueryOptions.within(config.queryLimit());
    MongoOptions historyMongo = config.historyMongo();
    MongoOptions lastKnownMongo = config.lastKnownLocationMongo();
    MongoClient client = connect(historyMongo);
    database = client.getDatabase(historyMongo.database());
    history = new HistoryQueries(database, config.historyPrefix(), options);
    counts = new CountQueries(database, config.countsPrefix(), options);
    results = new ResultQueries(database, MongoLocationStore::collections, options);
    late = new LateQueries(database, options);
    MongoClient other =
        lastKnownMongo.uri().equals(historyMongo.uri()) ? client : connect(lastKnownMongo);
    lastKnownLocation =
        new LastKnownLocationQueries(
            other.getDatabase(lastKnownMongo.database()),
            config.lastKnownLocationCollection(),
            options);
  }

  private MongoClient connect(MongoOptions mongo) throws MongoAccessException {
    try {
      MongoClient client =
          MongoClientFactory.connectInterruptibly(
              mongo
                  .withApplicationName("lastfix-console")
                  .withTimeouts(
                      CONNECT_LIMIT, CONNECT_LIMIT, config.queryLimit().plus(CONNECT_LIMIT)),
              CONNECTIONS);
      clients.add(client);
      return client;
    } catch (MongoAccessException e) {
      close();
      throw e;
    }
  }

  /** Queries name no period: they find the collections by their prefix. */
  private static NumberCollections collections(NumberKind kind) {
    return NumberCollections.of(kind, PartitionPeriod.MONTH);
  }

  /** The mapping is not thread-safe, so each query has its own. */
  private String storedAs(String user) {
    return UserNames.of(config.pseudonymKey()).storedAs(user);
  }

  @Override
  public Optional<LastKnownLocation> where(String user) {
    return lastKnownLocation.where(storedAs(user));
  }

  @Override
  public Page history(String user, TimeRange range, TimeOrder order, int limit) {
    return page(history.history(storedAs(user), range, order), limit);
  }

  @Override
  public Page history(String user, String token, int limit) {
    return page(history.history(storedAs(user), token), limit);
  }

  private static Page page(SightingCursor cursor, int limit) {
    try (cursor) {
      List<Sighting> sightings = new ArrayList<>();
      while (sightings.size() < limit && cursor.hasNext()) {
        sightings.add(cursor.next());
      }
      String next = cursor.hasNext() ? cursor.token() : null;
      if (cursor.order() == TimeOrder.NEWEST_FIRST) {
        Collections.reverse(sightings);
      }
      return new Page(sightings, next);
    }
  }

  @Override
  public QueryResult<Sighting> within(
      Polygon area, boolean own, @Nullable Instant since, int limit) {
    return since(since).within(NewestPosition.of(own), area).run(limit);
  }

  @Override
  public QueryResult<Neighbour> near(
      Position place, double radiusMeters, boolean own, @Nullable Instant since, int limit) {
    return since(since).near(NewestPosition.of(own), place, radiusMeters).run(limit);
  }

  @Override
  public QueryResult<GridCount> grid(
      Grid grid, List<Polygon> areas, boolean own, @Nullable Instant since) {
    // The index costs four times as much for each device that it finds as reading all of them. It
    // does not help with a third of the earth and more either, which takes several polygons.
    boolean isByIndex = areas.size() == 1 && lastKnownLocation.estimate() > MOST_READ;
    Polygon area = isByIndex ? areas.get(0) : null;
    return since(since).grid(NewestPosition.of(own), grid, area).run(Grid.MOST * Grid.MOST);
  }

  @Override
  public List<Visitor> visitors(Polygon area, TimeRange range, int limit) {
    return history.visitors(area, range, limit);
  }

  private LastKnownLocationQueries since(@Nullable Instant since) {
    return since == null ? lastKnownLocation : lastKnownLocation.since(since);
  }

  @Override
  public Optional<TimeRange> countedRange(
      @Nullable Instant from, @Nullable Instant to, Duration span) {
    return counts.range(from, to, span);
  }

  @Override
  public CountQueries.Sums countSums(TimeRange range, CountBy by, @Nullable String key, int limit) {
    return counts.sums(range, by, key, limit);
  }

  @Override
  public CountQueries.Windows countWindows(
      TimeRange range, CountBy by, @Nullable String key, int limit) {
    return counts.windows(range, by, key, limit);
  }

  @Override
  public Completeness countCompleteness(
      TimeRange range, CountBy by, @Nullable String key, CountQueries.Windows read) {
    return counts.completeness(range, by, key, read);
  }

  @Override
  public LateRecords late(NumberKind kind, TimeRange range) {
    return late.read(kind, range);
  }

  @Override
  public Optional<TimeRange> resultRange(
      NumberKind kind,
      @Nullable Instant from,
      @Nullable Instant to,
      Duration span,
      @Nullable String user) {
    return results.range(kind, from, to, span, user == null ? null : storedAs(user));
  }

  @Override
  public Results results(
      NumberKind kind, TimeRange range, PlaceKind by, @Nullable String user, int limit) {
    Selection selection =
        new Selection(kind, range, by, user == null ? null : storedAs(user), null);
    return new Results(results.read(selection, limit), results.completeness(selection));
  }

  @Override
  public Optional<Instant> newestDensity() {
    return results.newestDensity();
  }

  @Override
  public Results density(Instant at, Duration lookBack, PlaceKind by, int limit) {
    List<Document> occupied = results.occupied(at, lookBack, by, null);
    return new Results(
        occupied.subList(0, Math.min(limit, occupied.size())), Completeness.of(occupied));
  }

  @Override
  public Optional<String> problem() {
    try {
      database.runCommand(new Document("ping", 1), ReadPreference.nearest());
      return Optional.empty();
    } catch (MongoException e) {
      return Optional.of("MongoDB does not answer");
    }
  }

  @Override
  public ObjectNode health() {
    return JsonNodeFactory.instance
        .objectNode()
        .put(
            "lastKnownLocation",
            config.lastKnownLocationMongo().database() + "." + config.lastKnownLocationCollection())
        .put("history", config.historyMongo().database() + "." + config.historyPrefix() + "_*")
        .put("devices", lastKnownLocation.estimate())
        .put("partitions", history.partitions(TimeRange.ALL).size());
  }

  @Override
  public ObjectNode lastAudit(String job) {
    return new AuditResults(database, config.queryLimit())
        .last(job)
        .map(AuditResult::toJson)
        .orElseGet(() -> JsonNodeFactory.instance.objectNode().put("job", job));
  }

  @Override
  public void close() {
    clients.forEach(MongoClient::close);
  }
}
