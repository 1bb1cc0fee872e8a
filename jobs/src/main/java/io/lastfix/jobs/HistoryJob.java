package io.lastfix.jobs;

import com.mongodb.client.MongoClient;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.rebuild.RecordCounter;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Option;

/** A bounded job over History. All have these options and Flink settings in common. */
abstract class HistoryJob extends ConfiguredJob {
  /**
   * Each wait is twice as long as the one before. If the first is a second, they add up to half a
   * minute, which is longer than an election takes. A broken document fails at each attempt.
   */
  private static final int RESTARTS = 5;

  /** Into how many parts the records of a range are divided, if it is short. */
  private static final int PARTS = 32;

  /** A day is a part anyway. */
  private static final Duration LONGEST_PART = Duration.ofDays(1);

  private static final Duration SHORTEST_PART = Duration.ofSeconds(1);

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Read only records from this time on (2026-11-20T12:00:00Z). The rebuild reads whole"
              + " periods.")
  private Instant from = TimeRange.ALL.from();

  @Option(names = "--to", paramLabel = "TIME", description = "Read only records before this time.")
  private Instant to = TimeRange.ALL.to();

  TimeRange range() {
    return new TimeRange(from, to);
  }

  /**
   * Returns the partitions that may contain records of the range.
   *
   * @throws IllegalArgumentException if there is none
   */
  List<HistoryPartition> partitions(LocationJobConfig config) {
    return query(config, queries -> partitions(config, range(), queries));
  }

  /**
   * What a job over History reads.
   *
   * @param partitions that may contain records
   * @param cuts times that divide the stored records
   */
  record Input(List<HistoryPartition> partitions, List<Instant> cuts) {}

  /**
   * Returns the partitions that may contain records of a range, and times that divide its records,
   * so that all subtasks have something to read, also of a single hour.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Input input(LocationJobConfig config, TimeRange range) {
    return query(
        config,
        queries -> {
          List<HistoryPartition> partitions = partitions(config, range, queries);
          return new Input(
              partitions,
              queries.stored(partitions, range).map(HistoryJob::cuts).orElse(List.of()));
        });
  }

  /** Returns times that divide a range evenly; none if a part would be longer than a day. */
  static List<Instant> cuts(TimeRange stored) {
    Duration part = Duration.between(stored.from(), stored.to()).dividedBy(PARTS);
    if (part.compareTo(LONGEST_PART) >= 0) {
      return List.of();
    }
    Duration step = part.compareTo(SHORTEST_PART) < 0 ? SHORTEST_PART : part;
    List<Instant> cuts = new ArrayList<>();
    for (Instant cut = stored.from().plus(step); cut.isBefore(stored.to()); cut = cut.plus(step)) {
      cuts.add(cut);
    }
    return cuts;
  }

  /** Reads History, and counts what it reads under that accumulator's name. */
  static <T> SingleOutputStreamOperator<T> counted(
      StreamExecutionEnvironment environment,
      Source<T, ?, ?> history,
      TypeInformation<T> type,
      String accumulator) {
    return environment
        .fromSource(history, WatermarkStrategy.noWatermarks(), "read history")
        .uid("read-history")
        .map(new RecordCounter<>(accumulator), type)
        .uid("count-documents")
        .name("count documents");
  }

  private static <T> T query(LocationJobConfig config, Function<HistoryQueries, T> query) {
    try (MongoClient client = MongoClientFactory.create(config.historyMongo(), 1)) {
      return query.apply(
          new HistoryQueries(
              client.getDatabase(config.historyMongo().database()),
              config.history().collectionPrefix(),
              QueryOptions.within(config.historyMongo().readTimeout())));
    }
  }

  private static List<HistoryPartition> partitions(
      LocationJobConfig config, TimeRange range, HistoryQueries queries) {
    List<HistoryPartition> partitions = queries.partitions(range);
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException(
          "Database %s has no collection %s_… of a period from %s to %s: nothing to read"
              .formatted(
                  config.historyMongo().database(),
                  config.history().collectionPrefix(),
                  range.from(),
                  range.to()));
    }
    return partitions;
  }

  /** Returns the Flink settings: bounded restarts; the user's keys override all but the mode. */
  static Configuration flinkConfiguration(LocationJobConfig config, RuntimeExecutionMode mode) {
    Configuration flink = FlinkSettings.ofEveryJob(config);
    // Flink would derive the parallelism from the size of the data, which this source does not
    // report.
    flink.set(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_ENABLED, false);
    // An election fails the cursors of all subtasks at once. This strategy counts failures within
    // one wait as one; the other strategies count each.
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER, 2.0);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, RESTARTS);
    flink.addAll(Configuration.fromMap(config.flink()));
    flink.set(ExecutionOptions.RUNTIME_MODE, mode);
    return flink;
  }
}
