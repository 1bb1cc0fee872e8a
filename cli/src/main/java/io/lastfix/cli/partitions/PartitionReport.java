package io.lastfix.cli.partitions;

import io.lastfix.store.history.HistoryPartition;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What became of partitions.
 *
 * @param partitions in the order in which it was done
 */
record PartitionReport(List<Entry> partitions) {
  /** What became of one. */
  enum Status {
    /** It was there. */
    THERE,
    /** It, or an index or the shards of it, was missing and is there now. */
    MADE,
    /** It is gone. */
    DROPPED,
    /** It would be gone, were this no dry run. */
    WOULD_DROP,
    /** It is expired, but records that were let in before may still be on their way to it. */
    KEPT
  }

  /** One partition. */
  record Entry(Status status, String name, Instant from, Instant to) {}

  PartitionReport() {
    this(new ArrayList<>());
  }

  void add(Status status, HistoryPartition partition) {
    partitions.add(new Entry(status, partition.collection(), partition.start(), partition.end()));
  }

  boolean has(Status status) {
    return partitions.stream().anyMatch(entry -> entry.status() == status);
  }

  /** One line each. */
  void print(PrintWriter out) {
    for (Entry entry : partitions) {
      out.printf(
          "%-10s  %s  %s to %s%n",
          entry.status().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          entry.name(),
          entry.from(),
          entry.to());
    }
  }
}
