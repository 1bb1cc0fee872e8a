package io.lastfix.local;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cluster.StackState;
import io.lastfix.local.MongoReplicaSet.MongoProbe;
import io.lastfix.local.program.ShardingPrograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * A sharded MongoDB cluster: config servers, shards (each a replica set), and two routers, to which
 * clients connect.
 *
 * <p>A config server or shard keeps its port permanently, because the others' data contain it. A
 * shard that does not find its config servers there does not even listen. Routers may move.
 */
public final class ShardedMongo extends StackService {
  static final String CONFIG_PREFIX = "config-";
  static final String SHARD_PREFIX = "shard-";
  public static final String ROUTER_PREFIX = StackState.MONGOS_PREFIX;

  private static final String CONFIG_SET = "lastfix-config";
  private static final String SHARD_SET_PREFIX = "lastfix-shard-";
  private static final int ROUTERS = 2;
  private static final int USUAL_ROUTER_PORT = 27017;
  private static final int USUAL_CONFIG_PORT = 27019;
  private static final int USUAL_SHARD_PORT = 27030;

  /** More than a shard's maximum number of members. */
  private static final int PORTS_OF_SHARD = 10;

  /** Small, because several mongods share a laptop; MongoDB's minimum for the cache. */
  private static final String CACHE_GIGABYTES = "0.25";

  private static final int OPLOG_MEGABYTES = 256;

  /** From this major release on, MongoDB requires an explicit confirmation. */
  private static final int CONFIRMS_SINCE_MAJOR = 7;

  private final ShardingPrograms programs;
  private final Access access;
  private final int members;
  private final MongoReplicaSet config;
  private final List<MongoReplicaSet> shards = new ArrayList<>();
  private final List<ServerProcess> routers = new ArrayList<>();

  /**
   * Authentication of the clients.
   *
   * @param mongod further arguments of each mongod
   * @param mongos further arguments of each router
   * @param client adds the settings that the servers require, with an administrator's rights
   * @param router adds the settings that the routers require, which know no user of {@code local}
   * @param beforeRouters is called with the config servers, whose users are also the routers'
   */
  public record Access(
      List<String> mongod,
      List<String> mongos,
      Consumer<MongoClientSettings.Builder> client,
      Consumer<MongoClientSettings.Builder> router,
      Consumer<MongoClient> beforeRouters) {}

  /**
   * @param shape the number of shards, at least one, and of members of each shard and of the config
   *     servers
   * @param more arguments of each mongod, after ours
   */
  public ShardedMongo(
      ServerSite site, ShardingPrograms programs, MongoShape shape, List<String> more) {
    this(
        site,
        programs,
        shape,
        new Access(more, List.of(), client -> {}, client -> {}, config -> {}));
  }

  /**
   * Prepares servers that authenticate their clients.
   *
   * @param shape the number of shards, at least one, and of members of each shard and of the config
   *     servers
   */
  public ShardedMongo(ServerSite site, ShardingPrograms programs, MongoShape shape, Access access) {
    super(site, MongoServer.NAME);
    this.programs = programs;
    this.access = access;
    members = shape.members();
    config = replicaSet(CONFIG_SET, CONFIG_PREFIX, USUAL_CONFIG_PORT, "--configsvr");
    for (int shard = 0; shard < shape.shards(); shard++) {
      shards.add(newShard(shard));
    }
    for (int router = 0; router < ROUTERS; router++) {
      String name = ROUTER_PREFIX + router;
      int port = takePort(name, name, USUAL_ROUTER_PORT + router);
      routers.add(site.mongoProcess(name, programs.mongos(), routerArguments(port)));
    }
  }

  private MongoReplicaSet newShard(int number) {
    return replicaSet(
        SHARD_SET_PREFIX + number,
        shardPrefix(number),
        USUAL_SHARD_PORT + PORTS_OF_SHARD * number,
        "--shardsvr");
  }

  private MongoReplicaSet replicaSet(String name, String prefix, int usualPort, String role) {
    return new MongoReplicaSet(
        site,
        programs.mongod(),
        new MongoReplicaSet.Plan(
            name, prefix, members, usualPort, role, CACHE_GIGABYTES, OPLOG_MEGABYTES),
        access.mongod(),
        access.client());
  }

  /** The prefix of a shard's process names; a member's number follows. */
  static String shardPrefix(int number) {
    return SHARD_PREFIX + number + "-";
  }

  private List<String> routerArguments(int port) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--configdb",
                config.seed(),
                "--bind_ip",
                Ports.LOOPBACK,
                "--port",
                Integer.toString(port),
                "--nounixsocket",
                "--setParameter",
                "diagnosticDataCollectionEnabled=false",
                // How long a router that shuts down waits for its clients; 15 s by default, however
                // idle they are.
                "--setParameter",
                "mongosShutdownTimeoutMillisForSignaledShutdown=1000"));
    arguments.addAll(access.mongos());
    return arguments;
  }

  /** Config servers, shards, routers. */
  @Override
  public List<ServerProcess> processes() {
    return Stream.concat(serverProcesses().stream(), routers.stream()).toList();
  }

  private List<ServerProcess> serverProcesses() {
    return Stream.concat(Stream.of(config), shards.stream())
        .flatMap(set -> set.processes().stream())
        .toList();
  }

  /** One of the shards, by its number. */
  public MongoReplicaSet shard(int shard) {
    return shards.get(shard);
  }

  /** The connection string of both routers. */
  @Override
  public String endpoint() {
    return "mongodb://" + String.join(",", routerHosts()) + "/";
  }

  /** The routers' addresses, {@code host:port}. */
  public List<String> routerHosts() {
    return super.ports().values().stream().map(port -> Ports.LOOPBACK + ":" + port).toList();
  }

  @Override
  Map<String, Integer> ports() {
    Map<String, Integer> ports = new LinkedHashMap<>(config.ports());
    shards.forEach(shard -> ports.putAll(shard.ports()));
    ports.putAll(super.ports());
    return ports;
  }

  /**
   * Starts the servers. The routers follow in {@link #awaitReady}, because a router exits if the
   * servers' feature compatibility version is too new for it.
   */
  @Override
  public void start() {
    serverProcesses().forEach(ServerProcess::start);
  }

  /**
   * Initiates all parts of the cluster that are not initiated yet, starts the routers, and waits
   * until both know every shard.
   */
  @Override
  public void awaitReady(Duration limit) {
    // A shard of the cluster listens only after it has found the config servers.
    config.awaitMembers("MongoDB's config servers", limit);
    shards.forEach(shard -> shard.awaitMembers("MongoDB's " + shard.name(), limit));
    // The config servers pass the version to the shards that they know; the other shards follow.
    lowerFeatureCompatibilityVersion(config, limit);
    shards.forEach(shard -> lowerFeatureCompatibilityVersion(shard, limit));
    try (MongoClient client = config.connect()) {
      access.beforeRouters().accept(client);
    }
    routers.forEach(ServerProcess::start);
    awaitRouters(limit);
  }

  /** Adds a shard to the running cluster, and waits until both routers know it. */
  public void addShard(Duration limit) {
    MongoReplicaSet added = newShard(shards.size());
    shards.add(added);
    added.processes().forEach(ServerProcess::start);
    added.awaitMembers("MongoDB's " + added.name(), limit);
    lowerFeatureCompatibilityVersion(added, limit);
    awaitRouters(limit);
  }

  private void lowerFeatureCompatibilityVersion(MongoReplicaSet set, Duration limit) {
    Optional<String> needed = programs.neededFeatureCompatibilityVersion();
    if (needed.isEmpty()) {
      return;
    }
    try (MongoClient client = set.connect()) {
      MongoDatabase admin = client.getDatabase("admin");
      Readiness.await(
          "MongoDB's feature compatibility version " + needed.get(),
          set.processes(),
          limit,
          () -> hasFeatureCompatibilityVersion(admin, needed.get()));
    }
  }

  private boolean hasFeatureCompatibilityVersion(MongoDatabase admin, String wanted) {
    Document found =
        admin
            .runCommand(new Document("getParameter", 1).append("featureCompatibilityVersion", 1))
            .get("featureCompatibilityVersion", Document.class);
    // During a change of versions, the document has a second field.
    if (found.equals(new Document("version", wanted))) {
      return true;
    }
    Document command = new Document("setFeatureCompatibilityVersion", wanted);
    if (programs.server().major() >= CONFIRMS_SINCE_MAJOR) {
      command.append("confirm", true);
    }
    admin.runCommand(command);
    return true;
  }

  private void awaitRouters(Duration limit) {
    for (String host : routerHosts()) {
      try (MongoClient client = MongoProbe.connect("mongodb://" + host + "/", access.router())) {
        MongoDatabase admin = client.getDatabase("admin");
        Readiness.await("MongoDB's router " + host, routers, limit, () -> knowsAllShards(admin));
      }
    }
  }

  /** Also adds shards that the cluster does not know yet. */
  private boolean knowsAllShards(MongoDatabase admin) {
    List<String> known =
        admin.runCommand(new Document("listShards", 1)).getList("shards", Document.class).stream()
            .map(shard -> shard.getString("_id"))
            .toList();
    for (MongoReplicaSet shard : shards) {
      if (!known.contains(shard.name())) {
        admin.runCommand(new Document("addShard", shard.seed()).append("name", shard.name()));
      }
    }
    return true;
  }
}
