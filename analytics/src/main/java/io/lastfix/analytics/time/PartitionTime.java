package io.lastfix.analytics.time;

/**
 * How far event time of a partition is, for a checkpoint.
 *
 * @param reachedMillis {@link Long#MIN_VALUE} if the partition has had no record
 * @param isLive whether its newest record was live
 */
public record PartitionTime(long reachedMillis, boolean isLive) {
  /** Of a partition without a record. */
  public static final PartitionTime NONE = new PartitionTime(Long.MIN_VALUE, false);
}
