package io.lastfix.sink;

import java.util.List;

/**
 * What the writer needs of MongoDB: prepare a collection, send a bulk, say what became of each
 * write.
 *
 * <p>Every write must be idempotent: a bulk that failed is sent again though part of it may have
 * been stored.
 *
 * @param <T> the records
 */
public interface BulkServer<T> extends AutoCloseable {
  /**
   * Whether that collection may be written to; otherwise it has to be prepared first. Does not
   * block.
   */
  default boolean isReady(String collection) {
    return true;
  }

  /**
   * Makes sure of that collection, so that it may be written to. Blocks, within a bound of its own.
   * Called by one thread, beside those that write to other collections.
   *
   * @throws BulkException if that failed
   */
  default void prepare(String collection) throws BulkException {}

  /**
   * Writes those records, in any order. Blocks, within a bound of its own, until the server has
   * answered. Called by several threads at once.
   *
   * @throws BulkException if the bulk failed as a whole, or nobody knows what became of it
   */
  BulkResult write(String collection, List<T> records) throws BulkException;

  /** Lets go of all connections; writes that are under way may fail. */
  @Override
  void close();
}
