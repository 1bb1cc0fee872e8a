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
 * The number of records and the sizes of the partitions.
 *
 * @param estimated true if the numbers of records are the servers' estimates; the numbers by shard
 *     always are
 * @param partitions the oldest first
 * @param total the sum over all partitions
 */
public record PartitionStatistics(boolean estimated, List<Entry> partitions, Figures total) {
  /**
   * One partition.
   *
   * @param from first instant of its period
   * @param to first instant after its period
   * @param oldest timestamp of its first record; null if it has none
   * @param newest timestamp of its last record; null if it has none
   */
  public record Entry(
      String name,
      Instant from,
      Instant to,
      Figures figures,
      @Nullable Instant oldest,
      @Nullable Instant newest) {}

  /**
   * Number of records and sizes in bytes.
   *
   * @param records the servers' own estimate, or counted
   * @param bytes size of the documents, uncompressed
   * @param storageBytes size of the documents on disk
   * @param indexBytes size of the indexes on disk
   * @param shards the share of each shard of a sharded cluster; empty elsewhere
   */
  public record Figures(
      long records, long bytes, long storageBytes, long indexBytes, List<Share> shards) {
    /** Adds up the figures of shards or of partitions. */
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
      // The shares refer to the sum of the shards' estimates, which can differ from a counted
      // number.
      long ofShards = byShard.values().stream().mapToLong(Long::longValue).sum();
      for (Map.Entry<String, Long> shard : byShard.entrySet()) {
        shards.add(Share.of(shard.getKey(), shard.getValue(), ofShards));
      }
      return new Figures(records, bytes, storageBytes, indexBytes, shards);
    }

    /** Returns a copy with a counted number of records. */
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
   * The records of one shard.
   *
   * @param share share of the records, 0 to 1; 0 if there are none
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
