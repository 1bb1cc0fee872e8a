package io.lastfix.jobs;

import io.lastfix.analytics.counts.CountFunction;
import io.lastfix.analytics.counts.Counts;
import io.lastfix.analytics.timeline.DensityRangeOperator;
import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.analytics.timeline.Timelines;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.LocatedRecord;
import io.lastfix.rebuild.HistoryReading;
import io.lastfix.rebuild.HistorySource;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Computes numbers from the records of History by the operators of the stream, and replaces the
 * stream's numbers. It runs in Flink's batch mode.
 *
 * <p>Its accumulator {@value #DOCUMENTS} counts the documents read.
 */
@Command(
    name = "analyze-job",
    mixinStandardHelpOptions = true,
    description = AnalyzeJob.DESCRIPTION)
public final class AnalyzeJob extends HistoryJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Computes numbers from the records of History, and replaces those of the stream.";

  /** Accumulator: documents read from History. */
  public static final String DOCUMENTS = "documents";

  @Option(
      names = "--numbers",
      paramLabel = "WHAT",
      split = ",",
      description =
          "What to compute, separated by commas: counts, density, flows, stays, trips (default:"
              + " counts).")
  private List<String> numbers = List.of(NumberKind.COUNTS.text());

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description = "The present: absence after it is not known.")
  private Instant now = Instant.now();

  @Option(
      names = "--late",
      description =
          "Of records that came too late in whole hours from --from to --to: compute all that they"
              + " change.")
  private boolean late;

  private AnalyzeJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new AnalyzeJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    List<NumberKind> kinds = numbers.stream().map(NumberKind::ofText).distinct().toList();
    TimelineOptions timeline = config.analytics().timeline();
    AnalyzeTimes times =
        late
            ? AnalyzeTimes.ofLateRecords(range(), timeline, now)
            : new AnalyzeTimes(range(), timeline, now);
    TimeRange records = times.records(kinds);
    Input input = input(config, records);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            flinkConfiguration(config, RuntimeExecutionMode.BATCH));
    defineWorkflow(
        environment,
        config.analytics(),
        kinds,
        new HistorySource<>(
            config.historyMongo(), input.partitions(), records, HistoryReading.ALL, input.cuts()),
        times,
        now,
        NumberSinks.ofHistory(config, times.knownUntil(kinds)));
    environment.execute(Jobs.ANALYZE.nameIn(config));
    return 0;
  }

  /**
   * Connects the operators.
   *
   * @param environment receives the workflow
   * @param kinds what is computed; one or more
   * @param history a bounded source of records, each once
   * @param times which results are stored
   * @param run the time of this analysis
   * @param sinks receive each number once
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      AnalyticsOptions options,
      List<NumberKind> kinds,
      Source<LocatedRecord, ?, ?> history,
      AnalyzeTimes times,
      Instant run,
      NumberSinks sinks) {
    // History holds each record once, so nothing is left for the stream's first operator to do.
    DataStream<LocatedRecord> records =
        counted(environment, history, RecordTypes.LOCATED_RECORD, DOCUMENTS);
    Workflow workflow = new Workflow(times);
    if (kinds.contains(NumberKind.COUNTS)) {
      workflow.store(
          Counts.of(records, options.grouping(), CountFunction.ofHistory(run.toEpochMilli())),
          NumberKind.COUNTS,
          WindowCount::windowMillis,
          sinks.counts());
    }
    if (kinds.stream().allMatch(kind -> kind == NumberKind.COUNTS)) {
      return;
    }
    Timelines timelines = new Timelines(records, options.timeline(), options.minimumGroup());
    if (kinds.contains(NumberKind.DENSITY)) {
      workflow.storeDensity(timelines.density(), sinks.density());
    }
    if (kinds.contains(NumberKind.FLOWS)) {
      workflow.store(timelines.flows(), NumberKind.FLOWS, FlowCount::hourMillis, sinks.flows());
    }
    if (kinds.contains(NumberKind.STAYS)) {
      workflow.store(
          timelines.stays(),
          NumberKind.STAYS,
          change -> change.stay().beginMillis(),
          sinks.stays());
    }
    if (kinds.contains(NumberKind.TRIPS)) {
      workflow.store(
          timelines.trips(),
          NumberKind.TRIPS,
          change -> change.trip().beginMillis(),
          sinks.trips());
    }
  }

  /** Stores results of the range only: of the margins around it, not all is known. */
  private record Workflow(AnalyzeTimes times) {
    <T> void store(DataStream<T> results, NumberKind kind, SerializableTime<T> time, Sink<T> sink) {
      long fromMillis = fromMillis(kind);
      long toMillis = toMillis(kind);
      store(
          results.filter(
              result ->
                  time.applyAsLong(result) >= fromMillis && time.applyAsLong(result) < toMillis),
          kind,
          sink);
    }

    void storeDensity(DataStream<DensityCount> results, Sink<DensityCount> sink) {
      store(
          results.transform(
              "range",
              Types.POJO(DensityCount.class),
              new DensityRangeOperator(
                  fromMillis(NumberKind.DENSITY), toMillis(NumberKind.DENSITY))),
          NumberKind.DENSITY,
          sink);
    }

    private static <T> void store(
        SingleOutputStreamOperator<T> results, NumberKind kind, Sink<T> sink) {
      results
          .uid("range-" + kind.text())
          .name("range of " + kind.text())
          .sinkTo(sink)
          .uid(kind.text())
          .name(kind.text());
    }

    private long fromMillis(NumberKind kind) {
      return times.results(kind).map(it -> it.from().toEpochMilli()).orElse(0L);
    }

    private long toMillis(NumberKind kind) {
      return times.results(kind).map(it -> it.to().toEpochMilli()).orElse(0L);
    }
  }

  /** The time of a result, in milliseconds since 1970. */
  private interface SerializableTime<T> extends ToLongFunction<T>, Serializable {}
}
