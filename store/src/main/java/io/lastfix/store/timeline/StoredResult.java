package io.lastfix.store.timeline;

import org.bson.BsonDocument;

/** One result and its document, which {@link ResultConverter} writes. */
public interface StoredResult {
  /** Returns the time that decides on the collection, in milliseconds since 1970. */
  long timeMillis();

  /** Returns the {@code _id} of its document. */
  BsonDocument id();

  /** Returns what a stream's result is: whether it is deleted, or can still change. */
  WindowState state();

  /** Returns the fields of its document, without {@code _id} and {@code state}. */
  BsonDocument fields();

  /** Returns the chars of the texts that vary, in {@code _id}. */
  int charsOfId();

  /**
   * Returns the result if records are known up to that time only, in milliseconds since 1970: a
   * device that is silent from then on need not be absent.
   */
  default StoredResult knownUntil(long millis) {
    return this;
  }
}
