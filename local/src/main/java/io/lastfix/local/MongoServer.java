package io.lastfix.local;

import com.mongodb.MongoClientSettings;
import com.sun.management.OperatingSystemMXBean;
import io.lastfix.cluster.StackState;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** A MongoDB replica set of one or more members, each a separate mongod. */
public final class MongoServer extends StackService {
  public static final String NAME = StackState.MONGODB;
  public static final String PROCESS_PREFIX = StackState.MONGOD_PREFIX;
  private static final String REPLICA_SET = "lastfix";
  private static final int USUAL_PORT = 27017;

  /**
   * Percentages of the cache. From the targets on, WiredTiger writes changed pages out between two
   * checkpoints. From the triggers on, client threads have to help. By default, writing begins at
   * 5, or at 2.5 of updates, and client threads help from 20 and 10. Last Known Location changes
   * the same pages repeatedly, so most of that writing is useless. docs/decisions/local.md has the
   * measured gain.
   */
  private static final String EVICTION =
      "eviction_dirty_target=20,eviction_dirty_trigger=40,"
          + "eviction_updates_target=20,eviction_updates_trigger=40";

  private final MongoReplicaSet members;

  /**
   * @param members 1 to 7, MongoDB's limit of voting members
   * @param more arguments of each mongod, after ours
   * @param client adds the settings that the members require, with an administrator's rights
   */
  public MongoServer(
      ServerSite site,
      Path mongod,
      int members,
      List<String> more,
      Consumer<MongoClientSettings.Builder> client) {
    super(site, NAME);
    this.members =
        new MongoReplicaSet(
            site,
            mongod,
            new MongoReplicaSet.Plan(
                REPLICA_SET,
                PROCESS_PREFIX,
                MongoShape.replicaSet(members).members(),
                USUAL_PORT,
                "",
                MongoCache.ofThisMachine(members),
                512),
            withEviction(more),
            client);
  }

  private static List<String> withEviction(List<String> more) {
    List<String> arguments = new ArrayList<>(List.of("--wiredTigerEngineConfigString", EVICTION));
    arguments.addAll(more);
    return arguments;
  }

  @Override
  public List<ServerProcess> processes() {
    return members.processes();
  }

  /** The replica set's connection string. */
  @Override
  public String endpoint() {
    return members.endpoint();
  }

  @Override
  Map<String, Integer> ports() {
    return Map.copyOf(members.ports());
  }

  /**
   * Forms the replica set if necessary, and waits for a writable primary and for the other members
   * to follow it.
   */
  @Override
  public void awaitReady(Duration limit) {
    members.awaitMembers("MongoDB", limit);
  }

  /**
   * The size of a local mongod's cache. All members together get an eighth of the machine's memory,
   * and each gets half a gibibyte at least. The rest stays for the user, and the data of an hour's
   * load still fits. If the data does not fit, even a query has to evict pages first, and waits for
   * the disk.
   */
  static final class MongoCache {
    private static final double SHARE = 1.0 / 8;
    private static final double LEAST_GIBIBYTES = 0.5;
    private static final double BYTES_PER_GIBIBYTE = 1L << 30;

    private MongoCache() {}

    /** The value of {@code --wiredTigerCacheSizeGB} for each of N members on this machine. */
    static String ofThisMachine(int members) {
      var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return gibibytes(system.getTotalMemorySize(), members);
    }

    /** The value for each of N members on a machine with that much memory. */
    static String gibibytes(long memoryBytes, int members) {
      double share = memoryBytes / BYTES_PER_GIBIBYTE * SHARE / members;
      return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_GIBIBYTES, share));
    }
  }
}
