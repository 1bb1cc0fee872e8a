package io.lastfix.operate.analysis;

import static java.util.Comparator.comparing;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.jobs.AnalyzeJob;
import io.lastfix.jobs.AnalyzeTimes;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateReach;
import io.lastfix.store.query.numbers.ResultQueries;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the numbers of a range by those that a job computes from History.
 *
 * @param config of the job and of its servers
 * @param kinds what is computed
 * @param areGroupsComplete whether counts are computed by all that the stream counts by
 * @param range of the records
 * @param times of the range
 * @param settled of an analysis of late records, the time from which on the stream may still
 *     rewrite numbers; of another one it is not given
 * @param now no absence after it is known, and no density
 */
public record Analysis(
    LocationJobConfig config,
    List<NumberKind> kinds,
    boolean areGroupsComplete,
    TimeRange range,
    AnalyzeTimes times,
    Optional<Instant> settled,
    Instant now) {
  private static final Logger LOG = LoggerFactory.getLogger(Analysis.class);

  /** An analysis of that range alone, which is not of late records. */
  public Analysis(
      LocationJobConfig config,
      List<NumberKind> kinds,
      boolean areGroupsComplete,
      TimeRange range,
      Instant now) {
    this(
        config,
        kinds,
        areGroupsComplete,
        range,
        new AnalyzeTimes(range, config.analytics().timeline(), now),
        Optional.empty(),
        now);
  }

  /**
   * Replaces all numbers that late records of whole hours can change. Hours that are settled are
   * then forgotten; of the others it is noted that the numbers have them.
   *
   * @param settled the time from which on the stream may still rewrite numbers
   */
  static Analysis ofLateRecords(
      LocationJobConfig config,
      List<NumberKind> kinds,
      TimeRange hours,
      Instant settled,
      Instant now) {
    return new Analysis(
        config,
        kinds,
        true,
        hours,
        AnalyzeTimes.ofLateRecords(hours, config.analytics().timeline(), now),
        Optional.of(settled),
        now);
  }

  /** The arguments of the job about what it computes. */
  public static List<String> arguments(List<NumberKind> kinds, Instant now) {
    return List.of(
        "--numbers",
        kinds.stream().map(NumberKind::text).collect(Collectors.joining(",")),
        "--now",
        now.toString());
  }

  /** Submits the job, waits for its end, and returns its accumulators. */
  @FunctionalInterface
  public interface Job {
    /** Called once, when the numbers to replace are marked. */
    Map<String, String> await() throws IOException, InterruptedException;
  }

  /**
   * What an analysis has done.
   *
   * @param documents of History that the job read, also before and after the range
   * @param countedBefore the records of the range that had been counted; empty if counts by total
   *     are not computed, or there are too many to add them up in time
   * @param counted the same now
   */
  public record Result(long documents, OptionalLong countedBefore, OptionalLong counted) {}

  /**
   * Marks the numbers, runs the job, and removes those that it did not find again.
   *
   * @param progress receives each step before and after the job
   */
  public Result run(Job job, Consumer<String> progress) throws IOException, InterruptedException {
    MongoOptions mongo = config.historyMongo().withApplicationName("lastfix-cli");
    try (MongoClient client = MongoClientFactory.create(mongo, 1)) {
      MongoDatabase database = client.getDatabase(mongo.database());
      Duration limit = mongo.readTimeout();
      HistoryQueries history =
          new HistoryQueries(
              database, config.history().collectionPrefix(), QueryOptions.within(limit));
      List<Replaced> replaced = replaced(database, history);
      List<Replaced> late = late(database, limit, replaced);
      // Late records can be of a time that History does not have any more. Nothing adds them then.
      boolean hasRecords = settled.isEmpty() || !history.partitions(times.records(kinds)).isEmpty();
      Optional<DensityAnchors> anchors = anchors(database, limit, replaced);
      progress.accept("marking the numbers to replace");
      OptionalLong before = counted(database, limit);
      anchors.ifPresent(DensityAnchors::begin);
      replaced.forEach(Replaced::begin);
      late.forEach(Replaced::begin);
      progress.accept("starting the job");
      Map<String, String> accumulators = hasRecords ? awaitOrExplain(job) : Map.of();
      progress.accept("removing the numbers that were not found again");
      replaced.forEach(Replaced::end);
      anchors.ifPresent(DensityAnchors::end);
      // Last, because they say that the analysis has to be repeated if this command ends before.
      late.forEach(Replaced::end);
      return new Result(
          Long.parseLong(accumulators.getOrDefault(AnalyzeJob.DOCUMENTS, "0")),
          before,
          counted(database, limit));
    }
  }

  private static Map<String, String> awaitOrExplain(Job job)
      throws IOException, InterruptedException {
    try {
      return job.await();
    } catch (IOException e) {
      throw new IOException(
          e.getMessage()
              + ". The numbers of the range are as they were or already replaced, and marked as"
              + " incomplete: run lastfix analyze for it again",
          e);
    }
  }

  /** Returns how many records of the range are counted; only for the user's information. */
  private OptionalLong counted(MongoDatabase database, Duration timeLimit) {
    if (!kinds.contains(NumberKind.COUNTS)
        || !config.analytics().grouping().by().contains(CountBy.TOTAL)) {
      return OptionalLong.empty();
    }
    CountQueries counts =
        new CountQueries(
            database,
            config.analytics().collections(NumberKind.COUNTS).collectionPrefix(),
            QueryOptions.within(timeLimit));
    try {
      return OptionalLong.of(
          counts.top(CountQueries.wholeWindows(range), CountBy.TOTAL, 1).stream()
              .mapToLong(CountQueries.GroupSum::n)
              .sum());
    } catch (QueryTimeLimitException e) {
      LOG.debug("The counts of {} cannot be added up in time", range, e);
      return OptionalLong.empty();
    }
  }

  /**
   * The documents that the job replaces.
   *
   * @param isKept whether those that it does not find stay, with the state of a batch
   */
  private record Replaced(
      NumberKind kind,
      Recount recount,
      List<HistoryPartition> partitions,
      TimeRange range,
      boolean isKept) {
    void begin() {
      recount.begin(partitions, range.from(), range.to());
    }

    void end() {
      if (isKept) {
        recount.keep(partitions, range.from(), range.to(), WindowCount.State.BATCH.text());
      } else {
        recount.end(partitions, range.from(), range.to());
      }
    }
  }

  /** Only what History can still tell: the rest of the range may have been dropped. */
  private List<Replaced> replaced(MongoDatabase database, HistoryQueries history) {
    List<Replaced> replaced = new ArrayList<>();
    for (NumberKind kind : kinds) {
      Optional<TimeRange> results = times.results(kind);
      if (results.isEmpty()) {
        continue;
      }
      List<HistoryPartition> partitions = history.partitions(results.get());
      replaced.add(
          new Replaced(
              kind,
              new Recount(
                  database,
                  config.analytics().collections(kind),
                  kind == NumberKind.COUNTS
                      ? config.analytics().grouping().by().stream().map(CountBy::text).toList()
                      : List.of()),
              partitions,
              results.get(),
              false));
    }
    return replaced;
  }

  /**
   * The counts of late records that the analysis makes obsolete: those that change only numbers
   * which it replaces, and which the stream does not rewrite any more. An analysis of late records
   * keeps the others, to repeat it for them.
   */
  private List<Replaced> late(MongoDatabase database, Duration timeLimit, List<Replaced> numbers) {
    AnalyticsOptions analytics = config.analytics();
    Instant rewritten =
        settled.orElseGet(
            () -> settledBefore(analytics, eventTime(database, analytics, now, timeLimit)));
    List<HistoryPartition> partitions =
        HistoryPartition.parseAll(
            analytics.lateRecords().collectionPrefix(),
            database.listCollectionNames().into(new ArrayList<>()));
    List<Replaced> late = new ArrayList<>();
    for (Replaced replaced : numbers) {
      NumberKind kind = replaced.kind();
      if (kind == NumberKind.COUNTS && !areGroupsComplete) {
        continue;
      }
      Recount recount = new Recount(database, analytics.lateRecords(), List.of(kind.text()));
      TimeRange results = replaced.range();
      Instant end = Collections.min(List.of(results.to(), rewritten));
      LateReach reach = LateReach.of(kind);
      Optional<TimeRange> over =
          results.from().isBefore(rewritten)
              ? reach.hoursWithin(new TimeRange(results.from(), end))
              : Optional.empty();
      over.ifPresent(hours -> late.add(new Replaced(kind, recount, partitions, hours, false)));
      if (settled.isPresent()) {
        reach
            .hoursWithin(results)
            .flatMap(all -> rest(all, over))
            .ifPresent(hours -> late.add(new Replaced(kind, recount, partitions, hours, true)));
      }
    }
    return late;
  }

  private static Optional<TimeRange> rest(TimeRange all, Optional<TimeRange> beginning) {
    Instant from = beginning.map(TimeRange::to).orElse(all.from());
    return from.isBefore(all.to()) ? Optional.of(new TimeRange(from, all.to())) : Optional.empty();
  }

  /** Returns the time from which on a stream at that event time may still rewrite numbers. */
  public static Instant settledBefore(AnalyticsOptions analytics, Instant eventTime) {
    return eventTime.minus(analytics.outOfOrderness()).minus(analytics.timeline().lateness());
  }

  /**
   * Returns the stream's event time, by the newest of its numbers: in a replay, it is far behind
   * the clock.
   */
  static Instant eventTime(
      MongoDatabase database, AnalyticsOptions analytics, Instant now, Duration timeLimit) {
    QueryOptions options = QueryOptions.within(timeLimit);
    Optional<Instant> newest =
        Stream.of(
                new CountQueries(
                        database,
                        analytics.collections(NumberKind.COUNTS).collectionPrefix(),
                        options)
                    .newestWindow(),
                new ResultQueries(database, analytics::collections, options)
                    .newest(NumberKind.DENSITY))
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder());
    return newest
        .map(window -> window.plusMillis(WindowCount.WINDOW_MILLIS))
        .filter(now::isAfter)
        .orElse(now);
  }

  /** Numbers of dropped periods stay, so the range begins with the first period that there is. */
  private Optional<DensityAnchors> anchors(
      MongoDatabase database, Duration timeLimit, List<Replaced> all) {
    return all.stream()
        .filter(
            replaced -> replaced.kind() == NumberKind.DENSITY && !replaced.partitions().isEmpty())
        .findFirst()
        .map(
            replaced -> {
              TimeRange replacedRange = replaced.range();
              Instant first =
                  Collections.min(replaced.partitions(), comparing(HistoryPartition::start))
                      .start();
              return new DensityAnchors(
                  database,
                  config.analytics().collections(NumberKind.DENSITY),
                  new TimeRange(
                      first.isAfter(replacedRange.from()) ? first : replacedRange.from(),
                      replacedRange.to()),
                  now,
                  config.analytics().minimumGroup(),
                  timeLimit);
            });
  }
}
