package io.lastfix.stack;

import com.mongodb.MongoClientSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A MongoDB replica set of one or more members, each a mongod of its own. */
public final class MongoServer extends StackService {
  public static final String NAME = "mongodb";
  public static final String PROCESS_PREFIX = "mongod-";
  private static final String REPLICA_SET = "lastfix";
  private static final int USUAL_PORT = 27017;

  /**
   * From which percentages of the cache on changed pages are written out between two checkpoints
   * (targets), and from which on who stores has to help (triggers). By itself WiredTiger begins at
   * 5, of what was updated at 2.5, and has others help at 20 and 10: Last Known Location changes
   * the same pages again and again, and most of that writing is for nothing. RATIONALE.md has what
   * it brings.
   */
  private static final String EVICTION =
      "eviction_dirty_target=20,eviction_dirty_trigger=40,"
          + "eviction_updates_target=20,eviction_updates_trigger=40";

  private final MongoReplicaSet members;

  /**
   * @param members 1 to 7, MongoDB's limit of voting members
   */
  public MongoServer(ServerSite site, Path mongod, int members) {
    this(site, mongod, members, List.of());
  }

  /**
   * @param members 1 to 7, MongoDB's limit of voting members
   * @param more arguments of each mongod, behind ours
   */
  public MongoServer(ServerSite site, Path mongod, int members, List<String> more) {
    this(site, mongod, members, more, client -> {});
  }

  /**
   * For members whose clients have to prove themselves.
   *
   * @param members 1 to 7, MongoDB's limit of voting members
   * @param more arguments of each mongod, behind ours
   * @param client gives a client what the members ask for, with an administrator's rights
   */
  public MongoServer(
      ServerSite site,
      Path mongod,
      int members,
      List<String> more,
      Consumer<MongoClientSettings.Builder> client) {
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
  public String name() {
    return NAME;
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
   * Forms the replica set if it isn't formed, and waits for a primary that takes writes and for the
   * others to follow it.
   */
  @Override
  public void awaitReady(Duration limit) {
    members.awaitMembers("MongoDB", limit);
  }
}
