package io.lastfix.store.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a command on partitions.
 *
 * @param partitions in the order in which they were processed
 */
public record PartitionReport(List<Entry> partitions) {
  /** The result for one partition. */
  public enum Status {
    /** It existed. */
    THERE,
    /** It, or an index or its sharding, was missing and was created. */
    MADE,
    /** It was dropped. */
    DROPPED,
    /** It would be dropped without the dry run. */
    WOULD_DROP,
    /** It is expired, but records that were accepted before may still be on their way to it. */
    KEPT
  }

  /** One partition. */
  public record Entry(Status status, String name, Instant from, Instant to) {}

  public PartitionReport() {
    this(new ArrayList<>());
  }

  public void add(Status status, HistoryPartition partition) {
    partitions.add(new Entry(status, partition.collection(), partition.start(), partition.end()));
  }

  public boolean has(Status status) {
    return partitions.stream().anyMatch(entry -> entry.status() == status);
  }

  /** One line each. */
  public List<String> lines() {
    return partitions.stream()
        .map(
            entry ->
                "%-10s  %s  %s to %s"
                    .formatted(
                        entry.status().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        entry.name(),
                        entry.from(),
                        entry.to()))
        .toList();
  }
}
