package io.lastfix.jobs;

import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.UnionViewDescription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database that a location job writes to, and its required contents at the job's start.
 *
 * @param mongo server and database
 * @param collections the required collections
 * @param views the required views over collections
 * @param history the part of History that it keeps; null: none
 */
public record Store(
    MongoOptions mongo,
    List<CollectionDescription> collections,
    List<UnionViewDescription> views,
    @Nullable HistoryOptions history) {
  private Store(MongoOptions mongo, List<CollectionDescription> collections) {
    this(mongo, collections, List.of(), null);
  }

  /**
   * The stores of a job, one database or two. They hold History's partition of that instant and the
   * next one, the view over all partitions, and Last Known Location.
   */
  public static List<Store> of(LocationJobConfig config, Instant now) {
    Store history =
        new Store(
            config.historyMongo(),
            partitionsAt(config.history(), now),
            config.history().viewDescription().stream().toList(),
            config.history());
    Store lastKnownLocation =
        new Store(
            config.lastKnownLocationMongo(), List.of(config.lastKnownLocation().description()));
    return config.historyMongo().equals(config.lastKnownLocationMongo())
        ? List.of(history.withAll(List.of(lastKnownLocation)))
        : List.of(history, lastKnownLocation);
  }

  /** The store of the devices job. */
  public static Store ofDevices(LocationJobConfig config) {
    return new Store(
        config.lastKnownLocationMongo(), List.of(config.devices().collection().description()));
  }

  /** The store of the analytics job: the numbers of this period and of the next one. */
  public static Store ofAnalytics(LocationJobConfig config, Instant now) {
    AnalyticsOptions analytics = config.analytics();
    return new Store(
        config.historyMongo(),
        analytics.numbers().stream()
            .map(analytics::collections)
            .flatMap(numbers -> nowAndNext(numbers, now))
            .toList());
  }

  /** The store of the rules job: the alerts of this period and of the next one. */
  public static Store ofRules(LocationJobConfig config, Instant now) {
    return new Store(config.historyMongo(), nowAndNext(config.rules().alerts(), now).toList());
  }

  private static Stream<CollectionDescription> nowAndNext(NumberCollections numbers, Instant now) {
    long next = numbers.period().endOf(now.toEpochMilli());
    return Stream.of(numbers.collectionAt(now.toEpochMilli()), numbers.collectionAt(next))
        .map(numbers::description);
  }

  /**
   * The stores of all jobs: those of the location job, the devices and, if located records are
   * published, the numbers of the analytics job and the alerts.
   */
  public static List<Store> ofAllJobs(LocationJobConfig config, Instant now) {
    List<Store> others = new ArrayList<>();
    others.add(ofDevices(config));
    if (config.locatedTopic() != null) {
      others.add(ofAnalytics(config, now));
      others.add(ofRules(config, now));
    }
    return of(config, now).stream().map(store -> store.withAll(others)).toList();
  }

  private Store withAll(List<Store> others) {
    List<CollectionDescription> all = new ArrayList<>(collections);
    for (Store other : others) {
      if (other.mongo().equals(mongo)) {
        all.addAll(other.collections());
      }
    }
    return new Store(mongo, all, views, history);
  }

  /**
   * Of the partitions found, those that may still receive a late record, without the two of {@link
   * #collections}; the newest first.
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
