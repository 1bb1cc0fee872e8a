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
 * Recomputes Last Known Location from History: a bounded job that may run while the location job
 * does. It writes as that job writes, with {@code $max}, so it adds users that are missing and
 * moves forward those that are behind, and can move nobody back.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.RebuildLastKnownLocationJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 *
 * <p>Its accumulators: {@value #DOCUMENTS} are the located documents of History that were read,
 * {@value #USERS} the users among them, each of whom is one write. What became of the writes is in
 * the metrics of {@code last known location: Writer} while the job runs.
 */
@Command(
    name = "rebuild-last-known-location",
    mixinStandardHelpOptions = true,
    description = "Recomputes where each device was last seen from all that is in History.")
public final class RebuildLastKnownLocationJob implements Callable<Integer> {
  /** Accumulator: located documents read. */
  public static final String DOCUMENTS = "documents";

  /** Accumulator: users among them. */
  public static final String USERS = "users";

  /**
   * Each wait is twice as long as the one before: half a minute in all where the first is a second,
   * which is longer than an election takes. What a broken document fails, fails each time.
   */
  private static final int RESTARTS = 5;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The location job's configuration (YAML). Without it, the defaults.")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A key over the file; may be given many times.")
  private List<String> overrides = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Read only periods that hold something from this moment on (2026-11-20T12:00:00Z); these"
              + " whole.")
  private Instant from = TimeRange.ALL.from();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Read only periods that hold something before this moment; these whole.")
  private Instant to = TimeRange.ALL.to();

  private RebuildLastKnownLocationJob() {}

  /** Reads the options, and submits the job to the cluster that Flink's own command has chosen. */
  public static void main(String[] args) throws Exception {
    RebuildLastKnownLocationJob job = new RebuildLastKnownLocationJob();
    CommandLine.ParseResult parsed = new CommandLine(job).parseArgs(args);
    // Not command.execute: an exception has to reach "flink run".
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
            config.forgotten()));
    environment.execute(name(config));
    return 0;
  }

  /** The job's name on Flink's page. */
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
   * @param environment where the workflow is put
   * @param history gives located records, bounded
   * @param lastKnownLocation takes each user's newest
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

  /** What Flink is told: batch, bounded restarts, and the user's own keys. */
  public static Configuration flinkConfiguration(LocationJobConfig config) {
    Configuration flink = FlinkSettings.ofEveryJob(config);
    // Flink would choose by the size of the data, which it does not know of this source.
    flink.set(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_ENABLED, false);
    // A server's election fails the cursors of all subtasks at once. This strategy takes the
    // failures
    // that fall into one wait for one; the others would count each.
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
