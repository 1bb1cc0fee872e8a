package io.lastfix.local;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Clients with short timeouts that check whether MongoDB's servers are ready. */
final class MongoProbe {
  private static final int PROBE_MILLIS = 2_000;

  private MongoProbe() {}

  /**
   * @param client adds the settings that the servers require
   */
  static MongoClient connect(String uri, Consumer<MongoClientSettings.Builder> client) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .applyToClusterSettings(
                cluster -> cluster.serverSelectionTimeout(PROBE_MILLIS, TimeUnit.MILLISECONDS))
            .applyToSocketSettings(
                socket ->
                    socket
                        .connectTimeout(PROBE_MILLIS, TimeUnit.MILLISECONDS)
                        .readTimeout(10 * PROBE_MILLIS, TimeUnit.MILLISECONDS));
    client.accept(settings);
    return MongoClients.create(settings.build());
  }
}
