package io.lastfix.sink;

import org.jspecify.annotations.Nullable;

/**
 * How a sink collects records into bulks. Only the task's thread calls it.
 *
 * @param <T> the records; immutable, since they wait in a buffer
 */
interface RecordBatching<T> {
  /**
   * Returns the record's collection; each collection has its own buffer.
   *
   * @throws IllegalArgumentException if this sink cannot store the record: a bug of the job
   */
  String collection(T record);

  /** Returns an upper bound of the record's write in a message to the server, in bytes. */
  int maxEncodedBytes(T record);

  /**
   * Returns the key of the record's write; null: no other record may join it. Records of a
   * collection with equal keys share one write until it is sent, with the record that {@linkplain
   * #supersedes wins}. {@link #maxEncodedBytes} must be the same for all of them.
   */
  default @Nullable Object coalescingKey(T record) {
    return null;
  }

  /** Returns true if storing only {@code record} has the same result as storing both. */
  default boolean supersedes(T record, T other) {
    return false;
  }

  /**
   * Returns true if the result depends on the order of two writes of one key. No bulk is then sent
   * while another is in flight or waits for its retry.
   */
  default boolean needsOrder() {
    return false;
  }
}
