package io.lastfix.operate.analysis;

import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;

/**
 * Keeps the density around a range as it was, while the range is computed again.
 *
 * <p>Density is stored only where it changes, so each number holds until the next document of its
 * place. Without anchors, a number of the stream would hold on into the range, and one of History
 * beyond its end. An anchor is a document that repeats a number. In the range's first window it
 * marks a place as empty, if History found no device where the stream had some. In the first window
 * after the range, it is the number that was there before. A document that another job has stored
 * there wins.
 *
 * <p>The anchors of the end are written before anything is removed, so they are there if the
 * analysis fails. Those that the new numbers make superfluous are removed after it.
 */
public final class DensityAnchors {
  /** How far back a number is looked for. */
  public static final Duration LOOK_BACK = Duration.ofHours(24);

  /** One statement reads so much: a longer time could take longer than the client waits. */
  private static final Duration STEP = Duration.ofHours(1);

  private static final int MAX_WRITES = 1_000;
  private static final Duration WINDOW = Duration.ofMillis(WindowCount.WINDOW_MILLIS);

  private final MongoDatabase database;
  private final NumberCollections collections;
  private final TimeRange range;
  private final boolean hasEnd;
  private final Document empty;
  private final ResultQueries queries;

  private Map<Place, Document> occupiedBefore = Map.of();
  private Map<Place, Document> levelsAtEnd = Map.of();
  private Set<Place> anchored = Set.of();

  private record Place(PlaceKind by, String name) {}

  /**
   * @param range the windows that are computed again
   * @param now the window that contains it has no anchor: its numbers are not known yet
   * @param minimumGroup fewer devices are withheld, also none
   */
  public DensityAnchors(
      MongoDatabase database,
      NumberCollections collections,
      TimeRange range,
      Instant now,
      int minimumGroup,
      Duration timeLimit) {
    this.database = database;
    this.collections = collections;
    this.range = range;
    this.hasEnd = range.to().isBefore(CountQueries.windowOf(now));
    this.empty = minimumGroup > 0 ? new Document("withheld", true) : new Document("n", 0);
    // A secondary could still show what is removed.
    this.queries =
        new ResultQueries(
            database, kind -> collections, new QueryOptions(timeLimit, "primary", null));
  }

  /** Keeps the numbers around the range; before any of the range is removed. */
  public void begin() {
    occupiedBefore = levels(range.from(), LOOK_BACK);
    occupiedBefore.values().removeIf(empty::equals);
    if (hasEnd) {
      levelsAtEnd = levels(range.to(), LOOK_BACK);
      anchored = insert(range.to(), levelsAtEnd);
    }
  }

  /** Adds what is missing, and removes what is superfluous; after the range is complete. */
  public void end() {
    Map<Place, Document> emptied = new HashMap<>(occupiedBefore);
    emptied.keySet().removeAll(levels(range.from().plus(WINDOW), WINDOW).keySet());
    emptied.replaceAll((place, level) -> empty);
    insert(range.from(), emptied);
    if (!hasEnd) {
      return;
    }
    Map<Place, Document> found = levels(range.to(), LOOK_BACK);
    Map<Place, Document> unknownBefore = new HashMap<>(found);
    unknownBefore.keySet().removeAll(levelsAtEnd.keySet());
    unknownBefore.values().removeIf(empty::equals);
    unknownBefore.replaceAll((place, level) -> empty);
    insert(range.to(), unknownBefore);
    Map<Place, Document> superfluous = new HashMap<>(levelsAtEnd);
    superfluous.keySet().retainAll(anchored);
    superfluous
        .entrySet()
        .removeIf(it -> !it.getValue().equals(found.getOrDefault(it.getKey(), empty)));
    remove(range.to(), superfluous);
  }

  /** Returns the last number of each place before the instant, as the fields of its document. */
  private Map<Place, Document> levels(Instant at, Duration lookBack) {
    Map<Place, Document> levels = new HashMap<>();
    Duration step = lookBack.compareTo(STEP) < 0 ? lookBack : STEP;
    for (PlaceKind by : PlaceKind.values()) {
      Instant end = at;
      for (long i = lookBack.dividedBy(step); i > 0; i--) {
        for (Document document : queries.levels(end, step, by, null)) {
          levels.putIfAbsent(
              new Place(by, document.get("_id", Document.class).getString("k")), level(document));
        }
        end = end.minus(step);
      }
    }
    return levels;
  }

  private Document level(Document document) {
    Integer devices = document.getInteger("n");
    if (devices == null) {
      return new Document("withheld", true);
    }
    return devices == 0 ? empty : new Document("n", devices);
  }

  /** Inserts documents unless there are others; returns the places of those inserted. */
  private Set<Place> insert(Instant window, Map<Place, Document> levels) {
    List<Place> places = List.copyOf(levels.keySet());
    List<WriteModel<Document>> writes = new ArrayList<>();
    for (Place place : places) {
      Document fields = anchor(levels.getOrDefault(place, empty));
      writes.add(
          new UpdateOneModel<>(
              new Document("_id", id(window, place)),
              new Document("$setOnInsert", fields),
              new UpdateOptions().upsert(true)));
    }
    Set<Place> inserted = new HashSet<>();
    for (int first = 0; first < writes.size(); first += MAX_WRITES) {
      for (BulkWriteUpsert upsert : write(window, writes, first)) {
        inserted.add(places.get(first + upsert.getIndex()));
      }
    }
    return inserted;
  }

  /** Removes anchors, but no document that another job has stored in their place. */
  private void remove(Instant window, Map<Place, Document> levels) {
    List<WriteModel<Document>> writes = new ArrayList<>();
    levels.forEach(
        (place, level) -> {
          Document filter = new Document("_id", id(window, place));
          filter.putAll(anchor(level));
          writes.add(new DeleteOneModel<>(filter));
        });
    for (int first = 0; first < writes.size(); first += MAX_WRITES) {
      var unused = write(window, writes, first);
    }
  }

  private List<BulkWriteUpsert> write(
      Instant window, List<WriteModel<Document>> writes, int first) {
    return database
        .getCollection(collections.collectionAt(window.toEpochMilli()))
        .bulkWrite(
            writes.subList(first, Math.min(first + MAX_WRITES, writes.size())),
            new BulkWriteOptions().ordered(false))
        .getUpserts();
  }

  private static Document anchor(Document level) {
    return new Document(level).append("state", WindowCount.State.BATCH.text());
  }

  private static Document id(Instant window, Place place) {
    return new Document("w", Date.from(window))
        .append("by", place.by().text())
        .append("k", place.name());
  }
}
