package io.lastfix.local;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which a stack's processes end: no server ends before its clients, and all others end
 * together.
 */
final class ShutdownOrder {
  /** In the order of their end. */
  private enum Tier {
    /** First, so that no job fails because of lost servers, and each device gets its answer. */
    CLIENTS,
    /** Kafka, the MQTT broker, and the routers, which need the shards. */
    FRONT,
    /** The shards, which need the config servers, or the members of the one replica set. */
    DATA,
    CONFIG;

    static Tier of(String process) {
      if (FlinkCluster.isProcess(process)
          || process.equals(GatewayServer.NAME)
          || process.equals(NotifyServer.NAME)
          || process.equals(ConsoleServer.NAME)
          || process.equals(PrometheusServer.NAME)
          || process.equals(AlertmanagerServer.NAME)) {
        return CLIENTS;
      }
      if (process.startsWith(ShardedMongo.CONFIG_PREFIX)) {
        return CONFIG;
      }
      return process.startsWith(MongoServer.PROCESS_PREFIX)
              || process.startsWith(ShardedMongo.SHARD_PREFIX)
          ? DATA
          : FRONT;
    }
  }

  private ShutdownOrder() {}

  /** The processes in groups, in the order of their end; a group's processes may end together. */
  static List<List<ServerProcess>> groups(List<ServerProcess> processes) {
    Map<Tier, List<ServerProcess>> groups = new EnumMap<>(Tier.class);
    for (ServerProcess process : processes) {
      groups.computeIfAbsent(Tier.of(process.name()), none -> new ArrayList<>()).add(process);
    }
    return List.copyOf(groups.values());
  }
}
