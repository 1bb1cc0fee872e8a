package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.ledger.AccountedSink;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.locate.LocateOperator;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.parse.RawMessage;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.rebuild.HistoryReading;
import io.lastfix.rebuild.HistorySource;
import io.lastfix.rebuild.WriteCounter;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.PositionFillSink;
import io.lastfix.store.history.HistoryPartition;
import java.util.List;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Finds the positions of stored records whose cell was unknown when they arrived. This bounded job
 * may run beside the location job. It reads the documents of History without a position, joins them
 * with the catalogue as it is now by the stream's own operator, raises Last Known Location, and
 * adds the positions to the documents. It changes no position that is there. Running it again, also
 * after a failure, does only what is left.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.RelocateJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 *
 * <p>Its accumulators: {@value #DOCUMENTS} counts the documents without a position; {@link
 * io.lastfix.locate.CatalogFirstLocateOperator} names those of the join, and {@link WriteCounter}
 * those of the writes. All are of the last attempt if the job was restarted.
 */
@Command(name = "relocate", mixinStandardHelpOptions = true, description = RelocateJob.DESCRIPTION)
public final class RelocateJob extends HistoryJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Finds the positions of stored records whose cell was unknown when they arrived.";

  /** Accumulator: documents of History without a position. */
  public static final String DOCUMENTS = "documents";

  private static final Logger LOG = LoggerFactory.getLogger(RelocateJob.class);

  @Option(names = "--dry-run", description = "Count only; write nothing.")
  private boolean isDryRun;

  private RelocateJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new RelocateJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    // A stream that ends: the join reads one input before the other, for which Flink offers no
    // means in batch mode.
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            flinkConfiguration(config, RuntimeExecutionMode.STREAMING));
    defineWorkflow(
        environment,
        new HistorySource<>(
            config.historyMongo(), partitionsOfPeriod(config), range(), HistoryReading.UNLOCATED),
        new KafkaConnectors(config).cellsUpToNow(),
        isDryRun ? null : positions(config));
    environment.execute(Jobs.RELOCATE.nameIn(config));
    return 0;
  }

  private static Sink<LocatedRecord> positions(LocationJobConfig config) {
    return new ErasureFilterSink<>(
        new PositionFillSink(
            config.historyMongo(),
            config.historyBulks(),
            config.history(),
            config.lastKnownLocationMongo(),
            config.lastKnownLocation(),
            config.provision(),
            System.currentTimeMillis()),
        ErasureFilterSink.RECORD,
        config.erasureList());
  }

  /**
   * Returns the partitions of the configured period: a record's timestamp leads the sink to its
   * partition of that period only.
   */
  private List<HistoryPartition> partitionsOfPeriod(LocationJobConfig config) {
    List<HistoryPartition> all = partitions(config);
    List<HistoryPartition> ofPeriod = all.stream().filter(config.history()::isOfPeriod).toList();
    if (ofPeriod.isEmpty()) {
      throw new IllegalArgumentException(
          "Database %s has no partition of history.period %s; set that key to the period of %s"
              .formatted(
                  config.historyMongo().database(),
                  config.history().period(),
                  all.get(0).collection()));
    }
    if (ofPeriod.size() < all.size()) {
      LOG.warn(
          "{} partitions of another period than history.period ({}) are not read: run the job again"
              + " with that period",
          all.size() - ofPeriod.size(),
          config.history().period());
    }
    return ofPeriod;
  }

  /**
   * Connects the operators.
   *
   * @param environment receives the workflow
   * @param history a bounded source of records without a position
   * @param cells a bounded source of messages with catalogue entries
   * @param positions receives the records with their positions; null: they are only counted
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      Source<LocationRecord, ?, ?> history,
      Source<RawMessage, ?, ?> cells,
      @Nullable Sink<LocatedRecord> positions) {
    // The cluster's own configuration may set an interval; the join could then not be submitted.
    environment.getCheckpointConfig().disableCheckpointing();
    var records = counted(environment, history, RecordTypes.LOCATION_RECORD, DOCUMENTS);
    var located =
        LocateOperator.locateAfterCatalog(records, LocationJob.parseCells(environment, cells))
            .uid("locate")
            .name("locate")
            .filter(LocatedRecord::isLocated)
            .uid("located-only")
            .name("located only");
    if (positions != null) {
      AccountedSink.write(located, positions, "positions", "positions")
          .map(new WriteCounter(), LedgerEntry.TYPE)
          .uid("count-written")
          .name("count written");
    }
  }
}
