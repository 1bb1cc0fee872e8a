package io.lastfix.jobs;

import io.lastfix.analytics.counts.CountFunction;
import io.lastfix.analytics.counts.Counts;
import io.lastfix.analytics.counts.Grouping;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.LocatedRecord;
import io.lastfix.rebuild.HistoryReading;
import io.lastfix.rebuild.HistorySource;
import io.lastfix.rebuild.RecordCounter;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.WindowCountSink;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.TimeRange;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Counts the records of History by the operators that count the stream, and replaces the stream's
 * numbers. It runs in Flink's batch mode.
 *
 * <p>Its accumulator {@value #DOCUMENTS} counts the documents read.
 */
@Command(
    name = "analyze-job",
    mixinStandardHelpOptions = true,
    description = AnalyzeJob.DESCRIPTION)
public final class AnalyzeJob implements Callable<Integer> {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Counts the records of History, and replaces the numbers of the stream.";

  /** Accumulator: documents read from History. */
  public static final String DOCUMENTS = "documents";

  @Mixin private final HistoryJobOptions options = new HistoryJobOptions();

  private AnalyzeJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new CommandLine(new AnalyzeJob()), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = options.config();
    AnalyticsOptions analytics = config.analytics();
    TimeRange range = wholeWindows(options.range());
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flinkConfiguration(config));
    defineWorkflow(
        environment,
        analytics.grouping(),
        new HistorySource<>(
            config.historyMongo(), options.partitions(config), range, HistoryReading.ALL),
        Instant.now().toEpochMilli(),
        new WindowCountSink(
            config.historyMongo(), config.historyBulks(), analytics.counts(), config.provision()));
    environment.execute(Jobs.ANALYZE.nameIn(config));
    return 0;
  }

  /** Returns the range from the window that contains its first instant to the one of its last. */
  public static TimeRange wholeWindows(TimeRange range) {
    long to = range.to().toEpochMilli();
    long lastWindow = WindowCount.windowOf(to - 1);
    return new TimeRange(
        Instant.ofEpochMilli(WindowCount.windowOf(range.from().toEpochMilli())),
        Instant.ofEpochMilli(
            Math.min(lastWindow + WindowCount.WINDOW_MILLIS, TimeRange.ALL.to().toEpochMilli())));
  }

  /**
   * Connects the operators.
   *
   * @param environment receives the workflow
   * @param history a bounded source of records, each once
   * @param runMillis the time of this count, in milliseconds since 1970
   * @param store receives each number once
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      Grouping grouping,
      Source<LocatedRecord, ?, ?> history,
      long runMillis,
      Sink<WindowCount> store) {
    // History holds each record once, so nothing is left for the stream's first operator to do.
    Counts.of(
            environment
                .fromSource(history, WatermarkStrategy.noWatermarks(), "read history")
                .uid("read-history")
                .map(new RecordCounter<>(DOCUMENTS, RecordTypes.LOCATED_RECORD))
                .uid("count-documents")
                .name("count documents"),
            grouping,
            CountFunction.ofHistory(runMillis))
        .sinkTo(store)
        .uid("counts")
        .name("counts");
  }

  /** The job's Flink settings: batch, bounded restarts; the user's keys override them. */
  public static Configuration flinkConfiguration(LocationJobConfig config) {
    return HistoryJobOptions.flinkConfiguration(config, RuntimeExecutionMode.BATCH);
  }
}
