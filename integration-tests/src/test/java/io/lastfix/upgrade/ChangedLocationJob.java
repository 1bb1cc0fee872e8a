package io.lastfix.upgrade;

import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.parse.RawMessage;
import io.lastfix.sink.HistorySink;
import io.lastfix.sink.LastKnownLocationSink;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.admin.Admin;

/**
 * The location job with another branch beside it, which has state of its own: it counts the
 * catalogue's messages. Its main class stands in the place of {@link LocationJob}'s in the jar.
 */
public final class ChangedLocationJob {
  /** The added operator's metric, as the REST API names it. */
  public static final String COUNT_METRIC = "count_cells.seen";

  private ChangedLocationJob() {}

  /** Takes {@code --set key=value} as the location job does. */
  public static void main(String[] args) throws Exception {
    List<String> settings = new ArrayList<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      settings.add(args[i + 1]);
    }
    LocationJobConfig config = LocationJobConfig.load(null, settings);
    int maxRejectedBytes;
    try (Admin admin = Admin.create(config.kafka().clientProperties())) {
      maxRejectedBytes = new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    CatalogGroup catalogGroup = CatalogGroup.ofNewStart(config.kafka().groupId());
    catalogGroup.publish(environment.getConfig());
    KafkaConnectors kafka = new KafkaConnectors(config);
    LocationJob.defineWorkflow(
        environment,
        config,
        kafka.locations(catalogGroup),
        null,
        kafka.cells(catalogGroup, RemovalRetention.DEFAULT),
        RemovalRetention.DEFAULT,
        kafka.rejected(maxRejectedBytes),
        new HistorySink(
            config.historyMongo(), config.historyBulks(), config.history(), config.provision()),
        new LastKnownLocationSink(
            config.lastKnownLocationMongo(),
            config.lastKnownLocationBulks(),
            config.lastKnownLocation(),
            config.provision()),
        null);
    // A group of its own, or the two readers of the catalogue would overwrite each other's offsets.
    environment
        .fromSource(
            kafka.cells(
                CatalogGroup.ofNewStart(config.kafka().groupId()), RemovalRetention.DEFAULT),
            WatermarkStrategy.noWatermarks(),
            "read cells again")
        .uid("read-cells-again")
        .filter(new Count())
        .uid("count-cells")
        .name("count cells")
        .sinkTo(new DiscardingSink<>())
        .uid("counted-cells")
        .name("counted cells");
    environment.execute(config.name());
  }

  /** Counts what passes, over restarts too. */
  private static final class Count extends RichFilterFunction<RawMessage>
      implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    private transient ListState<Long> state;
    private transient long seen;

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      state =
          context
              .getOperatorStateStore()
              .getListState(new ListStateDescriptor<>("seen", Types.LONG));
      for (Long part : state.get()) {
        seen += part;
      }
      getRuntimeContext().getMetricGroup().gauge("seen", () -> seen);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      state.update(List.of(seen));
    }

    @Override
    public boolean filter(RawMessage message) {
      seen++;
      return true;
    }
  }
}
