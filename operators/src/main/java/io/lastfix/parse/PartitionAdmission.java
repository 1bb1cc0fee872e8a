package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import java.io.Serializable;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a record may be stored in the partition of History for its timestamp. A partition
 * costs the server more than thousands of records, and devices choose the timestamps. Without a
 * limit, one small message could create thousands of partitions. For one thread.
 */
public interface PartitionAdmission extends AutoCloseable {
  /** Admits all records. */
  PartitionAdmission OF_ALL = (timestampMillis, nowMillis) -> null;

  /**
   * Decides about a record that is valid in all other respects. May wait, within a time limit.
   *
   * @param timestampMillis the record's timestamp, milliseconds since 1970
   * @param nowMillis the clock, milliseconds since 1970
   * @return null if the record is admitted
   */
  @Nullable Refusal refusal(long timestampMillis, long nowMillis);

  @Override
  default void close() {}

  /**
   * Why a record is not admitted to its partition.
   *
   * @param detail the remedy, for the user
   */
  record Refusal(RejectionReason reason, String detail) {}

  /** Creates the admission of each subtask. */
  interface Factory extends Serializable {
    PartitionAdmission open(RuntimeContext context);
  }
}
