package io.lastfix.cli.stack;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.Document;

/** A MongoDB replica set of one or more members, each a mongod of its own. */
public final class MongoServer extends StackService {
  static final String NAME = "mongodb";
  static final String PROCESS_PREFIX = "mongod-";
  private static final String REPLICA_SET = "lastfix";
  private static final int USUAL_PORT = 27017;
  private static final int NOT_YET_INITIALIZED = 94;
  private static final int PROBE_MILLIS = 2_000;

  private final Consumer<MongoClientSettings.Builder> client;
  private final List<ServerProcess> members = new ArrayList<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

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
    this.client = client;
    if (members < 1 || members > 7) {
      throw new IllegalArgumentException("members must be 1 to 7, not " + members);
    }
    for (int i = 0; i < members; i++) {
      String name = PROCESS_PREFIX + i;
      int port = site.port(name, name, USUAL_PORT + i);
      ports.put(name, port);
      this.members.add(site.mongodProcess(name, mongod, arguments(site, name, port, more)));
    }
  }

  private static List<String> arguments(ServerSite site, String name, int port, List<String> more) {
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
            REPLICA_SET,
            // A laptop's share: without it each mongod takes half of the memory.
            "--wiredTigerCacheSizeGB",
            "0.5",
            "--oplogSize",
            "512",
            "--setParameter",
            "diagnosticDataCollectionEnabled=false"));
    arguments.addAll(more);
    return arguments;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<ServerProcess> processes() {
    return List.copyOf(members);
  }

  /** The replica set's connection string. */
  @Override
  public String endpoint() {
    return "mongodb://" + String.join(",", hosts()) + "/?replicaSet=" + REPLICA_SET;
  }

  @Override
  Map<String, Integer> ports() {
    return Map.copyOf(ports);
  }

  /** Forms the replica set where it isn't formed, and waits for a primary that takes writes. */
  @Override
  public void awaitReady(Duration limit) {
    try (MongoClient member = connect("mongodb://" + hosts().get(0) + "/?directConnection=true")) {
      MongoDatabase admin = member.getDatabase("admin");
      Readiness.await("MongoDB", members, limit, () -> formReplicaSet(admin));
    }
    try (MongoClient set = connect(endpoint())) {
      MongoDatabase admin = set.getDatabase("admin");
      Readiness.await("MongoDB", members, limit, () -> takesWrites(admin));
    }
  }

  /** Also mends a replica set that stood on other ports in its last run. */
  private boolean formReplicaSet(MongoDatabase admin) {
    Document config;
    try {
      config = admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != NOT_YET_INITIALIZED) {
        throw e;
      }
      admin.runCommand(
          new Document(
              "replSetInitiate", new Document("_id", REPLICA_SET).append("members", members())));
      return true;
    }
    List<String> known =
        config.getList("members", Document.class).stream().map(m -> m.getString("host")).toList();
    if (!known.equals(hosts())) {
      config.put("members", members());
      config.put("version", config.getInteger("version") + 1);
      admin.runCommand(new Document("replSetReconfig", config).append("force", true));
    }
    return true;
  }

  private List<Document> members() {
    List<Document> documents = new ArrayList<>();
    for (String host : hosts()) {
      documents.add(new Document("_id", documents.size()).append("host", host));
    }
    return documents;
  }

  /** Writes a note to the oplog, which leaves no trace in any database. */
  private static boolean takesWrites(MongoDatabase admin) {
    Document hello = admin.runCommand(new Document("hello", 1));
    if (!hello.getBoolean("isWritablePrimary", false)) {
      return false;
    }
    admin.runCommand(
        new Document("appendOplogNote", 1).append("data", new Document("lastfix", "ready")));
    return true;
  }

  private List<String> hosts() {
    return ports.values().stream()
        .map(port -> Ports.LOOPBACK + ":" + port)
        .collect(Collectors.toList());
  }

  private MongoClient connect(String uri) {
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
