package io.lastfix.jobs;

import io.lastfix.catalogs.CellEntryFunction;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.RecoveryOptions;
import io.lastfix.jobs.kafka.CatalogGroup;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.lastfix.jobs.kafka.RemovedProfiles;
import io.lastfix.locate.LocateOperator;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.CellEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.parse.ParseFunction;
import io.lastfix.parse.PartitionAdmission;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.profile.Profile;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.HistoryAdmission;
import io.lastfix.sink.HistorySink;
import io.lastfix.sink.LastKnownLocationSink;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Reads location records from Kafka, joins them with the cell catalogue, and keeps History and Last
 * Known Location in MongoDB.
 *
 * <pre>{@code
 * flink run lastfix-jobs-job.jar --config location.yaml --set kafka.bootstrap-servers=broker:9092
 * }</pre>
 */
@Command(
    name = "location-job",
    mixinStandardHelpOptions = true,
    description = "Keeps where every device was, and where it was last seen, in MongoDB.")
public final class LocationJob implements Callable<Integer> {
  /** What Kafka has not answered by then it is not waited for again. */
  private static final Duration KAFKA_CLOSE_LIMIT = Duration.ofSeconds(1);

  private static final int TOLERABLE_FAILED_CHECKPOINTS = 10;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration (YAML); config/location.yaml has every key. Without it, the defaults.")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A key over the file; may be given many times.")
  private List<String> overrides = List.of();

  private LocationJob() {}

  /** Reads the options, and submits the job to the cluster that Flink's own command has chosen. */
  public static void main(String[] args) throws Exception {
    LocationJob job = new LocationJob();
    CommandLine command = new CommandLine(job);
    CommandLine.ParseResult parsed = command.parseArgs(args);
    // Not command.execute: an exception has to reach "flink run", which reports it and exits
    // non-zero.
    if (!CommandLine.printHelpIfRequested(parsed)) {
      job.call();
    }
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = LocationJobConfig.load(configFile, overrides);
    Instant now = Instant.now();
    new StoreCheck(config.provision(), config.onOtherPeriod(), now)
        .run(Store.of(config, now), config.forgotten());
    int maxRejectedBytes;
    RemovalRetention removals;
    Admin admin = KafkaAdmin.connect(config.kafka());
    try {
      KafkaTopics topics = new KafkaTopics(admin, config.kafka());
      maxRejectedBytes = topics.ensure(config.profileNames());
      removals = topics.removalRetention();
      new RemovedProfiles(admin, config.kafka())
          .requireRead(config.profileNames(), config.abandonedTopics());
    } finally {
      admin.close(KAFKA_CLOSE_LIMIT);
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flinkConfiguration(config));
    CatalogGroup catalogGroup = CatalogGroup.ofNewStart(config.kafka().groupId());
    catalogGroup.publish(environment.getConfig());
    KafkaConnectors kafka = new KafkaConnectors(config, catalogGroup, removals);
    defineWorkflow(
        environment,
        config,
        kafka.locations(),
        new HistoryAdmission(
            config.historyMongo(),
            config.history(),
            config.provision(),
            config.partitionLimits(),
            config.historyBulks().retryTimeout()),
        kafka.cells(),
        removals,
        kafka.rejected(maxRejectedBytes),
        new ErasureFilterSink(
            new HistorySink(
                config.historyMongo(), config.historyBulks(), config.history(), config.provision()),
            config.forgotten()),
        new ErasureFilterSink(
            new LastKnownLocationSink(
                config.lastKnownLocationMongo(),
                config.lastKnownLocationBulks(),
                config.lastKnownLocation(),
                config.provision()),
            config.forgotten()));
    environment.execute(config.name());
    return 0;
  }

  /**
   * Connects the operators, for a History that takes records of all periods, and a catalogue's
   * topic that is as Lastfix creates it.
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      LocationJobConfig config,
      Source<RawMessage, ?, ?> locations,
      Source<RawMessage, ?, ?> cells,
      Sink<RejectedMessage> rejected,
      Sink<LocatedRecord> history,
      Sink<LocatedRecord> lastKnownLocation) {
    defineWorkflow(
        environment,
        config,
        locations,
        null,
        cells,
        RemovalRetention.DEFAULT,
        rejected,
        history,
        lastKnownLocation);
  }

  /**
   * Connects the operators. All that talks to the outside comes in as an argument, so that a test
   * can give its own.
   *
   * @param environment where the workflow is put
   * @param config what the operators are told
   * @param locations messages with location records
   * @param admission says which periods History takes; null: all
   * @param cells messages with catalogue entries
   * @param removals what {@code cells} reads anew by
   * @param rejected takes what could not be read
   * @param history takes every record, each user's in one subtask
   * @param lastKnownLocation takes the records with coordinates, each user's in one subtask
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      LocationJobConfig config,
      Source<RawMessage, ?, ?> locations,
      PartitionAdmission.@Nullable Factory admission,
      Source<RawMessage, ?, ?> cells,
      RemovalRetention removals,
      Sink<RejectedMessage> rejected,
      Sink<LocatedRecord> history,
      Sink<LocatedRecord> lastKnownLocation) {
    SingleOutputStreamOperator<LocationRecord> records =
        parse(environment, config, locations, admission);
    SingleOutputStreamOperator<CellEntry> entries = parseCells(environment, cells);
    reject(records, entries, rejected);
    SingleOutputStreamOperator<LocatedRecord> located = locate(records, entries, config, removals);
    SingleOutputStreamOperator<LocatedRecord> byUser = byUser(located);
    byUser.sinkTo(history).uid("history").name("history");
    locatedOnly(byUser)
        .sinkTo(lastKnownLocation)
        .uid("last-known-location")
        .name("last known location");
  }

  /**
   * Step 1: messages to records.
   *
   * @param admission as of the whole
   */
  public static SingleOutputStreamOperator<LocationRecord> parse(
      StreamExecutionEnvironment environment,
      LocationJobConfig config,
      Source<RawMessage, ?, ?> locations,
      PartitionAdmission.@Nullable Factory admission) {
    Map<String, Profile> profileByTopic =
        config.profiles().stream()
            .collect(
                Collectors.toMap(
                    profile -> config.kafka().locationTopic(profile.name()), profile -> profile));
    return environment
        .fromSource(locations, WatermarkStrategy.noWatermarks(), "read locations")
        .uid("read-locations")
        .process(
            new ParseFunction(
                profileByTopic,
                config.decoderLimits(),
                config.timestampLimits(),
                config.pseudonymKey(),
                admission))
        .uid("parse")
        .name("parse");
  }

  /** Step 2: messages to catalogue entries. */
  public static SingleOutputStreamOperator<CellEntry> parseCells(
      StreamExecutionEnvironment environment, Source<RawMessage, ?, ?> cells) {
    return environment
        .fromSource(cells, WatermarkStrategy.noWatermarks(), "read cells")
        .uid("read-cells")
        .process(new CellEntryFunction())
        .uid("parse-cells")
        .name("parse cells");
  }

  /** Step 3: what neither of the first two could read goes its own way. */
  public static void reject(
      SingleOutputStreamOperator<LocationRecord> records,
      SingleOutputStreamOperator<CellEntry> entries,
      Sink<RejectedMessage> rejected) {
    records
        .getSideOutput(ParseFunction.REJECTED)
        .union(entries.getSideOutput(ParseFunction.REJECTED))
        .sinkTo(rejected)
        .uid("rejected")
        .name("rejected");
  }

  /** Step 4: records get the coordinates of their cells. */
  public static SingleOutputStreamOperator<LocatedRecord> locate(
      SingleOutputStreamOperator<LocationRecord> records,
      SingleOutputStreamOperator<CellEntry> entries,
      LocationJobConfig config,
      RemovalRetention removals) {
    return LocateOperator.locate(
            records, entries, config.locate(), removals, config.catalogTimeout().limit())
        .uid("locate")
        .name("locate");
  }

  /**
   * Step 5: each user's records to one subtask, once for both sinks. The join is keyed by cell, so
   * a hot cell is one subtask's; what is written must not be.
   */
  public static SingleOutputStreamOperator<LocatedRecord> byUser(
      SingleOutputStreamOperator<LocatedRecord> located) {
    KeyedStream<LocatedRecord, String> keyed = located.keyBy(LocatedRecord::user, Types.STRING);
    // Taken as a plain stream: nothing behind it keeps state by user, and an operator of a keyed
    // stream would set a key for each record, and open a state backend, for nothing. Both sinks are
    // chained to the map, which is there for them to have one shuffle.
    return new DataStream<>(located.getExecutionEnvironment(), keyed.getTransformation())
        .map(record -> record, RecordTypes.LOCATED_RECORD)
        .uid("by-user")
        .name("by user");
  }

  /** Step 6: of these the ones with coordinates. */
  public static SingleOutputStreamOperator<LocatedRecord> locatedOnly(
      SingleOutputStreamOperator<LocatedRecord> byUser) {
    return byUser.filter(LocatedRecord::isLocated).uid("located-only").name("located only");
  }

  /** What Flink is told: recovery, no Kryo, and the user's own {@code flink.} keys over it. */
  public static Configuration flinkConfiguration(LocationJobConfig config) {
    RecoveryOptions recovery = config.recovery();
    Configuration flink = FlinkSettings.ofEveryJob(config);
    flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, recovery.checkpointInterval());
    flink.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, recovery.checkpointTimeout());
    // While MongoDB is slow checkpoints take long, and a restart would only make it slower.
    flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, TOLERABLE_FAILED_CHECKPOINTS);
    flink.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        recovery.restartInitialBackoff());
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        recovery.restartMaxBackoff());
    flink.addAll(Configuration.fromMap(config.flink()));
    return flink;
  }
}
