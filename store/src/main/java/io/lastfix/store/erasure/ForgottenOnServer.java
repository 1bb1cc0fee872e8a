package io.lastfix.privacy;

import com.mongodb.client.MongoClient;
import io.lastfix.sink.MongoClientFactory;

/** The list of the forgotten over a client of its own. */
final class ForgottenOnServer implements ForgottenList {
  private final MongoClient client;
  private final ForgottenCollection collection;

  /** Connects in the background, as {@link MongoClientFactory#create} does. */
  ForgottenOnServer(ForgottenOptions options) {
    client = MongoClientFactory.create(options.mongo(), 1);
    collection =
        new ForgottenCollection(
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
  public ForgottenUsers read() {
    return collection.read();
  }

  @Override
  public void close() {
    client.close();
  }
}
