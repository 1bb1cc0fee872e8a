package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.provision.CollectionDescription;
import io.lastfix.query.HistoryPartition;
import io.lastfix.sink.HistoryOptions;
import io.lastfix.sink.MongoOptions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A database that a location job writes to, and the collections that must be there when it starts.
 *
 * @param mongo server and database
 * @param collections as they must be
 */
public record Store(MongoOptions mongo, List<CollectionDescription> collections) {
  public Store {
    collections = List.copyOf(collections);
  }

  /**
   * History's partition of that moment and the one that follows, and Last Known Location; one
   * database, or two.
   */
  public static List<Store> of(LocationJobConfig config, Instant now) {
    List<CollectionDescription> history = partitionsAt(config.history(), now);
    List<CollectionDescription> lastKnownLocation =
        List.of(config.lastKnownLocation().description());
    return config.historyMongo().equals(config.lastKnownLocationMongo())
        ? List.of(
            new Store(
                config.historyMongo(),
                Stream.concat(history.stream(), lastKnownLocation.stream()).toList()))
        : List.of(
            new Store(config.historyMongo(), history),
            new Store(config.lastKnownLocationMongo(), lastKnownLocation));
  }

  private static List<CollectionDescription> partitionsAt(HistoryOptions history, Instant now) {
    String current = history.collectionAt(now.toEpochMilli());
    Instant end = HistoryPartition.parse(history.collectionPrefix(), current).orElseThrow().end();
    return Stream.of(current, history.collectionAt(end.toEpochMilli()))
        .map(history::description)
        .toList();
  }
}
