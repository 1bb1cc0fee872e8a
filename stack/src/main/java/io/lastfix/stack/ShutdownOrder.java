package io.lastfix.stack;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Which processes of a stack end first: no server ends before those that need it, and all others
 * end together.
 */
final class ShutdownOrder {
  /** In the order in which they end. */
  private enum Tier {
    /** First, so that no job fails over the loss of its servers. */
    FLINK,
    /** Kafka, and the routers, which need the shards. */
    FRONT,
    /** The shards, which need the config servers, or the members of the one replica set. */
    DATA,
    CONFIG;

    static Tier of(String process) {
      if (process.equals(FlinkCluster.JOB_MANAGER)
          || process.startsWith(FlinkCluster.TASK_MANAGER)) {
        return FLINK;
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

  /** Those processes in groups, each of which may end at once, in the order of their end. */
  static List<List<ServerProcess>> groups(List<ServerProcess> processes) {
    Map<Tier, List<ServerProcess>> groups = new EnumMap<>(Tier.class);
    for (ServerProcess process : processes) {
      groups.computeIfAbsent(Tier.of(process.name()), none -> new ArrayList<>()).add(process);
    }
    return List.copyOf(groups.values());
  }
}
