package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.UnionViewDescription;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database that a location job writes to, and what must be there when it starts.
 *
 * @param mongo server and database
 * @param collections as they must be
 * @param views over collections, as they must be
 * @param history what it keeps of History; null: nothing
 */
public record Store(
    MongoOptions mongo,
    List<CollectionDescription> collections,
    List<UnionViewDescription> views,
    @Nullable HistoryOptions history) {
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
                views,
                config.history()))
        : List.of(
            new Store(config.historyMongo(), history, views, config.history()),
            new Store(config.lastKnownLocationMongo(), lastKnownLocation, List.of(), null));
  }

  /**
   * Of the partitions that are there those that a late record may still come to, but for the two
   * that {@link #collections} has; the newest first.
   */
  List<HistoryPartition> older(List<HistoryPartition> found, Instant now) {
    Set<String> known =
        collections.stream().map(CollectionDescription::name).collect(Collectors.toSet());
    HistoryRetention retention = history == null ? null : history.retention();
    return found.stream()
        .filter(partition -> !known.contains(partition.collection()))
        .filter(partition -> retention == null || !retention.isExpired(partition, now))
        .sorted(Comparator.comparing(HistoryPartition::start).reversed())
        .toList();
  }

  private static List<CollectionDescription> partitionsAt(HistoryOptions history, Instant now) {
    HistoryPartition current = history.partitionAt(now);
    HistoryPartition next = history.partitionAt(current.end());
    return Stream.of(current.collection(), next.collection()).map(history::description).toList();
  }
}
