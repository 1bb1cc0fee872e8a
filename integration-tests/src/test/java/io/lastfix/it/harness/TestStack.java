package io.lastfix.it.harness;

import io.lastfix.cluster.Installation;
import io.lastfix.local.FlinkCluster;
import io.lastfix.local.KafkaServer;
import io.lastfix.local.MongoServer;
import io.lastfix.local.MongoShape;
import io.lastfix.local.ServerProcess;
import io.lastfix.local.ServerSite;
import io.lastfix.local.ShardedMongo;
import io.lastfix.local.StackService;
import io.lastfix.local.program.MongodBinary;
import io.lastfix.local.program.ShardingPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.FileUtils;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real servers in a folder of their own, on free ports: mongod as a replica set or as a sharded
 * cluster, a Kafka broker, a Flink cluster; or just the one that a test needs.
 */
public final class TestStack implements TestServers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestStack.class);

  static {
    // Each look at a job is work for its JobManager and TaskManagers: with Awaitility's 100 ms, the
    // answers to tests were most of a JobManager's CPU time.
    Awaitility.setDefaultPollInterval(Duration.ofMillis(250));
  }

  private static final Duration READY_LIMIT = Duration.ofMinutes(2);

  /** Lets a test make a mongod slow, or a member lag: {@code configureFailPoint}. */
  private static final List<String> WITH_FAIL_POINTS =
      List.of("--setParameter", "enableTestCommands=1");

  /**
   * The broker keeps a request whole on its heap, and each of its threads a direct buffer of the
   * largest one it has read. (Not to keep those buffers is worse: each read of a few kB would
   * allocate one of 100 MB.)
   */
  private static final List<String> ROOM_FOR_LARGE_MESSAGES =
      List.of("-Xmx1g", "-XX:MaxDirectMemorySize=2g");

  /**
   * What a test of a sharded cluster needs besides: chunks that can be moved back at once, for
   * which a shard otherwise waits a quarter of an hour.
   */
  private static final List<String> WITH_QUICK_MOVES =
      List.of(
          "--setParameter", "enableTestCommands=1",
          "--setParameter", "orphanCleanupDelaySecs=0");

  /**
   * A drain, and each reading of a job's metrics, waits for values that are newer than its query.
   * The local stack fetches new ones once a second at most. Each fetch takes all metrics of all
   * tasks: ten a second are a third of a JobManager's CPU time.
   */
  private static final String METRICS_MILLIS = "500";

  private static final Map<String, String> QUICK_METRICS =
      Map.of("metrics.fetcher.update-interval", METRICS_MILLIS);

  /**
   * A cluster loads each job's classes anew, and compiles them anew: three seconds of CPU a job,
   * and as much at each restart. A warm one has them in its {@code lib}, and keeps them.
   */
  private static final Map<String, String> WARM =
      Map.of(
          "metrics.fetcher.update-interval",
          METRICS_MILLIS,
          "classloader.resolve-order",
          "parent-first");

  /** The cleaner looks for work every 15 s by default; a test waits for two of its rounds. */
  private static final KafkaServer.Security WITH_QUICK_CLEANER =
      new KafkaServer.Security(Map.of("log.cleaner.backoff.ms", "500"), List.of(), Map.of());

  private static @Nullable TestStack shared;
  private static @Nullable TestStack sharedMongo;

  private final StackService mongo;
  private final KafkaServer kafka;
  private final FlinkCluster flink;
  private final Deque<StackService> started = new ArrayDeque<>();

  private TestStack(ServerSite site, int mongoMembers, FlinkCluster flink) {
    this(
        site,
        new MongoServer(
            site,
            new MongodBinary(System.getenv(), LOG::info).locate(),
            mongoMembers,
            WITH_FAIL_POINTS,
            client -> {}),
        flink);
  }

  private TestStack(ServerSite site, StackService mongo, FlinkCluster flink) {
    this.mongo = mongo;
    kafka = new KafkaServer(site, WITH_QUICK_CLEANER, ROOM_FOR_LARGE_MESSAGES);
    this.flink = flink;
  }

  private static TestStack warm(Path directory, int mongoMembers, int slots) {
    ServerSite site = ServerSite.fresh(directory);
    return new TestStack(site, mongoMembers, warmCluster(site, 1, slots));
  }

  private static FlinkCluster warmCluster(ServerSite site, int taskManagers, int slots) {
    return new FlinkCluster(site, taskManagers, slots, WARM, List.of(Installation.jobJar()), false);
  }

  private TestStack(Path directory, MongoShape sharded, int taskManagers, int slots) {
    ServerSite site = ServerSite.fresh(directory);
    mongo =
        new ShardedMongo(
            site, ShardingPrograms.locate(System.getenv(), LOG::info), sharded, WITH_QUICK_MOVES);
    kafka = new KafkaServer(site, KafkaServer.Security.NONE, List.of());
    flink = warmCluster(site, taskManagers, slots);
  }

  private TestStack(Path directory, MongoShape sharded, SecuredServers security) {
    ServerSite site = ServerSite.fresh(directory);
    mongo =
        new ShardedMongo(
            site,
            ShardingPrograms.locate(System.getenv(), LOG::info),
            sharded,
            new ShardedMongo.Access(
                security.mongodArguments(),
                security.mongosArguments(),
                security::administrator,
                security::routerAdministrator,
                security::createRouterAdministrator));
    kafka = new KafkaServer(site, KafkaServer.Security.NONE, List.of());
    flink = new FlinkCluster(site, 1, 4, QUICK_METRICS, List.of(), false);
  }

  private TestStack(Path directory, SecuredServers security) {
    ServerSite site = ServerSite.fresh(directory);
    mongo =
        new MongoServer(
            site,
            new MongodBinary(System.getenv(), LOG::info).locate(),
            1,
            security.mongodArguments(),
            security::administrator);
    kafka = new KafkaServer(site, security.kafka(), List.of());
    flink = new FlinkCluster(site, 1, 4, QUICK_METRICS, List.of(), false);
  }

  /** Starts one of each server at once, with four slots, and waits until each is ready. */
  public static TestStack start(Path directory) {
    return start(directory, 1, 4);
  }

  /**
   * Starts all three at once, and waits until each is ready.
   *
   * @param mongoMembers of the replica set
   * @param slots of the TaskManager
   */
  public static TestStack start(Path directory, int mongoMembers, int slots) {
    return warm(directory, mongoMembers, slots).startAll();
  }

  /**
   * Starts a stack whose cluster loads each job's classes anew, as in production: for tests of
   * class loading, of changed jars, and of TaskManagers that are killed.
   *
   * @param slots of each TaskManager
   */
  public static TestStack startCold(Path directory, int taskManagers, int slots) {
    ServerSite site = ServerSite.fresh(directory);
    FlinkCluster flink =
        new FlinkCluster(site, taskManagers, slots, QUICK_METRICS, List.of(), false);
    return new TestStack(site, 1, flink).startAll();
  }

  /**
   * One of each server, with four slots, for all tests of this process that leave the servers as
   * they found them; started by the first of them, they end with the process. Servers that have run
   * one job run the next at a fraction of the cost.
   */
  public static synchronized TestStack shared() {
    if (shared == null) {
      Path directory = sharedDirectory("servers");
      ServerSite site = ServerSite.fresh(directory);
      TestStack stack = new TestStack(site, sharedMongo().mongo, warmCluster(site, 1, 4));
      shared = stack.startUntilTheEnd(directory, stack.kafka, stack.flink);
    }
    return shared;
  }

  /** MongoDB of {@link #shared} alone. Name a database as no other test does: it stays. */
  public static synchronized TestStack sharedMongo() {
    if (sharedMongo == null) {
      Path directory = sharedDirectory("mongo");
      TestStack stack = warm(directory, 1, 4);
      sharedMongo = stack.startUntilTheEnd(directory, stack.mongo);
    }
    return sharedMongo;
  }

  private static Path sharedDirectory(String of) {
    return Installation.root()
        .resolve("integration-tests/target/shared-" + of + "-" + ProcessHandle.current().pid());
  }

  private TestStack startUntilTheEnd(Path directory, StackService... services) {
    startThese(services);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(this, directory)));
    return this;
  }

  /** The logs stay, for whoever wants to know why a test failed. */
  private static void end(TestStack stack, Path directory) {
    stack.close();
    try {
      FileUtils.deleteDirectory(directory.resolve("data").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one of each server, MongoDB and Kafka such that clients have to prove themselves. */
  public static TestStack startSecured(Path directory, SecuredServers security) {
    TestStack stack = new TestStack(directory, security);
    return stack.startAll();
  }

  /**
   * Starts all three at once, MongoDB as a sharded cluster behind two routers. Its test needs
   * {@link NeedsMongos}.
   *
   * @param replicas members of each shard and of the config servers
   * @param slots of each TaskManager
   */
  public static TestStack startSharded(
      Path directory, int shards, int replicas, int taskManagers, int slots) {
    TestStack stack =
        new TestStack(directory, MongoShape.sharded(shards, replicas), taskManagers, slots);
    return stack.startAll();
  }

  /** Starts a sharded MongoDB alone. Its test needs {@link NeedsMongos}. */
  public static TestStack startShardedMongo(Path directory, int shards) {
    TestStack stack = new TestStack(directory, MongoShape.sharded(shards, 1), 1, 4);
    return stack.startThese(stack.mongo);
  }

  /** Starts a sharded MongoDB with a Kafka broker beside it. */
  public static TestStack startShardedMongoAndKafka(Path directory, int shards) {
    TestStack stack = new TestStack(directory, MongoShape.sharded(shards, 1), 1, 4);
    return stack.startThese(stack.mongo, stack.kafka);
  }

  /** A sharded MongoDB alone, such that clients have to prove themselves. */
  public static TestStack startSecuredShardedMongo(
      Path directory, int shards, SecuredServers security) {
    TestStack stack = new TestStack(directory, MongoShape.sharded(shards, 1), security);
    return stack.startThese(stack.mongo);
  }

  /** Starts MongoDB alone, and waits until it takes writes. */
  public static TestStack startMongo(Path directory) {
    TestStack stack = warm(directory, 1, 4);
    return stack.startThese(stack.mongo);
  }

  /**
   * Starts a MongoDB of several members.
   *
   * @param members of the replica set
   */
  public static TestStack startMongo(Path directory, int members) {
    TestStack stack = warm(directory, members, 4);
    return stack.startThese(stack.mongo);
  }

  private TestStack startAll() {
    return startThese(mongo, kafka, flink);
  }

  private TestStack startThese(StackService... services) {
    try {
      for (StackService service : services) {
        started.push(service);
        service.start();
      }
      started.descendingIterator().forEachRemaining(service -> service.awaitReady(READY_LIMIT));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    return this;
  }

  /** The replica set, for tests that do it harm. */
  public MongoServer mongo() {
    return (MongoServer) mongo;
  }

  /** The sharded cluster. */
  public ShardedMongo sharded() {
    return (ShardedMongo) mongo;
  }

  /** The broker, for tests that do it harm. */
  public KafkaServer broker() {
    return kafka;
  }

  /** The cluster, for tests that do it harm. */
  public FlinkCluster cluster() {
    return flink;
  }

  @Override
  public String mongoUri() {
    return mongo.endpoint();
  }

  @Override
  public String kafka() {
    return kafka.endpoint();
  }

  @Override
  public String flinkUrl() {
    return flink.endpoint();
  }

  /** Kills them: nobody reads what they would put in order, and that takes a Flink cluster 6 s. */
  @Override
  public void close() {
    started.forEach(service -> service.processes().forEach(ServerProcess::kill));
  }
}
