package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.Presence;
import io.lastfix.parse.RawMessage;
import io.lastfix.presence.AppendTimeFunction;
import io.lastfix.presence.PresenceFunction;
import io.lastfix.presence.PresenceInput;
import io.lastfix.presence.PresenceInputSerializer;
import io.lastfix.presence.PresenceOptions;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.privacy.ErasureListFollower;
import io.lastfix.sink.PresenceSink;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;

/**
 * Follows the devices' signs of life: stores the devices' presence in MongoDB, and publishes
 * changes of presence and the bytes that devices have used.
 *
 * <pre>{@code
 * flink run -c io.lastfix.jobs.DevicesJob lastfix-jobs-job.jar --config location.yaml
 * }</pre>
 */
@Command(
    name = "devices-job",
    mixinStandardHelpOptions = true,
    description = DevicesJob.DESCRIPTION)
public final class DevicesJob extends ConfiguredJob {
  /** One line for the help of commands. */
  public static final String DESCRIPTION =
      "Keeps in MongoDB which devices are there, and counts the bytes they push.";

  /** The sink of presence, by its name in Flink. */
  static final String DEVICES_SINK = "devices";

  /** The sink of changes of presence, by its name in Flink. */
  static final String CHANGES_SINK = "changes";

  private DevicesJob() {}

  /**
   * Entry point: reads the options, and submits the job to the cluster that {@code flink run} has
   * chosen.
   */
  public static void main(String[] args) throws Exception {
    Jobs.run(new DevicesJob(), args);
  }

  @Override
  public Integer call() throws Exception {
    LocationJobConfig config = config();
    new StoreCheck(config.provision(), config.onOtherPeriod(), Instant.now())
        .run(List.of(Store.ofDevices(config)), config.erasureList());
    int partitions;
    try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
      partitions = topics.ensureDevices(config.devices());
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    KafkaConnectors kafka = new KafkaConnectors(config);
    defineWorkflow(
        environment,
        config.devices().presence(),
        kafka.heartbeats(Jobs.DEVICES.groupId(config.kafka())),
        partitions,
        ErasureListFollower.opener(config.erasureList()),
        new ErasureFilterSink<>(
            new PresenceSink(
                config.lastKnownLocationMongo(),
                config.lastKnownLocationBulks(),
                config.devices().collection(),
                config.provision()),
            ErasureFilterSink.PRESENCE,
            config.erasureList()),
        new ErasureFilterSink<>(kafka.presence(), ErasureFilterSink.PRESENCE, config.erasureList()),
        kafka.usage());
    environment.execute(Jobs.DEVICES.nameIn(config));
    return 0;
  }

  /**
   * Connects the operators. All sources and sinks are arguments, so that a test can replace them.
   *
   * @param environment receives the workflow
   * @param options how presence is judged
   * @param heartbeats signs of life and ticks, with their append times
   * @param partitions of the source. A subtask without one would hold the watermark back
   * @param erasureList the list that both sinks of presences follow
   * @param store receives each device's presence
   * @param changes receives changes only, each device's in their order
   * @param usage receives the devices' usage, each device's in its order
   */
  public static void defineWorkflow(
      StreamExecutionEnvironment environment,
      PresenceOptions options,
      Source<RawMessage, ?, ?> heartbeats,
      int partitions,
      ErasureListFollower.Opener erasureList,
      Sink<Presence> store,
      Sink<Presence> changes,
      Sink<DeviceUsage> usage) {
    int readers = Math.min(environment.getParallelism(), partitions);
    SingleOutputStreamOperator<PresenceInput> inputs =
        environment
            .fromSource(heartbeats, AppendTimeFunction.watermarks(), "read heartbeats")
            .uid("read-heartbeats")
            .setParallelism(readers)
            .process(new AppendTimeFunction(options), PresenceInputSerializer.TYPE)
            .uid("append-time")
            .name("append time")
            .setParallelism(readers);
    SingleOutputStreamOperator<Presence> presence =
        inputs
            .keyBy(PresenceInput::key, Types.STRING)
            .process(new PresenceFunction(options, erasureList), Types.POJO(Presence.class))
            .uid("presence")
            .name("presence");
    presence.sinkTo(store).uid(DEVICES_SINK).name(DEVICES_SINK);
    presence
        .getSideOutput(PresenceFunction.CHANGES)
        .sinkTo(changes)
        .uid(CHANGES_SINK)
        .name(CHANGES_SINK);
    presence.getSideOutput(PresenceFunction.USAGE).sinkTo(usage).uid("usage").name("usage");
  }
}
