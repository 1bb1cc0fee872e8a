package io.lastfix.jobs;

import io.lastfix.catalogs.CellEntryFunction;
import io.lastfix.deadlock.DeadlockWatchOperator;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.JobParameters;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.ledger.AccountedSink;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.ledger.LedgerOperator;
import io.lastfix.locate.LocateOperator;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.CellEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.parse.ParseFunction;
import io.lastfix.parse.ParseOperator;
import io.lastfix.parse.PartitionAdmission;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.RejectionCountOperator;
import io.lastfix.parse.UserRule;
import io.lastfix.parse.profile.Profile;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.sink.HistoryAdmission;
import io.lastfix.sink.HistorySink;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * Reads location records from Kafka, joins them with the cell catalogue, and keeps History and Last
 * Known Location in MongoDB. If a topic is configured, it also publishes the joined records there.
 *
 * <pre>{@code
 * flink run lastfix-jobs-job.jar --config location.yaml --set kafka.bootstrap-servers=broker:9092
 * }</pre>
 */
@Command(
    name = "location-job",
    mixinStandardHelpOptions = true,
    description = LocationJob.DESCRIPTION)
public final class LocationJob extends ConfiguredJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Stores every device's history and last known location in MongoDB.";

  private static final Logger LOG = LoggerFactory.getLogger(LocationJob.class);

  private static final int TOLERABLE_FAILED_CHECKPOINTS = 10;

  private LocationJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new LocationJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    String locatedTopic = config.locatedTopic();
    Instant now = Instant.now();
    new StoreCheck(config.provision(), config.onOtherPeriod(), now)
        .run(Store.of(config, now), config.erasureList());
    int maxRejectedBytes;
    RemovalRetention removals;
    try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
      config = withExistingTopics(config, topics);
      maxRejectedBytes = topics.ensure(config.profileNames());
      removals = topics.removalRetention();
      if (locatedTopic != null) {
        topics.ensureLocated(locatedTopic);
      }
      topics.unreadTopics().requireRead(config.profileNames(), config.source().abandonedTopics());
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flinkConfiguration(config));
    CatalogGroup catalogGroup = CatalogGroup.ofNewStart(config.kafka().groupId());
    catalogGroup.publish(environment.getConfig());
    JobParameters.publishLocationTopics(
        environment.getConfig(), config.kafka().locationTopics(config.profileNames()));
    JobParameters.publishLocatedTopic(environment.getConfig(), locatedTopic);
    KafkaConnectors kafka = new KafkaConnectors(config);
    defineWorkflow(
        environment,
        config,
        kafka.locations(catalogGroup),
        new HistoryAdmission(
            config.historyMongo(),
            config.history(),
            config.provision(),
            config.partitionLimits(),
            config.historyBulks().retryTimeout()),
        kafka.cells(catalogGroup, removals),
        removals,
        kafka.rejected(maxRejectedBytes),
        new ErasureFilterSink<>(
            new HistorySink(
                config.historyMongo(), config.historyBulks(), config.history(), config.provision()),
            ErasureFilterSink.RECORD,
            config.erasureList()),
        RebuildLastKnownLocationJob.lastKnownLocation(config),
        locatedTopic == null
            ? null
            : new ErasureFilterSink<>(
                kafka.locatedSink(locatedTopic), ErasureFilterSink.RECORD, config.erasureList()));
    environment.execute(config.name());
    return 0;
  }

  /**
   * Leaves out shipped profiles that the user has not named and whose topics do not exist, if the
   * job may not create topics.
   */
  private LocationJobConfig withExistingTopics(LocationJobConfig config, KafkaTopics topics) {
    if (config.kafka().createTopics() || gives(LocationJobConfig.PROFILE_NAMES)) {
      return config;
    }
    List<String> missing = topics.missing(config.kafka().locationTopics(config.profileNames()));
    List<String> kept =
        config.profileNames().stream()
            .filter(name -> !missing.contains(config.kafka().locationTopic(name)))
            .toList();
    // Without any topic the start is refused, with the remedy.
    if (missing.isEmpty() || kept.isEmpty()) {
      return config;
    }
    LOG.warn(
        "Kafka has no topic {}. The job does not read them, since kafka.create-topics is false and"
            + " profiles.names is not set: set it, or create them and submit the job again",
        String.join(", ", missing));
    return configWith(LocationJobConfig.PROFILE_NAMES, String.join(",", kept));
  }

  /**
   * Connects the operators. All sources and sinks are arguments, so that a test can replace them.
   *
   * @param environment receives the workflow
   * @param config the operators' configuration
   * @param locations messages with location records
   * @param admission decides which periods History accepts; null: all
   * @param cells messages with catalogue entries
   * @param removals how long the topic of {@code cells} keeps removals, which decides when {@code
   *     cells} is read anew
   * @param rejected receives unreadable messages and records
   * @param history receives every record, each user's in one subtask
   * @param lastKnownLocation receives the records with coordinates, each user's in one subtask
   * @param published receives what {@code history} receives, for other programs; null: the workflow
   *     has no such sink
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
      Sink<LocatedRecord> lastKnownLocation,
      @Nullable Sink<LocatedRecord> published) {
    SingleOutputStreamOperator<LocationRecord> records =
        parse(environment, config, locations, admission);
    SingleOutputStreamOperator<CellEntry> entries = parseCells(environment, cells);
    DataStream<LedgerEntry> rejections = reject(records, entries, rejected);
    SingleOutputStreamOperator<LocatedRecord> located = locate(records, entries, config, removals);
    SingleOutputStreamOperator<LocatedRecord> byUser = byUser(located);
    DataStream<LedgerEntry> stored = history(byUser, history);
    ledger(records, rejections, located, stored);
    locatedOnly(byUser)
        .sinkTo(lastKnownLocation)
        .uid("last-known-location")
        .name(JobMetrics.LAST_KNOWN_LOCATION);
    if (published != null) {
      byUser.sinkTo(published).uid("located").name("located");
    }
  }

  /**
   * Step 1: parses messages into records.
   *
   * @param admission as in the whole workflow
   */
  public static SingleOutputStreamOperator<LocationRecord> parse(
      StreamExecutionEnvironment environment,
      LocationJobConfig config,
      Source<RawMessage, ?, ?> locations,
      PartitionAdmission.@Nullable Factory admission) {
    Map<String, Profile> profileByTopic = new HashMap<>();
    Map<String, UserRule> userRuleByTopic = new HashMap<>();
    for (Profile profile : config.profiles()) {
      String topic = config.kafka().locationTopic(profile.name());
      profileByTopic.put(topic, profile);
      userRuleByTopic.put(topic, config.parse().userRule(profile.name()));
    }
    return ParseOperator.parse(
            environment
                .fromSource(locations, WatermarkStrategy.noWatermarks(), "read locations")
                .uid("read-locations"),
            new ParseFunction(
                profileByTopic,
                config.parse().decoderLimits(),
                config.parse().timestampLimits(),
                userRuleByTopic,
                config.pseudonymKey(),
                admission),
            JobMetrics.PARSE)
        .uid("parse");
  }

  /** Step 2: parses messages into catalogue entries. */
  public static SingleOutputStreamOperator<CellEntry> parseCells(
      StreamExecutionEnvironment environment, Source<RawMessage, ?, ?> cells) {
    return environment
        .fromSource(cells, WatermarkStrategy.noWatermarks(), "read cells")
        .uid("read-cells")
        .process(new CellEntryFunction())
        .uid("parse-cells")
        .name("parse cells");
  }

  /**
   * Step 3: sends rejections of the first two steps to a sink of their own.
   *
   * @return the ledger's entries of the location records among them
   */
  public static DataStream<LedgerEntry> reject(
      SingleOutputStreamOperator<LocationRecord> records,
      SingleOutputStreamOperator<CellEntry> entries,
      Sink<RejectedMessage> rejected) {
    SingleOutputStreamOperator<RejectedMessage> counted =
        RejectionCountOperator.count(
                records
                    .getSideOutput(ParseFunction.REJECTED)
                    .union(entries.getSideOutput(ParseFunction.REJECTED)))
            .uid("count-rejected")
            .name("count rejected");
    counted.sinkTo(rejected).uid("rejected").name("rejected");
    return counted.getSideOutput(LedgerEntry.OUTPUT);
  }

  /** Step 4: joins records with the coordinates of their cells. */
  public static SingleOutputStreamOperator<LocatedRecord> locate(
      SingleOutputStreamOperator<LocationRecord> records,
      SingleOutputStreamOperator<CellEntry> entries,
      LocationJobConfig config,
      RemovalRetention removals) {
    return LocateOperator.locate(
            records, entries, config.locate(), removals, config.source().catalogTimeout().limit())
        .uid("locate")
        .name(JobMetrics.LOCATE);
  }

  /**
   * Step 5: sends each user's records to one subtask, once for all sinks. The join is keyed by
   * cell, so one subtask processes all records of a busy cell; the writes must be spread over all
   * subtasks.
   */
  public static SingleOutputStreamOperator<LocatedRecord> byUser(
      SingleOutputStreamOperator<LocatedRecord> located) {
    KeyedStream<LocatedRecord, String> keyed = located.keyBy(LocatedRecord::user, Types.STRING);
    // Used as a plain stream, because no operator after it keeps state by user. An operator of a
    // keyed stream would set a key for each record and open a state backend, without use. All
    // sinks are chained to this operator, so that they share one shuffle.
    return DeadlockWatchOperator.watch(
            new DataStream<>(located.getExecutionEnvironment(), keyed.getTransformation()))
        .uid("by-user")
        .name("by user");
  }

  /**
   * Step 6: stores all records in History.
   *
   * @return the ledger's entries
   */
  public static SingleOutputStreamOperator<LedgerEntry> history(
      DataStream<LocatedRecord> byUser, Sink<LocatedRecord> history) {
    return AccountedSink.write(byUser, history, "history", JobMetrics.HISTORY);
  }

  /** Beside all steps: adds up what became of the records. */
  public static void ledger(
      SingleOutputStreamOperator<LocationRecord> records,
      DataStream<LedgerEntry> rejections,
      SingleOutputStreamOperator<LocatedRecord> located,
      DataStream<LedgerEntry> stored) {
    LedgerOperator.of(
        records
            .getSideOutput(LedgerEntry.OUTPUT)
            .union(rejections, located.getSideOutput(LedgerEntry.OUTPUT), stored));
  }

  /** Step 7: keeps only the records with coordinates. */
  public static SingleOutputStreamOperator<LocatedRecord> locatedOnly(
      SingleOutputStreamOperator<LocatedRecord> byUser) {
    return byUser.filter(LocatedRecord::isLocated).uid("located-only").name("located only");
  }

  /** The job's Flink settings: recovery, no Kryo; the user's {@code flink.} keys override them. */
  public static Configuration flinkConfiguration(LocationJobConfig config) {
    Configuration flink = FlinkSettings.ofEveryJob(config);
    flink.set(
        TaskManagerOptions.TASK_CANCELLATION_TIMEOUT, FlinkSettings.cancellationTimeout(config));
    flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, config.recovery().checkpointInterval());
    flink.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, config.recovery().checkpointTimeout());
    // If MongoDB is slow, checkpoints take long, and a restart would slow it down further.
    flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, TOLERABLE_FAILED_CHECKPOINTS);
    flink.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    flink.addAll(Configuration.fromMap(config.flink()));
    return flink;
  }
}
