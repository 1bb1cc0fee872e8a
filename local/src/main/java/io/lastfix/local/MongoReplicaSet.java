package io.lastfix.local;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cluster.StackException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;

/** One replica set of several mongods, and its initiation. */
public final class MongoReplicaSet {
  private static final int NOT_YET_INITIALIZED = 94;

  private final Plan plan;
  private final Consumer<MongoClientSettings.Builder> client;
  private final List<ServerProcess> processes = new ArrayList<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /**
   * The replica set to form.
   *
   * @param name of the set
   * @param processPrefix of each member's process name, followed by its number
   * @param members 1 to 7, MongoDB's limit of voting members
   * @param firstUsualPort of member 0; the others' follow
   * @param role {@code --configsvr}, {@code --shardsvr}, or empty
   * @param cacheGigabytes of each member, at least 0.25
   * @param oplogMegabytes of each member
   */
  record Plan(
      String name,
      String processPrefix,
      int members,
      int firstUsualPort,
      String role,
      String cacheGigabytes,
      int oplogMegabytes) {
    /** Returns whether the set belongs to a sharded cluster. */
    boolean isOfCluster() {
      return !role.isEmpty();
    }
  }

  /**
   * @param more arguments of each mongod, after ours
   * @param client adds the settings that the members require, with an administrator's rights
   */
  MongoReplicaSet(
      ServerSite site,
      Path mongod,
      Plan plan,
      List<String> more,
      Consumer<MongoClientSettings.Builder> client) {
    this.plan = plan;
    this.client = client;
    for (int i = 0; i < plan.members(); i++) {
      String name = plan.processPrefix() + i;
      int usualPort = plan.firstUsualPort() + i;
      int port =
          plan.isOfCluster() ? site.lastingPort(name, usualPort) : site.port(name, name, usualPort);
      ports.put(name, port);
      processes.add(site.mongoProcess(name, mongod, arguments(site, name, port, more)));
    }
  }

  private List<String> arguments(ServerSite site, String name, int port, List<String> more) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(
        List.of(
            "--dbpath",
            site.home().dataDirectory(name).toString(),
            "--bind_ip",
            Ports.LOOPBACK,
            "--port",
            Integer.toString(port),
            "--nounixsocket",
            "--replSet",
            plan.name(),
            // Without this limit, each mongod takes half of the memory.
            "--wiredTigerCacheSizeGB",
            plan.cacheGigabytes(),
            "--oplogSize",
            Integer.toString(plan.oplogMegabytes()),
            "--setParameter",
            "diagnosticDataCollectionEnabled=false",
            // How long a member that shuts down waits for its clients to move to another; 15 s by
            // default.
            "--setParameter",
            "shutdownTimeoutMillisForSignaledShutdown=500"));
    if (plan.isOfCluster()) {
      arguments.add(plan.role());
    }
    arguments.addAll(more);
    return arguments;
  }

  /** The name, by which a cluster knows a shard. */
  public String name() {
    return plan.name();
  }

  /** The members' processes. */
  public List<ServerProcess> processes() {
    return List.copyOf(processes);
  }

  /** The ports by process name, in the members' order. */
  Map<String, Integer> ports() {
    return ports;
  }

  /** The members' addresses, {@code host:port}, in their order. */
  public List<String> hosts() {
    return ports.values().stream().map(port -> Ports.LOOPBACK + ":" + port).toList();
  }

  /** The set in the form of MongoDB's own commands and options: {@code name/host,host}. */
  String seed() {
    return plan.name() + "/" + String.join(",", hosts());
  }

  /** The connection string; of a shard, it bypasses the routers. */
  public String endpoint() {
    return "mongodb://" + String.join(",", hosts()) + "/?replicaSet=" + plan.name();
  }

  MongoClient connect() {
    return MongoProbe.connect(endpoint(), client);
  }

  /**
   * Forms the set if necessary, and waits for a writable primary and for all other members to
   * follow it. A member that still copies the data could not replace the primary.
   */
  void awaitMembers(String what, Duration limit) {
    try (MongoClient member =
        MongoProbe.connect("mongodb://" + hosts().get(0) + "/?directConnection=true", client)) {
      MongoDatabase admin = member.getDatabase("admin");
      Readiness.await(what, processes, limit, () -> form(admin));
    }
    try (MongoClient set = connect()) {
      MongoDatabase admin = set.getDatabase("admin");
      Readiness.await(what, processes, limit, () -> acceptsWrites(admin));
      Readiness.await(
          what,
          processes,
          limit,
          () -> requireFollowing(admin.runCommand(new Document("replSetGetStatus", 1))));
    }
  }

  /** Also reconfigures a set that had other ports or fewer members in its last run. */
  private boolean form(MongoDatabase admin) {
    Document config;
    try {
      config = admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != NOT_YET_INITIALIZED) {
        throw e;
      }
      Document initial = new Document("_id", plan.name()).append("members", members());
      if (plan.role().equals("--configsvr")) {
        initial.append("configsvr", true);
      }
      admin.runCommand(new Document("replSetInitiate", initial));
      return true;
    }
    List<String> known =
        config.getList("members", Document.class).stream().map(m -> m.getString("host")).toList();
    if (!known.equals(hosts())) {
      requireMayMove(known);
      config.put("members", members());
      config.put("version", config.getInteger("version") + 1);
      admin.runCommand(new Document("replSetReconfig", config).append("force", true));
    }
    return true;
  }

  private void requireMayMove(List<String> known) {
    int common = Math.min(known.size(), plan.members());
    if (plan.isOfCluster() && !known.subList(0, common).equals(hosts().subList(0, common))) {
      throw new StackException(
          "%s used %s last time, and a sharded cluster cannot be moved; make these ports free, or start afresh with: lastfix down --purge"
              .formatted(plan.name(), String.join(", ", known)));
    }
  }

  private List<Document> members() {
    List<Document> documents = new ArrayList<>();
    for (String host : hosts()) {
      documents.add(new Document("_id", documents.size()).append("host", host));
    }
    return documents;
  }

  /**
   * Returns whether each member is the primary or follows it.
   *
   * @param status the answer to {@code replSetGetStatus}
   * @throws IllegalStateException naming the members that do not
   */
  static boolean requireFollowing(Document status) {
    List<String> others = new ArrayList<>();
    for (Document member : status.getList("members", Document.class)) {
      String state = member.getString("stateStr");
      if (!state.equals("PRIMARY") && !state.equals("SECONDARY")) {
        others.add("member %s is in state %s".formatted(member.getString("name"), state));
      }
    }
    if (!others.isEmpty()) {
      throw new IllegalStateException(String.join(", ", others));
    }
    return true;
  }

  /** Writes a note to the oplog, which changes no database. */
  private static boolean acceptsWrites(MongoDatabase admin) {
    Document hello = admin.runCommand(new Document("hello", 1));
    if (!hello.getBoolean("isWritablePrimary", false)) {
      return false;
    }
    admin.runCommand(
        new Document("appendOplogNote", 1).append("data", new Document("lastfix", "ready")));
    return true;
  }

  /** Clients with short timeouts that check whether MongoDB's servers are ready. */
  static final class MongoProbe {
    private static final int PROBE_MILLIS = 2_000;

    private MongoProbe() {}

    /**
     * @param client adds the settings that the servers require
     */
    static MongoClient connect(String uri, Consumer<MongoClientSettings.Builder> client) {
      MongoClientSettings.Builder settings =
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(uri))
              .applyToClusterSettings(
                  cluster -> cluster.serverSelectionTimeout(PROBE_MILLIS, TimeUnit.MILLISECONDS))
              .applyToSocketSettings(
                  socket ->
                      socket
                          .connectTimeout(PROBE_MILLIS, TimeUnit.MILLISECONDS)
                          .readTimeout(10 * PROBE_MILLIS, TimeUnit.MILLISECONDS));
      client.accept(settings);
      return MongoClients.create(settings.build());
    }
  }
}
