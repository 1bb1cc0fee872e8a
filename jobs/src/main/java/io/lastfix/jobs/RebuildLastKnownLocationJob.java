package io.lastfix.jobs;

import com.mongodb.client.MongoClient;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.LocatedRecord;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.rebuild.HistorySource;
import io.lastfix.rebuild.NewestRecord;
import io.lastfix.rebuild.RecordCounter;
import io.lastfix.sink.LastKnownLocationSink;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Recomputes Last Known Location from History. This bounded job may run beside the location job. It
 * writes as the location job does, with {@code $max}: it adds missing users, replaces older
 * positions, and never replaces a newer one.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.RebuildLastKnownLocationJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 *
 * <p>Its accumulators: {@value #DOCUMENTS} counts the located documents read from History, {@value
 * #USERS} the users among them; each user is one write. The results of the writes are metrics of
 * {@code last known location: Writer} while the job runs.
 */
@Command(
    name = "rebuild-last-known-location",
    mixinStandardHelpOptions = true,
    description = RebuildLastKnownLocationJob.DESCRIPTION)
public final class RebuildLastKnownLocationJob implements Callable<Integer> {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Recomputes the last known location of each device from History.";

  /** Accumulator: located documents read from History. */
  public static final String DOCUMENTS = "documents";

  /** Accumulator: users among these documents. */
  public static final String USERS = "users";

  /**
   * Each wait is twice as long as the one before. If the first is a second, they add up to half a
   * minute, which is longer than an election takes. A broken document fails at each attempt.
   */
  private static final int RESTARTS = 5;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The location job's configuration (YAML). If not given, the defaults apply.")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file. You may repeat this option.")
  private List<String> overrides = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Read only partitions that may contain records from this time on"
              + " (2026-11-20T12:00:00Z). The job reads these partitions as a whole.")
  private Instant from = TimeRange.ALL.from();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description =
          "Read only partitions that may contain records before this time. The job reads"
              + " these partitions as a whole.")
  private Instant to = TimeRange.ALL.to();

  private RebuildLastKnownLocationJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    RebuildLastKnownLocationJob job = new RebuildLastKnownLocationJob();
    CommandLine.ParseResult parsed = new CommandLine(job).parseArgs(args);
    // Not command.execute: "flink run" needs the exception.
    if (!CommandLine.printHelpIfRequested(parsed)) {
      job.call();
    }
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = LocationJobConfig.load(configFile, overrides);
    List<HistoryPartition> partitions = partitions(config);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flinkConfiguration(config));
    defineWorkflow(
        environment,
        new HistorySource(config.historyMongo(), partitions),
        new ErasureFilterSink(
            new LastKnownLocationSink(
                config.lastKnownLocationMongo(),
                config.lastKnownLocationBulks(),
                config.lastKnownLocation(),
                config.provision()),
            config.erasureList()));
    environment.execute(name(config));
    return 0;
  }

  /** The job's name in Flink's web interface. */
  public static String name(LocationJobConfig config) {
    return config.name() + "-rebuild-lkl";
  }

  private List<HistoryPartition> partitions(LocationJobConfig config) {
    try (MongoClient client = MongoClientFactory.create(config.historyMongo(), 1)) {
      List<HistoryPartition> partitions =
          new HistoryQueries(
                  client.getDatabase(config.historyMongo().database()),
                  config.history().collectionPrefix(),
                  QueryOptions.within(config.historyMongo().readTimeout()))
              .partitions(new TimeRange(from, to));
      if (partitions.isEmpty()) {
        throw new IllegalArgumentException(
            "Database %s has no collection %s_… of a period from %s to %s: nothing to rebuild from"
                .formatted(
                    config.historyMongo().database(),
                    config.history().collectionPrefix(),
                    from,
                    to));
      }
      return partitions;
    }
  }

  /**
   * Connects the operators.
   *
   * @param environment receives the workflow
   * @param history a bounded source of located records
   * @param lastKnownLocation receives each user's newest record
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      Source<LocatedRecord, ?, ?> history,
      Sink<LocatedRecord> lastKnownLocation) {
    environment
        .fromSource(history, WatermarkStrategy.noWatermarks(), "read history")
        .uid("read-history")
        .map(new RecordCounter(DOCUMENTS))
        .uid("count-documents")
        .name("count documents")
        .keyBy(LocatedRecord::user, Types.STRING)
        .reduce(new NewestRecord())
        .uid("newest-of-user")
        .name("newest of user")
        .map(new RecordCounter(USERS))
        .uid("count-users")
        .name("count users")
        .sinkTo(lastKnownLocation)
        .uid("last-known-location")
        .name("last known location");
  }

  /** The job's Flink settings: batch, bounded restarts; the user's keys override them. */
  public static Configuration flinkConfiguration(LocationJobConfig config) {
    Configuration flink = FlinkSettings.ofEveryJob(config);
    // Flink would derive the parallelism from the size of the data, which this source does not
    // report.
    flink.set(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_ENABLED, false);
    // An election fails the cursors of all subtasks at once. This strategy counts failures within
    // one wait as one; the other strategies count each.
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        config.recovery().restartInitialBackoff());
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        config.recovery().restartMaxBackoff());
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER, 2.0);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, RESTARTS);
    flink.addAll(Configuration.fromMap(config.flink()));
    flink.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    return flink;
  }
}
