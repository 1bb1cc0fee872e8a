package io.lastfix.query;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import com.mongodb.client.model.Sorts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Asks the two collections. Every query carries a time limit that the server enforces.
 *
 * <p>Thread-safe; the cursors it returns are not.
 */
public final class LocationQueries {
  private final MongoDatabase historyDatabase;
  private final MongoDatabase lastKnownLocationDatabase;
  private final String lastKnownLocation;
  private final String historyPrefix;
  private final Duration timeLimit;

  /**
   * Over databases whose clients the caller closes; both may be the same.
   *
   * @param lastKnownLocation the collection's name
   * @param historyPrefix what History collections' names begin with
   * @param timeLimit after which the server gives a query up
   */
  public LocationQueries(
      MongoDatabase historyDatabase,
      MongoDatabase lastKnownLocationDatabase,
      String lastKnownLocation,
      String historyPrefix,
      Duration timeLimit) {
    this.historyDatabase = historyDatabase;
    this.lastKnownLocationDatabase = lastKnownLocationDatabase;
    this.lastKnownLocation = lastKnownLocation;
    this.historyPrefix = historyPrefix;
    this.timeLimit = timeLimit;
  }

  /** Where a device was last seen; empty for one that never was, or only at unknown cells. */
  public Optional<Sighting> where(String user) {
    Document found =
        lastKnownLocationDatabase
            .getCollection(lastKnownLocation)
            .find(eq("_id", user))
            .maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS)
            .first();
    return Optional.ofNullable(found).map(Sighting::ofLastKnownLocation);
  }

  /**
   * Where a device was in {@code [from, to)}, newest first, over all periods that can hold it. A
   * period is asked only once the reader comes to it.
   */
  public HistoryCursor history(String user, Instant from, Instant to) {
    List<HistoryPartition> partitions = partitions(from, to);
    partitions.sort(Comparator.comparing(HistoryPartition::end).reversed());
    return new HistoryCursor(user, from, to, partitions);
  }

  /** The periods there are that can hold anything of {@code [from, to)}, by their names. */
  public List<HistoryPartition> partitions(Instant from, Instant to) {
    List<HistoryPartition> partitions = new ArrayList<>();
    for (String collection : historyDatabase.listCollectionNames()) {
      HistoryPartition.parse(historyPrefix, collection)
          .filter(p -> p.overlaps(from, to))
          .ifPresent(partitions::add);
    }
    partitions.sort(Comparator.comparing(HistoryPartition::collection));
    return partitions;
  }

  /** How many users have a last known location, by the server's own estimate. */
  public long lastKnownLocationEstimate() {
    return lastKnownLocationDatabase
        .getCollection(lastKnownLocation)
        .estimatedDocumentCount(
            new EstimatedDocumentCountOptions()
                .maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** How many records all periods of History hold, counted one by one. */
  public long historyCount() {
    long count = 0;
    for (String collection : historyDatabase.listCollectionNames()) {
      if (HistoryPartition.parse(historyPrefix, collection).isPresent()) {
        count +=
            historyDatabase
                .getCollection(collection)
                .countDocuments(
                    new Document(),
                    new CountOptions().maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
    return count;
  }

  /**
   * Merges the periods. They may overlap, since the length of a period may have been changed: a
   * period is opened before anything is given out that is older than its end.
   */
  public final class HistoryCursor implements AutoCloseable {
    private final String user;
    private final Instant from;
    private final Instant to;
    private final Deque<HistoryPartition> unopened;
    private final PriorityQueue<OpenPartition> open =
        new PriorityQueue<>(Comparator.comparing(OpenPartition::head, Sighting.NEWEST_FIRST));

    private HistoryCursor(
        String user, Instant from, Instant to, List<HistoryPartition> partitions) {
      this.user = user;
      this.from = from;
      this.to = to;
      this.unopened = new ArrayDeque<>(partitions);
    }

    /** Whether there is an older one. */
    public boolean hasNext() {
      HistoryPartition next;
      while ((next = unopened.peek()) != null
          && (open.isEmpty() || next.end().isAfter(open.peek().head().timestamp()))) {
        open(unopened.remove());
      }
      return !open.isEmpty();
    }

    private void open(HistoryPartition partition) {
      MongoCursor<Document> cursor =
          historyDatabase
              .getCollection(partition.collection())
              .find(and(eq("user", user), gte("ts", Date.from(from)), lt("ts", Date.from(to))))
              .sort(Sorts.descending("ts"))
              .maxTime(timeLimit.toMillis(), TimeUnit.MILLISECONDS)
              .iterator();
      advance(new OpenPartition(cursor));
    }

    private void advance(OpenPartition partition) {
      if (partition.next()) {
        open.add(partition);
      } else {
        partition.cursor.close();
      }
    }

    /**
     * The next one, in time before the last.
     *
     * @throws NoSuchElementException if there is none
     */
    public Sighting next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      OpenPartition newest = open.remove();
      Sighting sighting = newest.head();
      advance(newest);
      return sighting;
    }

    @Override
    public void close() {
      open.forEach(partition -> partition.cursor.close());
      open.clear();
      unopened.clear();
    }
  }

  private static final class OpenPartition {
    private final MongoCursor<Document> cursor;
    private @Nullable Sighting head;

    OpenPartition(MongoCursor<Document> cursor) {
      this.cursor = cursor;
    }

    boolean next() {
      head = cursor.hasNext() ? Sighting.ofHistory(cursor.next()) : null;
      return head != null;
    }

    Sighting head() {
      if (head == null) {
        throw new IllegalStateException("exhausted");
      }
      return head;
    }
  }
}
