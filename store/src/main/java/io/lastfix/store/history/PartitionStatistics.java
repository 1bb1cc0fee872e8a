package io.lastfix.store.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What partitions hold.
 *
 * @param estimated whether the numbers of records are the servers' estimates. Those of the shards
 *     always are
 * @param partitions the oldest first
 * @param total of all
 */
public record PartitionStatistics(boolean estimated, List<Entry> partitions, Figures total) {
  /**
   * One partition.
   *
   * @param from the first moment it can hold
   * @param to the first moment after it
   * @param oldest its first record's moment; null where it has none
   * @param newest its last record's
   */
  public record Entry(
      String name,
      Instant from,
      Instant to,
      Figures figures,
      @Nullable Instant oldest,
      @Nullable Instant newest) {}

  /**
   * Sizes.
   *
   * @param records by the servers' own estimate, or counted
   * @param bytes of the documents, uncompressed
   * @param storageBytes what they take on disk
   * @param indexBytes what their indexes take on disk
   * @param shards of a sharded cluster; empty elsewhere
   */
  public record Figures(
      long records, long bytes, long storageBytes, long indexBytes, List<Share> shards) {
    /** Puts together those of shards, or of partitions. */
    public static Figures sum(List<Figures> parts) {
      long records = 0;
      long bytes = 0;
      long storageBytes = 0;
      long indexBytes = 0;
      Map<String, Long> byShard = new TreeMap<>();
      for (Figures part : parts) {
        records += part.records();
        bytes += part.bytes();
        storageBytes += part.storageBytes();
        indexBytes += part.indexBytes();
        part.shards().forEach(share -> byShard.merge(share.shard(), share.records(), Long::sum));
      }
      List<Share> shards = new ArrayList<>();
      // Of what the shards say: beside records that were counted theirs may add up to another sum.
      long ofShards = byShard.values().stream().mapToLong(Long::longValue).sum();
      for (Map.Entry<String, Long> shard : byShard.entrySet()) {
        shards.add(Share.of(shard.getKey(), shard.getValue(), ofShards));
      }
      return new Figures(records, bytes, storageBytes, indexBytes, shards);
    }

    /** The same with records that were counted, one by one. */
    public Figures withRecords(long counted) {
      return new Figures(counted, bytes, storageBytes, indexBytes, shards);
    }

    public String wordsOfShards() {
      return shards.isEmpty()
          ? "-"
          : shards.stream()
              .map(
                  share ->
                      "%s %s%%"
                          .formatted(
                              share.shard(),
                              String.format(Locale.ROOT, "%.1f", 100 * share.share())))
              .collect(Collectors.joining(", "));
    }
  }

  /**
   * What one shard has.
   *
   * @param share of the records, 0 to 1; 0 where there are none
   */
  public record Share(String shard, long records, double share) {
    public static Share of(String shard, long records, long ofRecords) {
      return new Share(shard, records, ofRecords == 0 ? 0 : (double) records / ofRecords);
    }
  }

  public static PartitionStatistics of(List<Entry> partitions, boolean estimated) {
    return new PartitionStatistics(
        estimated, partitions, Figures.sum(partitions.stream().map(Entry::figures).toList()));
  }
}
