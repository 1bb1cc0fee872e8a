package io.lastfix.jobs;

import io.lastfix.analytics.counts.CountFunction;
import io.lastfix.analytics.counts.Counts;
import io.lastfix.analytics.counts.PaceOperator;
import io.lastfix.analytics.distinct.DistinctFunction;
import io.lastfix.analytics.distinct.LateRecordsOperator;
import io.lastfix.analytics.results.CommittedResultsOperator;
import io.lastfix.analytics.timeline.Timelines;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.LateCount;
import io.lastfix.store.timeline.StoredResult;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;

/**
 * Computes numbers from the located records: how many there were in each window of ten seconds, how
 * many devices were where, how many moved from where to where, and which users stayed and
 * travelled.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.AnalyticsJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 */
@Command(
    name = "analytics-job",
    mixinStandardHelpOptions = true,
    description = AnalyticsJob.DESCRIPTION)
public final class AnalyticsJob extends ConfiguredJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Counts located records per 10 s; density, flows, stays and trips of devices; in MongoDB.";

  private AnalyticsJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new AnalyticsJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    String located = requireLocatedTopic(config);
    Instant now = Instant.now();
    new StoreCheck(config.provision(), config.onOtherPeriod(), now)
        .run(List.of(Store.ofAnalytics(config, now)), config.erasureList());
    StoreCheck.requireRemovable(
        config.historyMongo(),
        config.analytics().numbers().stream()
            .filter(kind -> kind != NumberKind.COUNTS)
            .map(kind -> config.analytics().collections(kind).collectionAt(now.toEpochMilli()))
            .toList(),
        "results that a late record refutes are removed. Grant it the role lastfixAnalytics"
            + " (config/mongodb/roles.json), or set analytics.numbers: counts");
    try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
      topics.ensureLocated(located);
      if (config.analytics().numbers().contains(NumberKind.COUNTS)) {
        topics.ensureCounts(config.analytics().countsTopic());
      }
    }
    StreamExecutionEnvironment environment = LocatedInput.environment(config, located);
    KafkaConnectors kafka = new KafkaConnectors(config);
    defineWorkflow(
        environment,
        config.analytics(),
        kafka.locatedSource(located, Jobs.ANALYTICS.name(), Jobs.ANALYTICS.groupId(config.kafka())),
        NumberSinks.ofStream(config),
        kafka.counts());
    environment.execute(Jobs.ANALYTICS.nameIn(config));
    return 0;
  }

  /**
   * Connects the operators. All sources and sinks are arguments, so that a test can replace them.
   *
   * @param environment receives the workflow
   * @param options what is computed
   * @param located located records, in any order and with repetitions; it emits their watermarks
   * @param sinks receive each number
   * @param published receives each count
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      AnalyticsOptions options,
      Source<LocatedRecord, ?, ?> located,
      NumberSinks sinks,
      Sink<WindowCount> published) {
    SingleOutputStreamOperator<LocatedRecord> distinct =
        LocatedInput.read(environment, located)
            .keyBy(LocatedRecord::user, Types.STRING)
            .process(new DistinctFunction(), RecordTypes.LOCATED_RECORD)
            .uid("distinct")
            .name(JobMetrics.DISTINCT);
    List<NumberKind> numbers = options.numbers();
    distinct
        .getSideOutput(DistinctFunction.TOO_LATE)
        .transform("count late", Types.POJO(LateCount.class), new LateRecordsOperator(numbers))
        .uid("count-late")
        .sinkTo(sinks.late())
        .uid("late")
        .name("late");
    if (numbers.contains(NumberKind.COUNTS)) {
      SingleOutputStreamOperator<WindowCount> counts =
          Counts.of(distinct, options.grouping(), CountFunction.ofStream());
      counts
          .transform("pace", counts.getType(), new PaceOperator())
          .uid("pace-counts")
          .sinkTo(sinks.counts())
          .uid("counts")
          .name("counts");
      counts.sinkTo(published).uid("published-counts").name("published counts");
    }
    if (numbers.stream().allMatch(kind -> kind == NumberKind.COUNTS)) {
      return;
    }
    Timelines timelines = new Timelines(distinct, options.timeline(), options.minimumGroup());
    // These add up changes of what the operator before them holds. They do so also if no sink
    // stores their results: if they began later, devices would leave places that they had not come
    // to.
    SingleOutputStreamOperator<DensityCount> density = timelines.density();
    SingleOutputStreamOperator<FlowCount> flows = timelines.flows();
    if (numbers.contains(NumberKind.DENSITY)) {
      store(density, sinks.density(), NumberKind.DENSITY);
    }
    if (numbers.contains(NumberKind.FLOWS)) {
      store(flows, sinks.flows(), NumberKind.FLOWS);
    }
    if (numbers.contains(NumberKind.STAYS)) {
      store(timelines.stays(), sinks.stays(), NumberKind.STAYS);
    }
    if (numbers.contains(NumberKind.TRIPS)) {
      store(timelines.trips(), sinks.trips(), NumberKind.TRIPS);
    }
  }

  /** Stores results once a checkpoint has them, from the subtask that computes them. */
  private static <T extends StoredResult> void store(
      DataStream<T> results, Sink<T> sink, NumberKind kind) {
    results
        .transform(
            "hold " + kind.text(),
            results.getType(),
            new CommittedResultsOperator<>(results.getType()))
        .uid("hold-" + kind.text())
        .sinkTo(sink)
        .uid(kind.text())
        .name(kind.text());
  }
}
