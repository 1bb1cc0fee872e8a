package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import java.io.Serializable;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.jspecify.annotations.Nullable;

/**
 * Whether a record may go to the partition of History that its time names. A partition costs the
 * server more than thousands of records, and the time is whatever a device says: without a limit
 * one small message could have thousands of partitions made. For one thread.
 */
public interface PartitionAdmission extends AutoCloseable {
  /** Takes records of all times. */
  PartitionAdmission OF_ALL = (timestampMillis, nowMillis) -> null;

  /**
   * Decides about a record that is good in all other respects. May wait, within a bound.
   *
   * @param timestampMillis the record's time, milliseconds since 1970
   * @param nowMillis the clock, likewise
   * @return null if it may go there
   */
  @Nullable Refusal refusal(long timestampMillis, long nowMillis);

  @Override
  default void close() {}

  /**
   * Why a record may not go to its partition.
   *
   * @param detail for a person: what to do
   */
  record Refusal(RejectionReason reason, String detail) {}

  /** Makes one for each subtask. */
  interface Factory extends Serializable {
    PartitionAdmission open(RuntimeContext context);
  }
}
