package io.lastfix.store.erasure;

/** Source of the erasure list. Used by one thread. */
public interface ErasureList extends AutoCloseable {
  /**
   * Returns the list's current version.
   *
   * @throws com.mongodb.MongoException if the server does not answer or rejects the query
   */
  long version();

  /**
   * Reads the whole list.
   *
   * @throws com.mongodb.MongoException if the server does not answer or rejects the query
   * @throws IllegalStateException if a document in the list is invalid
   */
  ErasedUsers read();

  /** Closes the connection; may wait for it. */
  @Override
  void close();
}
