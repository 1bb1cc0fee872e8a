package io.lastfix.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.MongoInterruptedException;
import io.lastfix.console.query.LocationStore;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.HistoryQueries.Visitor;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries.GridCount;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateRecords;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A store with one device in San Francisco. */
final class FakeStore implements LocationStore {
  static final String USER = "350000000007919";
  static final Instant SEEN = Instant.parse("2026-11-20T12:00:00Z");
  static final Sighting SIGHTING =
      new Sighting(
          USER,
          SEEN,
          "311-480-1-2",
          new Position(-122.4, 37.8),
          PositionSource.GNSS,
          6.5,
          null,
          null,
          false,
          null);

  volatile Optional<String> problem = Optional.empty();
  volatile @Nullable RuntimeException failure;
  volatile @Nullable CountDownLatch hold;
  volatile boolean hasCounts = true;

  /** How many queries began, and how many of them an interrupt ended. */
  final AtomicInteger begun = new AtomicInteger();

  final AtomicInteger interrupted = new AtomicInteger();

  /** How many are in any area. */
  volatile int devices = 1;

  private void answer() {
    CountDownLatch latch = hold;
    begun.incrementAndGet();
    if (latch != null) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
        throw new MongoInterruptedException("as the driver", e);
      }
    }
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
  }

  @Override
  public Optional<LastKnownLocation> where(String user) {
    answer();
    return user.equals(USER)
        ? Optional.of(new LastKnownLocation(SIGHTING, SIGHTING))
        : Optional.empty();
  }

  @Override
  public Page history(String user, TimeRange range, TimeOrder order, int limit) {
    return new Page(List.of(SIGHTING), order == TimeOrder.OLDEST_FIRST ? "next" : null);
  }

  @Override
  public Page history(String user, String token, int limit) {
    if (!token.equals("next")) {
      throw new IllegalArgumentException("token");
    }
    return new Page(List.of(), null);
  }

  @Override
  public QueryResult<Sighting> within(
      Polygon area, boolean own, @Nullable Instant since, int limit) {
    answer();
    List<Sighting> found =
        IntStream.range(0, devices)
            .mapToObj(
                i ->
                    i == 0
                        ? SIGHTING
                        : new Sighting(USER + i, SEEN, "311-480-1-2", SIGHTING.position()))
            .toList();
    return new QueryResult<>(found, false, Optional.empty());
  }

  @Override
  public QueryResult<Neighbour> near(
      Position place, double radiusMeters, boolean own, @Nullable Instant since, int limit) {
    return new QueryResult<>(List.of(new Neighbour(SIGHTING, 12.5)), true, Optional.empty());
  }

  @Override
  public QueryResult<GridCount> grid(
      Grid grid, List<Polygon> areas, boolean own, @Nullable Instant since) {
    return new QueryResult<>(
        List.of(new GridCount(2, 3, 41, SEEN), new GridCount(0, 0, 1, SEEN)),
        false,
        Optional.empty());
  }

  @Override
  public List<Visitor> visitors(Polygon area, TimeRange range, int limit) {
    if (range.from().isAfter(SEEN)) {
      throw new IllegalArgumentException("polygon: MongoDB rejects it: edges cross");
    }
    List<Visitor> all = List.of(new Visitor(USER, 3, SEEN, SEEN), new Visitor("y", 1, SEEN, SEEN));
    return all.subList(0, Math.min(limit, all.size()));
  }

  @Override
  public Optional<TimeRange> countedRange(
      @Nullable Instant from, @Nullable Instant to, Duration span) {
    return hasCounts ? Optional.of(new TimeRange(SEEN, SEEN.plus(span))) : Optional.empty();
  }

  @Override
  public CountQueries.Sums countSums(TimeRange range, CountBy by, @Nullable String key, int limit) {
    Completeness windows = new Completeness(2, 1, 0, 0, Optional.of(SEEN));
    return new CountQueries.Sums(
        List.of(new CountQueries.GroupSum("311-480-1-2", 7, windows)), false, windows);
  }

  @Override
  public CountQueries.Windows countWindows(
      TimeRange range, CountBy by, @Nullable String key, int limit) {
    return new CountQueries.Windows(
        List.of(
            new WindowCount(
                SEEN.toEpochMilli(), by, "311-480-1-2", 7, WindowCount.State.CLOSED, 1)),
        true);
  }

  @Override
  public Completeness countCompleteness(
      TimeRange range, CountBy by, @Nullable String key, CountQueries.Windows read) {
    return new Completeness(3, 1, 1, 0, Optional.of(SEEN));
  }

  @Override
  public LateRecords late(NumberKind kind, TimeRange range) {
    return new LateRecords(5, range.from(), range.from().plus(Duration.ofHours(1)), range.from());
  }

  @Override
  public Optional<TimeRange> resultRange(
      NumberKind kind,
      @Nullable Instant from,
      @Nullable Instant to,
      Duration span,
      @Nullable String user) {
    return hasCounts
        ? Optional.of(new TimeRange(from == null ? SEEN : from, to == null ? SEEN.plus(span) : to))
        : Optional.empty();
  }

  @Override
  public Results results(
      NumberKind kind, TimeRange range, PlaceKind by, @Nullable String user, int limit) {
    Document id = new Document("by", by.text());
    Document result = new Document("_id", id).append("state", "closed");
    switch (kind) {
      case FLOWS -> {
        id.append("w", Date.from(SEEN)).append("from", "808f7e").append("to", "808f7c");
        result.append("withheld", true);
      }
      case STAYS -> {
        id.append("user", user).append("begin", Date.from(SEEN));
        result.append("k", "808f7e").append("end", Date.from(SEEN)).append("ended", "left");
      }
      case TRIPS -> {
        id.append("user", user).append("begin", Date.from(SEEN));
        result.append("from", "808f7e").append("to", "808f7c").append("via", 3);
      }
      default -> {
        id.append("w", Date.from(SEEN)).append("k", "808f7e");
        result.append("n", 17);
      }
    }
    List<Document> two = List.of(result, result);
    return new Results(
        two.subList(0, Math.min(limit, two.size())),
        new Completeness(2, 0, 1, 1, Optional.of(SEEN)));
  }

  @Override
  public Optional<Instant> newestDensity() {
    return hasCounts ? Optional.of(SEEN) : Optional.empty();
  }

  @Override
  public Results density(Instant at, Duration lookBack, PlaceKind by, int limit) {
    return results(NumberKind.DENSITY, TimeRange.ALL, by, null, limit);
  }

  @Override
  public Optional<String> problem() {
    return problem;
  }

  @Override
  public ObjectNode health() {
    answer();
    return JsonNodeFactory.instance.objectNode().put("devices", 1).put("partitions", 1);
  }

  @Override
  public ObjectNode lastAudit(String job) {
    return JsonNodeFactory.instance.objectNode().put("job", job);
  }

  @Override
  public void close() {}
}
