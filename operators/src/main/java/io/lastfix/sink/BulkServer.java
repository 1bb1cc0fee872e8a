package io.lastfix.sink;

import java.util.List;

/**
 * The writer's view of MongoDB: prepares a collection, sends a bulk, reports the result of each
 * write.
 *
 * <p>Every write must be idempotent: the writer sends a failed bulk again even though part of it
 * may have been stored.
 *
 * @param <T> the records
 */
public interface BulkServer<T> extends AutoCloseable {
  /**
   * Returns true if the collection is ready for writes; otherwise it must be prepared first. Does
   * not block.
   */
  default boolean isReady(String collection) {
    return true;
  }

  /**
   * Prepares the collection for writes. Blocks, within a time limit of its own. One thread calls
   * it, while others write to other collections.
   *
   * @throws BulkException if the preparation failed
   */
  default void prepare(String collection) throws BulkException {}

  /**
   * Writes the records, in any order. Blocks, within a time limit of its own, until the server has
   * answered. Several threads call it at once.
   *
   * @throws BulkException if the bulk failed as a whole, or its result is unknown
   */
  BulkResult write(String collection, List<T> records) throws BulkException;

  /** Closes all connections; writes in progress may fail. */
  @Override
  void close();
}
