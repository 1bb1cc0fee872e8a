package io.lastfix.bench.stage;

import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.CellEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.parse.RawMessage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The location job, cut off after one of its stages, to measure what the stages up to there take:
 * what comes out is counted by a {@link MeasuringSink} and dropped. It reads what the location job
 * reads and stores nothing; MongoDB is not asked. {@code lastfix bench} submits it.
 *
 * <pre>{@code
 * flink run -c io.lastfix.bench.stage.StageJob lastfix-bench-stage-job.jar --config location.yaml --until locate
 * }</pre>
 */
@Command(
    name = "stage-job",
    mixinStandardHelpOptions = true,
    description = "Measures the location job up to one of its stages; stores nothing.")
public final class StageJob implements Callable<Integer> {
  /** Where the job is cut off; each has all of the one before it. */
  public enum Stage {
    /** Reads and parses messages. */
    PARSE,
    /** Also sends records to the subtask of their cell and joins them with the catalogue. */
    LOCATE,
    /** Also sends records to the subtask of their user, and measures those with coordinates. */
    SHUFFLE,
    /** The whole job, with sinks that drop their input. */
    SINKS
  }

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The location job's configuration (YAML). Without it, the defaults.")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file; may be given many times.")
  private List<String> overrides = List.of();

  @Option(
      names = "--until",
      paramLabel = "STAGE",
      defaultValue = "sinks",
      description = "The last stage: parse, locate, shuffle or sinks (default: ${DEFAULT-VALUE}).")
  private Stage until = Stage.SINKS;

  @Option(
      names = "--warm-up",
      paramLabel = "RECORDS",
      defaultValue = "0",
      description =
          "Records before the measurement begins, all subtasks together (default:"
              + " ${DEFAULT-VALUE}).")
  private long warmUpRecords;

  private StageJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new StageJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = LocationJobConfig.load(configFile, overrides);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    CatalogGroup catalogGroup = CatalogGroup.ofNewStart(config.kafka().groupId());
    catalogGroup.publish(environment.getConfig());
    KafkaConnectors kafka = new KafkaConnectors(config);
    defineWorkflow(
        environment,
        config,
        kafka.locations(catalogGroup),
        kafka.cells(catalogGroup, RemovalRetention.DEFAULT),
        until,
        warmUpRecords);
    environment.execute(config.name());
    return 0;
  }

  /**
   * Connects the location job's operators up to a stage. Each stage reads the catalogue, because
   * location records wait until it is loaded.
   *
   * @param warmUpRecords before the measurement begins, all subtasks together
   */
  static void defineWorkflow(
      StreamExecutionEnvironment environment,
      LocationJobConfig config,
      Source<RawMessage, ?, ?> locations,
      Source<RawMessage, ?, ?> cells,
      Stage until,
      long warmUpRecords) {
    SingleOutputStreamOperator<LocationRecord> records =
        LocationJob.parse(environment, config, locations, null);
    SingleOutputStreamOperator<CellEntry> entries = LocationJob.parseCells(environment, cells);
    DataStream<LedgerEntry> rejections =
        LocationJob.reject(records, entries, new DiscardingSink<>());
    if (until == Stage.PARSE) {
      entries.sinkTo(new DiscardingSink<>()).uid("entries").name("entries");
      measure(records, warmUpRecords);
      return;
    }
    SingleOutputStreamOperator<LocatedRecord> located =
        LocationJob.locate(records, entries, config, RemovalRetention.DEFAULT);
    switch (until) {
      case LOCATE -> measure(located, warmUpRecords);
      case SHUFFLE -> measure(LocationJob.locatedOnly(LocationJob.byUser(located)), warmUpRecords);
      case SINKS -> {
        SingleOutputStreamOperator<LocatedRecord> byUser = LocationJob.byUser(located);
        LocationJob.ledger(
            records, rejections, located, LocationJob.history(byUser, new DiscardingSink<>()));
        measure(LocationJob.locatedOnly(byUser), warmUpRecords);
      }
      default -> throw new IllegalArgumentException("stage: expected one after PARSE: " + until);
    }
  }

  private static <T> void measure(DataStream<T> stream, long warmUpRecords) {
    stream
        .sinkTo(new MeasuringSink<>(warmUpRecords))
        .uid(MeasuringSink.NAME)
        .name(MeasuringSink.NAME);
  }
}
