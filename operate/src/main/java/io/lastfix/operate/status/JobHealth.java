package io.lastfix.operate.status;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.console.config.HealthOptions;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.local.GatewayServer;
import io.lastfix.operate.access.ServerAccess;
import java.util.HashMap;
import java.util.Map;

/** Where the health of the jobs is read. */
public final class JobHealth {
  private JobHealth() {}

  /** The servers with known addresses, and the names of the jobs. */
  public static HealthOptions options(LocationJobConfig job, ServerAccess access) {
    return new HealthOptions(
        access.flink().orElse(null),
        StackState.read(StackHome.ofThisProcess())
            .map(state -> state.endpoints().get(GatewayServer.NAME))
            .orElse(null),
        access.kafka().map(JobHealth::properties).orElse(Map.of()),
        job.name(),
        Jobs.ANALYTICS.nameIn(job),
        job.kafka().groupId(),
        job.kafka().rejectedTopic());
  }

  /** The properties of a Kafka client as text. */
  public static Map<String, String> properties(KafkaOptions kafka) {
    Map<String, String> properties = new HashMap<>();
    kafka
        .clientProperties()
        .forEach((name, value) -> properties.put(String.valueOf(name), String.valueOf(value)));
    return properties;
  }
}
