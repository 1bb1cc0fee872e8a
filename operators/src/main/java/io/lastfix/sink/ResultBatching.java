package io.lastfix.sink;

import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.timeline.ResultConverter;
import org.bson.BsonDocument;

/** Each document has at most one waiting write: the newest result. */
final class ResultBatching<T> implements NumberBatching<T> {
  private static final long serialVersionUID = 1;

  private final NumberCollections collections;
  private final ResultConverter<T> converter;

  ResultBatching(NumberCollections collections, ResultConverter<T> converter) {
    this.collections = collections;
    this.converter = converter;
  }

  @Override
  public String collection(T result) {
    return collections.collectionAt(converter.timeMillis(result));
  }

  @Override
  public int maxEncodedBytes(T result) {
    return converter.maxEncodedBytes(result);
  }

  @Override
  public BsonDocument coalescingKey(T result) {
    return converter.id(result);
  }

  /** The results of one document come in their order, from one subtask. */
  @Override
  public boolean supersedes(T result, T other) {
    return true;
  }

  /**
   * Numbers fall, and documents are deleted: an older write that is sent again would bring back.
   */
  @Override
  public boolean needsOrder() {
    return true;
  }
}
