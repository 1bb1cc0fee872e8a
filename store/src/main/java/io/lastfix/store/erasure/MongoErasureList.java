package io.lastfix.store.erasure;

import com.mongodb.client.MongoClient;
import io.lastfix.store.connect.MongoClientFactory;

/** The erasure list, read with a client of its own. */
public final class MongoErasureList implements ErasureList {
  private final MongoClient client;
  private final ErasureListCollection collection;

  /** Connects in the background, as {@link MongoClientFactory#create} does. */
  public MongoErasureList(ErasureListOptions options) {
    client = MongoClientFactory.create(options.mongo(), 1);
    collection =
        new ErasureListCollection(
            client,
            options.mongo().database(),
            options.collection(),
            options.mongo().readTimeout());
  }

  @Override
  public long version() {
    return collection.version();
  }

  @Override
  public ErasedUsers read() {
    return collection.read();
  }

  @Override
  public void close() {
    client.close();
  }
}
