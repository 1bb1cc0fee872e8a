package io.lastfix.store.query;

import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sightings out of all partitions of History that can hold them, in order of time. A partition is
 * asked only once the reader comes to it, and closed behind; partitions may overlap, since the
 * length of a period may have been changed. A record that stands in two of them is given once.
 *
 * <p>Records of one moment are given in the order of {@code _id}. The server does not sort them so
 * (no index could serve it); so all records of one moment are held in memory, and nothing else but
 * the driver's batches.
 *
 * <p>Not thread-safe. Ends with a {@link QueryTimeLimitException} where the server gives up.
 */
public final class SightingCursor implements AutoCloseable {
  private final SightingSource source;
  private final Subject subject;
  private final TimeRange range;
  private final TimeOrder order;

  /** What is left of the range. */
  private final TimeRange remaining;

  private final Deque<HistoryPartition> unopened;
  private final List<OpenPartition> asked = new ArrayList<>();
  private final PriorityQueue<OpenPartition> open;

  /** The next ones to give out, all of one moment. */
  private final TreeMap<RecordPosition, Sighting> ready;

  private @Nullable RecordPosition last;

  /** Begins at the range's beginning. */
  SightingCursor(SightingSource source, Subject subject, TimeRange range, TimeOrder order) {
    this(source, subject, range, order, null);
  }

  /** Goes on where a page ended. */
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

  /** Which way it goes. */
  public TimeOrder order() {
    return order;
  }

  /** Whether there is another one. */
  public boolean hasNext() {
    while (ready.isEmpty() && comeToNextMoment()) {
      takeAllOfOneMoment();
    }
    return !ready.isEmpty();
  }

  /**
   * The next one.
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
   * From where to go on after what was given out so far: opaque, to be handed back with the same
   * user or cell. Order and range are in it. Records that come in meanwhile are given if they
   * belong behind the last one given out, and change nothing for the others.
   *
   * @throws IllegalStateException if nothing was given out, so that there is nothing to go on from
   */
  public String token() {
    if (last == null) {
      throw new IllegalStateException("nothing was given out yet");
    }
    return new PageToken(order, range, last).encode(subject);
  }

  /** The partitions that were asked so far. */
  public List<String> partitionsAsked() {
    return asked.stream().map(partition -> partition.name).toList();
  }

  /** Those of them that had no index for the question, so that all of the range was read. */
  public List<String> partitionsWithoutIndex() {
    return asked.stream()
        .filter(partition -> !partition.rows.byIndex())
        .map(partition -> partition.name)
        .toList();
  }

  /** What the server did in each partition that was asked so far: has it do the same again. */
  public List<QueryPlan> explain() {
    return asked.stream().map(partition -> partition.rows.explain(partition.taken)).toList();
  }

  /** Opens partitions until no unopened one can hold anything that comes first. */
  private boolean comeToNextMoment() {
    HistoryPartition next;
    while ((next = unopened.peek()) != null && (open.isEmpty() || mayComeFirst(next))) {
      unopened.remove();
      OpenPartition partition =
          new OpenPartition(next.collection(), source.open(next, remaining, order));
      asked.add(partition);
      advance(partition);
    }
    return !open.isEmpty();
  }

  private boolean mayComeFirst(HistoryPartition partition) {
    return order.mayHoldUpTo(partition, open.element().head().position().timestampMillis());
  }

  private void takeAllOfOneMoment() {
    long moment = open.element().head().position().timestampMillis();
    while (!open.isEmpty() && open.element().head().position().timestampMillis() == moment) {
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
