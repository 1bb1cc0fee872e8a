package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.LocatedRecord;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.rebuild.HistoryReading;
import io.lastfix.rebuild.HistorySource;
import io.lastfix.rebuild.NewestRecords;
import io.lastfix.rebuild.RecordCounter;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.LastKnownLocationSink;
import io.lastfix.store.query.TimeRange;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;

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
public final class RebuildLastKnownLocationJob extends HistoryJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Recomputes the last known location of each device from History.";

  /** Accumulator: located documents read from History. */
  public static final String DOCUMENTS = "documents";

  /** Accumulator: users among these documents. */
  public static final String USERS = "users";

  private RebuildLastKnownLocationJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new RebuildLastKnownLocationJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            flinkConfiguration(config, RuntimeExecutionMode.BATCH));
    defineWorkflow(
        environment,
        new HistorySource<>(
            config.historyMongo(),
            partitions(config),
            // Whole periods: a read by _id alone costs nothing more, and $max forgives it.
            TimeRange.ALL,
            HistoryReading.LOCATED),
        lastKnownLocation(config));
    environment.execute(Jobs.REBUILD_LAST_KNOWN_LOCATION.nameIn(config));
    return 0;
  }

  /** Returns the sink of Last Known Location, which leaves out erased users. */
  static Sink<LocatedRecord> lastKnownLocation(LocationJobConfig config) {
    return new ErasureFilterSink<>(
        new LastKnownLocationSink(
            config.lastKnownLocationMongo(),
            config.lastKnownLocationBulks(),
            config.lastKnownLocation(),
            config.provision()),
        ErasureFilterSink.RECORD,
        config.erasureList());
  }

  /**
   * Connects the operators.
   *
   * @param environment receives the workflow
   * @param history a bounded source of located records
   * @param lastKnownLocation receives each user's newest record, and the newest with a position of
   *     its own
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      Source<LocatedRecord, ?, ?> history,
      Sink<LocatedRecord> lastKnownLocation) {
    counted(environment, history, RecordTypes.LOCATED_RECORD, DOCUMENTS)
        .map(NewestRecords::of)
        .returns(NewestRecords.TYPE)
        .uid("newest-of-record")
        .name("newest of record")
        .keyBy(NewestRecords::user, Types.STRING)
        .reduce(NewestRecords::merge)
        .uid("newest-of-user")
        .name("newest of user")
        .map(new RecordCounter<>(USERS), NewestRecords.TYPE)
        .uid("count-users")
        .name("count users")
        .flatMap(NewestRecords::split)
        .returns(RecordTypes.LOCATED_RECORD)
        .uid("records-of-user")
        .name("records of user")
        .sinkTo(lastKnownLocation)
        .uid("last-known-location")
        .name("last known location");
  }
}
