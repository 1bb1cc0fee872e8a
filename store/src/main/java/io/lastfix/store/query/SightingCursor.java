package io.lastfix.store.query;

import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.SightingSource.Subject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Returns sightings from all partitions of History that can contain them, in time order. It queries
 * a partition only when the reader reaches it, and closes it afterwards. Partitions may overlap,
 * since the configured period may have changed. A record that exists in two partitions is returned
 * once.
 *
 * <p>Records with the same timestamp are ordered by {@code _id}. The server cannot sort them that
 * way with an index. The cursor therefore holds all records of one timestamp in memory, besides the
 * driver's batches.
 *
 * <p>Not thread-safe. Throws a {@link QueryTimeLimitException} if the server aborts a statement at
 * the time limit.
 */
public final class SightingCursor implements AutoCloseable {
  private final SightingSource source;
  private final Subject subject;
  private final TimeRange range;
  private final TimeOrder order;

  /** The part of the range that is still to be read. */
  private final TimeRange remaining;

  private final Deque<HistoryPartition> unopened;
  private final List<OpenPartition> queried = new ArrayList<>();
  private final PriorityQueue<OpenPartition> open;

  /** The next sightings to return, all with the same timestamp. */
  private final TreeMap<RecordPosition, Sighting> ready;

  private @Nullable RecordPosition last;

  /** Starts at the beginning of the range. */
  SightingCursor(SightingSource source, Subject subject, TimeRange range, TimeOrder order) {
    this(source, subject, range, order, null);
  }

  /** Continues after the end of a page. */
  SightingCursor(SightingSource source, Subject subject, PageToken token) {
    this(source, subject, token.range(), token.order(), token.last());
  }

  private SightingCursor(
      SightingSource source,
      Subject subject,
      TimeRange range,
      TimeOrder order,
      @Nullable RecordPosition last) {
    this.source = source;
    this.subject = subject;
    this.range = range;
    this.order = order;
    this.last = last;
    remaining = last == null ? range : range.onwardFrom(last.timestampMillis(), order);
    List<HistoryPartition> partitions = new ArrayList<>(source.partitions(remaining));
    partitions.sort(order.partitions());
    unopened = new ArrayDeque<>(partitions);
    Comparator<RecordPosition> positions = order.positions();
    open = new PriorityQueue<>(Comparator.comparing(p -> p.head().position(), positions));
    ready = new TreeMap<>(positions);
  }

  /**
   * Passes on sightings, oldest first, until one is refused. Each page has queries of its own, so
   * the time limit of a query does not limit their number.
   *
   * @param page sightings of a page, 1 or more
   */
  static void forEach(
      SightingSource source,
      Subject subject,
      TimeRange range,
      int page,
      Predicate<Sighting> target) {
    RecordPosition last = null;
    do {
      try (SightingCursor cursor =
          new SightingCursor(source, subject, range, TimeOrder.OLDEST_FIRST, last)) {
        for (int i = 0; i < page && cursor.hasNext(); i++) {
          if (!target.test(cursor.next())) {
            return;
          }
        }
        last = cursor.hasNext() ? cursor.last : null;
      }
    } while (last != null);
  }

  /** Returns the order of the sightings. */
  public TimeOrder order() {
    return order;
  }

  /** Returns true if there is another sighting. */
  public boolean hasNext() {
    while (ready.isEmpty() && advanceToNextTimestamp()) {
      takeRecordsOfOneTimestamp();
    }
    return !ready.isEmpty();
  }

  /**
   * Returns the next sighting.
   *
   * @throws NoSuchElementException if there is none
   */
  public Sighting next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<RecordPosition, Sighting> first = ready.pollFirstEntry();
    last = first.getKey();
    return first.getValue();
  }

  /**
   * Returns an opaque token to continue after the last sighting returned, for the same user or
   * cell, or for all. It contains order and range. Records that arrive meanwhile are returned if
   * they come after the last sighting; they do not affect the others.
   *
   * @throws IllegalStateException if no sighting was returned yet
   */
  public String token() {
    if (last == null) {
      throw new IllegalStateException("no sighting was returned yet");
    }
    return new PageToken(order, range, last).encode(subject);
  }

  /**
   * Returns the queried partitions that lack an index for the query, so that the whole range was
   * read.
   */
  public List<String> partitionsWithoutIndex() {
    return queried.stream()
        .filter(partition -> !partition.rows.byIndex())
        .map(partition -> partition.name)
        .toList();
  }

  /**
   * Returns the server's query plan in each partition queried so far; the server executes the
   * statements again.
   */
  public List<QueryPlan> explain() {
    return queried.stream().map(partition -> partition.rows.explain(partition.taken)).toList();
  }

  /** Opens partitions until no unopened one can contain an earlier record in the query's order. */
  private boolean advanceToNextTimestamp() {
    HistoryPartition next;
    while ((next = unopened.peek()) != null && (open.isEmpty() || mayComeFirst(next))) {
      unopened.remove();
      OpenPartition partition =
          new OpenPartition(next.collection(), source.open(next, remaining, order));
      queried.add(partition);
      advance(partition);
    }
    return !open.isEmpty();
  }

  private boolean mayComeFirst(HistoryPartition partition) {
    return order.mayHoldUpTo(partition, open.element().head().position().timestampMillis());
  }

  private void takeRecordsOfOneTimestamp() {
    long timestampMillis = open.element().head().position().timestampMillis();
    while (!open.isEmpty()
        && open.element().head().position().timestampMillis() == timestampMillis) {
      OpenPartition partition = open.remove();
      SightingSource.Row row = partition.head();
      if (last == null || order.positions().compare(row.position(), last) > 0) {
        ready.putIfAbsent(row.position(), row.sighting());
      }
      advance(partition);
    }
  }

  private void advance(OpenPartition partition) {
    if (partition.next()) {
      open.add(partition);
    } else {
      partition.rows.close();
    }
  }

  @Override
  public void close() {
    open.forEach(partition -> partition.rows.close());
    open.clear();
    unopened.clear();
    ready.clear();
  }

  private static final class OpenPartition {
    private final String name;
    private final SightingSource.Rows rows;
    private SightingSource.@Nullable Row head;
    private int taken;

    OpenPartition(String name, SightingSource.Rows rows) {
      this.name = name;
      this.rows = rows;
    }

    boolean next() {
      head = rows.next();
      if (head == null) {
        return false;
      }
      taken++;
      return true;
    }

    SightingSource.Row head() {
      if (head == null) {
        throw new IllegalStateException("exhausted");
      }
      return head;
    }
  }
}
