package io.lastfix.store.query;

import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Partitions of History that behave as on a server: each returns its records by time, with the
 * records of one timestamp in any order. Records which partitions are open.
 */
final class PartitionsInMemory implements SightingSource {
  private final Map<String, List<Row>> rows = new TreeMap<>();
  private final Random orderOfEquals = new Random(7);
  private final List<String> opened = new ArrayList<>();
  private int open;

  void store(PartitionPeriod period, Row row) {
    rows.computeIfAbsent(
            period.collectionName("history", row.position().timestampMillis()),
            absent -> new ArrayList<>())
        .add(row);
  }

  /** Returns the partitions in the order of their opening. */
  List<String> opened() {
    return opened;
  }

  int open() {
    return open;
  }

  @Override
  public List<HistoryPartition> partitions(TimeRange range) {
    return rows.keySet().stream()
        .map(name -> HistoryPartition.parse("history", name).orElseThrow())
        .filter(partition -> partition.overlaps(range.from(), range.to()))
        .toList();
  }

  @Override
  public Rows open(HistoryPartition partition, TimeRange range, TimeOrder order) {
    List<Row> found = new ArrayList<>();
    for (Row row : rows.get(partition.collection())) {
      Instant moment = row.sighting().timestamp();
      if (!moment.isBefore(range.from()) && moment.isBefore(range.to())) {
        found.add(row);
      }
    }
    Collections.shuffle(found, orderOfEquals);
    Comparator<Row> byTime = Comparator.comparing(row -> row.sighting().timestamp());
    found.sort(order == TimeOrder.OLDEST_FIRST ? byTime : byTime.reversed());
    opened.add(partition.collection());
    open++;
    return new RowsInMemory(new ArrayDeque<>(found));
  }

  private final class RowsInMemory implements Rows {
    private final Deque<Row> left;
    private boolean closed;

    RowsInMemory(Deque<Row> left) {
      this.left = left;
    }

    @Override
    public @Nullable Row next() {
      return left.poll();
    }

    @Override
    public boolean byIndex() {
      return true;
    }

    @Override
    public QueryPlan explain(int returned) {
      throw new UnsupportedOperationException("there is no server");
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open--;
      }
    }
  }
}
