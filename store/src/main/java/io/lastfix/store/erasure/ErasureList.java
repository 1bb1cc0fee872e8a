package io.lastfix.store.erasure;

/** Where the list of the forgotten is read from. Used by one thread. */
public interface ErasureList extends AutoCloseable {
  /**
   * The version that the list has now.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses
   */
  long version();

  /**
   * All of the list.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses
   * @throws IllegalStateException if something else is in it
   */
  ErasedUsers read();

  /** Lets go of the server; may wait for it. */
  @Override
  void close();
}
