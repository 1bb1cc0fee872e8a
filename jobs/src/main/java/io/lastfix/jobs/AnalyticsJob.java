package io.lastfix.jobs;

import io.lastfix.analytics.counts.CountFunction;
import io.lastfix.analytics.counts.Counts;
import io.lastfix.analytics.distinct.DistinctFunction;
import io.lastfix.analytics.time.LocatedWatermarks;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.AnalyticsConnectors;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.WindowCountSink;
import io.lastfix.store.counts.WindowCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Counts the located records: how many there were in each window of ten seconds, by cell and area.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.AnalyticsJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 */
@Command(
    name = "analytics-job",
    mixinStandardHelpOptions = true,
    description = AnalyticsJob.DESCRIPTION)
public final class AnalyticsJob implements Callable<Integer> {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Counts located records per 10 s, by cell and area, in MongoDB and on a topic.";

  /** The time limit of closing Kafka's client; the job does not wait for later answers. */
  private static final Duration KAFKA_CLOSE_LIMIT = Duration.ofSeconds(1);

  @Mixin private final JobOptions options = new JobOptions();

  private AnalyticsJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new CommandLine(new AnalyticsJob()), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = options.config();
    String located = config.locatedTopic();
    if (located == null) {
      throw new IllegalArgumentException(
          "located.topic: expected the topic that the location job writes, found nothing: set it"
              + " (for example located.topic: lastfix.located) for both jobs, and restart the"
              + " location job first");
    }
    new StoreCheck(config.provision(), config.onOtherPeriod(), Instant.now())
        .run(List.of(Store.ofAnalytics(config, Instant.now())), config.erasureList());
    Admin admin = KafkaAdmin.connect(config.kafka());
    try {
      KafkaTopics topics = new KafkaTopics(admin, config.kafka());
      topics.ensureLocated(located);
      topics.ensureCounts(config.analytics().countsTopic());
    } finally {
      admin.close(KAFKA_CLOSE_LIMIT);
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    AnalyticsConnectors kafka = new AnalyticsConnectors(config);
    defineWorkflow(
        environment,
        config.analytics(),
        kafka.located(located),
        new WindowCountSink(
            config.historyMongo(),
            config.historyBulks(),
            config.analytics().counts(),
            config.provision()),
        kafka.counts());
    environment.execute(Jobs.ANALYTICS.nameIn(config));
    return 0;
  }

  /**
   * Connects the operators. All sources and sinks are arguments, so that a test can replace them.
   *
   * @param environment receives the workflow
   * @param options what is counted
   * @param located located records, in any order and with repetitions
   * @param store receives each number
   * @param published receives the same
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      AnalyticsOptions options,
      Source<LocatedRecord, ?, ?> located,
      Sink<WindowCount> store,
      Sink<WindowCount> published) {
    SingleOutputStreamOperator<LocatedRecord> distinct =
        environment
            .fromSource(
                located, LocatedWatermarks.strategy(options.outOfOrderness()), "read located")
            .uid("read-located")
            .keyBy(LocatedRecord::user, Types.STRING)
            .process(new DistinctFunction(), RecordTypes.LOCATED_RECORD)
            .uid("distinct")
            .name("distinct");
    SingleOutputStreamOperator<WindowCount> counts =
        Counts.of(distinct, options.grouping(), CountFunction.ofStream());
    counts.sinkTo(store).uid("counts").name("counts");
    counts.sinkTo(published).uid("published-counts").name("published counts");
  }
}
