package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.provision.CollectionDescription;
import io.lastfix.provision.UnionViewDescription;
import io.lastfix.query.HistoryPartition;
import io.lastfix.sink.HistoryOptions;
import io.lastfix.sink.MongoOptions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A database that a location job writes to, and what must be there when it starts.
 *
 * @param mongo server and database
 * @param collections as they must be
 * @param views over collections, as they must be
 */
public record Store(
    MongoOptions mongo, List<CollectionDescription> collections, List<UnionViewDescription> views) {
  public Store {
    collections = List.copyOf(collections);
    views = List.copyOf(views);
  }

  /**
   * History's partition of that moment and the one that follows, the view over all partitions, and
   * Last Known Location; one database, or two.
   */
  public static List<Store> of(LocationJobConfig config, Instant now) {
    List<CollectionDescription> history = partitionsAt(config.history(), now);
    List<CollectionDescription> lastKnownLocation =
        List.of(config.lastKnownLocation().description());
    List<UnionViewDescription> views = config.history().viewDescription().stream().toList();
    return config.historyMongo().equals(config.lastKnownLocationMongo())
        ? List.of(
            new Store(
                config.historyMongo(),
                Stream.concat(history.stream(), lastKnownLocation.stream()).toList(),
                views))
        : List.of(
            new Store(config.historyMongo(), history, views),
            new Store(config.lastKnownLocationMongo(), lastKnownLocation, List.of()));
  }

  private static List<CollectionDescription> partitionsAt(HistoryOptions history, Instant now) {
    HistoryPartition current = history.partitionAt(now);
    HistoryPartition next = history.partitionAt(current.end());
    return Stream.of(current.collection(), next.collection()).map(history::description).toList();
  }
}
