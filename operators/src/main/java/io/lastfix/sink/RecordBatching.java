package io.lastfix.sink;

import org.jspecify.annotations.Nullable;

/**
 * How the records of one sink are put together into bulks. Called by the task's thread alone.
 *
 * @param <T> the records; immutable, since they wait in a buffer
 */
interface RecordBatching<T> {
  /**
   * The collection the record goes to: each has a buffer of its own.
   *
   * @throws IllegalArgumentException if the record is none this sink can store: a bug of the job
   */
  String collection(T record);

  /** No less than what the record's write takes in a message to the server, in bytes. */
  int maxEncodedBytes(T record);

  /**
   * Records of a collection with equal keys are one write until it is sent, of the one that
   * {@linkplain #supersedes wins}; {@link #maxEncodedBytes} is the same for all of them. Null: a
   * write of its own.
   */
  @Nullable Object coalescingKey(T record);

  /** Whether storing that record alone leaves what storing both would. */
  boolean supersedes(T record, T other);
}
