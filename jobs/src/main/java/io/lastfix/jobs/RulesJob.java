package io.lastfix.jobs;

import io.lastfix.alert.JudgeOperator;
import io.lastfix.alert.UpstreamProgress;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.RulesOptions;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.jobs.kafka.topics.LocationProgress;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.Presence;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.privacy.ErasureListFollower;
import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.sink.NumberSink;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;

/**
 * Judges the located records by rules and fences, and stores and publishes an alert each time that
 * a rule becomes true for a user.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.RulesJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 */
@Command(name = "rules-job", mixinStandardHelpOptions = true, description = RulesJob.DESCRIPTION)
public final class RulesJob extends ConfiguredJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Judges located records by rules; stores alerts in MongoDB, and publishes them in Kafka.";

  /** The sink of alerts in MongoDB, by its name in Flink. */
  static final String ALERTS_SINK = "alerts";

  /** The sink of alerts in Kafka, by its name in Flink. */
  static final String PUBLISHED_ALERTS_SINK = "published alerts";

  /** To read all rules takes seconds; the rest is for a Kafka that is about to start. */
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private RulesJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new RulesJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    String located = requireLocatedTopic(config);
    RulesOptions rules = config.rules();
    Instant now = Instant.now();
    new StoreCheck(config.provision(), config.onOtherPeriod(), now)
        .run(List.of(Store.ofRules(config, now)), config.erasureList());
    try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
      topics.ensureLocated(located);
      topics.ensurePresence(config.devices().presenceTopic());
      topics.ensureRules(rules.topic());
      topics.ensureApplied(rules.appliedTopic());
      topics.ensureAlerts(rules.alertsTopic());
    }
    StreamExecutionEnvironment environment = LocatedInput.environment(config, located);
    KafkaConnectors kafka = new KafkaConnectors(config);
    String group = Jobs.RULES.groupId(config.kafka());
    defineWorkflow(
        environment,
        rules.judge(),
        kafka.locatedFromNow(located, Jobs.RULES.name(), group),
        kafka.presenceFromNow(group),
        new LocationProgress.Opener(
            config.kafka(),
            Jobs.LOCATION.groupId(config.kafka()),
            config.kafka().locationTopics(config.profileNames()),
            group,
            config.devices().presenceTopic()),
        RuleFollower.opener(
            new RuleFollower.Options(
                rules.topic(),
                rules.appliedTopic(),
                config.devices().usageTopic(),
                new StoredDeviceNames(config.pseudonymKey()),
                config.kafka().clientProperties(),
                START_LIMIT)),
        ErasureListFollower.opener(config.erasureList()),
        new ErasureFilterSink<>(
            NumberSink.ofAlerts(NumberSinks.server(config), rules.alerts()),
            ErasureFilterSink.ALERT,
            config.erasureList()),
        new ErasureFilterSink<>(kafka.alerts(), ErasureFilterSink.ALERT, config.erasureList()));
    environment.execute(Jobs.RULES.nameIn(config));
    return 0;
  }

  /**
   * Connects the operators. All sources and sinks are arguments, so that a test can replace them.
   *
   * @param environment receives the workflow
   * @param options how devices are judged
   * @param located located records; it emits their watermarks
   * @param presence changes of presence, of devices that are named as the records' users are
   * @param upstream how far the location job has come, and whether the changes are read
   * @param rules opens what each subtask judges by
   * @param erasureList the list that both sinks follow
   * @param store receives each alert, a repeat of one again
   * @param published receives each alert, likewise
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      JudgeOptions options,
      Source<LocatedRecord, ?, ?> located,
      Source<Presence, ?, ?> presence,
      UpstreamProgress.Opener upstream,
      RuleFollower.Opener rules,
      ErasureListFollower.Opener erasureList,
      Sink<Alert> store,
      Sink<Alert> published) {
    DataStream<LocatedRecord> records = LocatedInput.read(environment, located);
    DataStream<Presence> presences =
        environment
            .fromSource(presence, WatermarkStrategy.noWatermarks(), "read presence")
            .uid("read-presence");
    SingleOutputStreamOperator<Alert> alerts =
        JudgeOperator.judge(records, presences, options, upstream, rules, erasureList)
            .uid("judge")
            .name("judge");
    alerts.sinkTo(store).uid(ALERTS_SINK).name(ALERTS_SINK);
    alerts.sinkTo(published).uid("published-alerts").name(PUBLISHED_ALERTS_SINK);
  }
}
